package openai_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestEverySettingIsSent: no setting is lost on its way to a server. One that the server may refuse is left out then.
func TestEverySettingIsSent(t *testing.T) {
	names := map[string]string{"max_tokens": "max_completion_tokens", "reasoning": "reasoning_effort"}
	for _, setting := range model.SettingTable() {
		name := cmp.Or(names[setting.Name], setting.Name)
		s := wiretest.Serve(t, sayHello)
		r := hello()
		r.Tools = []model.Tool{{Name: "look"}}
		r.Model = &model.Choice{Settings: settingtest.Example(t, setting)}
		member := fmt.Sprintf(`"%s":%s`, name, setting.Text(r.Model.Settings))
		if setting.Kind == model.KindObject {
			member = `"service_tier":"default"`
		}
		if _, err := open(t, s, openai.Options{}).Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		sent := s.Requests()
		if body := string(sent[0].Body); len(sent) != 1 || !strings.Contains(body, member) {
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

// TestCallsWithoutTools: a request without tools does not limit calls, which servers would refuse.
func TestCallsWithoutTools(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	r := hello()
	parallel := false
	r.Model = &model.Choice{Settings: model.Settings{ParallelToolCalls: &parallel}}
	if _, err := open(t, s, openai.Options{}).Chat(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if body := string(s.Requests()[0].Body); strings.Contains(body, "parallel") {
		t.Errorf("sent: %s", body)
	}
}
