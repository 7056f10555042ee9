package anthropic_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// settingMembers are what a request has for the settings of settingtest, and the words of a server for them.
var settingMembers = map[string]struct{ member, refused string }{
	"temperature":         {`"temperature":1`, "temperature"},
	"max_tokens":          {`"max_tokens":2`, ""},
	"top_p":               {`"top_p":1`, "top_p"},
	"top_k":               {`"top_k":2`, "top_k"},
	"stop":                {`"stop_sequences":["END","<\n>"]`, ""},
	"reasoning":           {`"output_config":{"effort":"high"}`, "output_config.effort"},
	"parallel_tool_calls": {`"tool_choice":{"type":"auto","disable_parallel_tool_use":false}`, "tool_choice.auto.disable_parallel_tool_use"},
	"extra":               {`"service_tier":"default"`, ""},
}

// TestEverySettingIsSent: no setting that the interface has is lost on its way to the server. One that the server may
// refuse is left out then.
func TestEverySettingIsSent(t *testing.T) {
	for _, setting := range model.SettingTable() {
		r := hello()
		r.Tools = []model.Tool{{Name: "look"}}
		r.Model = &model.Choice{Settings: settingtest.Example(t, setting)}
		s := wiretest.Serve(t, sayHello)
		if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		sent := s.Requests()
		body := string(sent[0].Body)
		if setting.IsLackedBy("anthropic") {
			if strings.Contains(body, setting.Name) {
				t.Errorf("%s is in %s", setting.Name, body)
			}
			continue
		}
		want := settingMembers[setting.Name]
		if want.member == "" || len(sent) != 1 || !strings.Contains(body, want.member) {
			t.Errorf("%s is not in %s, the first of %d requests", setting.Name, body, len(sent))
		}
		if (want.refused != "") != setting.MayBeRefused {
			t.Errorf("%s may be refused: %t", setting.Name, setting.MayBeRefused)
		}
		if !setting.MayBeRefused {
			continue
		}
		s = wiretest.Serve(t, minds(want.member, want.refused+": Extra inputs are not permitted"))
		if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), r); err != nil {
			t.Errorf("%s is refused: %v", setting.Name, err)
		}
	}
}

// TestReasoning: none is no thinking, whatever the provider is set to; the interface has no effort below low; the effort
// is beside the form of the answer.
func TestReasoning(t *testing.T) {
	for _, c := range []struct{ level, variable, schema, want string }{
		{"none", "", "", `"thinking":{"type":"disabled"}`},
		{"none", "adaptive", "", `"thinking":{"type":"disabled"}`},
		{"minimal", "", "", `"output_config":{"effort":"low"}`},
		{"low", "", "", `"output_config":{"effort":"low"}`},
		{"medium", "adaptive", "", `"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}`},
		{"high", "", `{"type":"object","properties":{}}`, `"output_config":{"effort":"high","format":{`},
	} {
		s := wiretest.Serve(t, sayHello)
		r := hello()
		r.Schema = c.schema
		r.Model = &model.Choice{Settings: model.Settings{Reasoning: &c.level}}
		p := open(t, s.URL, anthropic.Options{}, "AGENTC_PROVIDER_ANTHROPIC_THINKING", c.variable)
		if _, err := p.Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if body := string(s.Requests()[0].Body); !strings.Contains(body, c.want) {
			t.Errorf("%s, %q: no %s in %s", c.level, c.variable, c.want, body)
		}
	}
}

// TestRefusedThinking: a server that does not know that thinking can be turned off is asked without.
func TestRefusedThinking(t *testing.T) {
	s := wiretest.Serve(t, minds(`"thinking"`, "thinking: Extra inputs are not permitted"))
	r := hello()
	none := "none"
	r.Model = &model.Choice{Settings: model.Settings{Reasoning: &none}}
	if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), r); err != nil || len(s.Requests()) != 2 {
		t.Errorf("%d requests, %v", len(s.Requests()), err)
	}
}

// TestThinkingWithSettings: a model that thinks gets no setting with which servers refuse thinking, and calls are not
// limited without tools.
func TestThinkingWithSettings(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	r := hello()
	some, parallel, ends := 5, false, []string{"END"}
	r.Model = &model.Choice{Settings: model.Settings{TopK: &some, ParallelToolCalls: &parallel, Stop: &ends}}
	p := open(t, s.URL, anthropic.Options{}, "AGENTC_PROVIDER_ANTHROPIC_THINKING", "adaptive")
	if _, err := p.Chat(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	body := string(s.Requests()[0].Body)
	if strings.Contains(body, "top_k") || strings.Contains(body, "tool_choice") || !strings.Contains(body, `"stop_sequences":["END"]`) {
		t.Errorf("sent: %s", body)
	}
}
