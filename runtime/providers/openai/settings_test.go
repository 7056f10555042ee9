package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestEverySettingIsSent: no setting is lost on its way to a server. One that the server may refuse is left out then.
func TestEverySettingIsSent(t *testing.T) {
	for _, setting := range model.SettingTable() {
		name := setting.Name
		if name == "max_tokens" {
			name = "max_completion_tokens"
		}
		s := wiretest.Serve(t, sayHello)
		r := hello()
		r.Model = &model.Choice{}
		setting.Set(&r.Model.Settings, 1)
		if _, err := open(t, s, openai.Options{}).Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		sent := s.Requests()
		if body := string(sent[0].Body); len(sent) != 1 || !strings.Contains(body, fmt.Sprintf(`"%s":1`, name)) {
			t.Errorf("%s is not in %s, the first of %d requests", setting.Name, body, len(sent))
		}
		if !setting.MayBeRefused {
			continue
		}
		s = wiretest.Serve(t, without(400, name, fmt.Sprintf(`{"error":{"message":"Unknown parameter: '%s'."}}`, name)))
		if _, err := open(t, s, openai.Options{}).Chat(t.Context(), r); err != nil {
			t.Errorf("%s is refused: %v", name, err)
		}
	}
}
