package anthropic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestEverySettingIsSent: no setting is lost on its way to the server. One that the server may refuse is left out then.
func TestEverySettingIsSent(t *testing.T) {
	for _, setting := range model.SettingTable() {
		r := hello()
		r.Model = &model.Choice{}
		setting.Set(&r.Model.Settings, 1)
		field := fmt.Sprintf(`"%s":1`, setting.Name)
		s := wiretest.Serve(t, sayHello)
		if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		sent := s.Requests()
		if body := string(sent[0].Body); len(sent) != 1 || !strings.Contains(body, field+",") {
			t.Errorf("%s is not in %s, the first of %d requests", setting.Name, body, len(sent))
		}
		if !setting.MayBeRefused {
			continue
		}
		s = wiretest.Serve(t, minds(field, setting.Name+": Extra inputs are not permitted"))
		if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), r); err != nil {
			t.Errorf("%s is refused: %v", setting.Name, err)
		}
	}
}
