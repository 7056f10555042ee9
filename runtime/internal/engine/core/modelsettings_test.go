package core_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestPlain: whether a model is asked in one piece is found as its address is.
func TestPlain(t *testing.T) {
	p := &compiled.Program{
		Models: []compiled.Role{
			{Role: "off", Name: "a:m", Stream: runtime.Pointer(false)}, {Role: "on", Name: "b:m", Stream: runtime.Pointer(true)},
			{Role: "default", Name: "b:m", Fallback: []string{"a:m"}},
		},
		Providers: []compiled.Provider{{Name: "a"}, {Name: "b", Stream: runtime.Pointer(false)}},
	}
	for _, c := range []struct {
		choice model.Choice
		env    variables
		want   bool
	}{
		{model.Choice{Role: "off"}, nil, true},
		{model.Choice{Role: "on"}, nil, false},
		{model.Choice{Role: "default"}, nil, true},
		{model.Choice{Role: "else"}, nil, true},
		{model.Choice{Name: "a:x"}, nil, false},
		{model.Choice{Name: "b:x"}, nil, true},
		{model.Choice{Role: "off"}, variables{"AGENTC_MODEL_OFF_NAME": "c:m"}, false},
		{model.Choice{Role: "off"}, variables{"AGENTC_MODEL_OFF_STREAM": "true"}, false},
		{model.Choice{Role: "off"}, variables{"AGENTC_PROVIDER_A_STREAM": "true"}, false},
		{model.Choice{Role: "off"}, variables{"AGENTC_MODEL_OFF_STREAM": "0", "TAMA_PROVIDER_A_STREAM": "true"}, true},
		{model.Choice{Role: "on"}, variables{"TAMA_PROVIDER_B_STREAM": "false"}, true},
		{model.Choice{Role: "else"}, variables{"AGENTC_MODEL_DEFAULT_STREAM": "true"}, false},
	} {
		m, err := core.Resolve(p, &c.choice, c.env.lookup)
		if err != nil || m.Plain != c.want {
			t.Errorf("%+v with %v: %v, %v", c.choice, c.env, m.Plain, err)
		}
	}
	m, err := core.Resolve(p, &model.Choice{Role: "default"}, variables{"AGENTC_MODEL_DEFAULT_STREAM": "false"}.lookup)
	if err != nil || len(m.Fallback) != 1 || !m.Plain || m.Fallback[0].Plain {
		t.Errorf("%+v, %v: what a role says of its model is not for a fallback at another provider", m, err)
	}
}

// TestEndsWithoutReason: the environment counts more than the config, which counts for the models
// of its provider alone.
func TestEndsWithoutReason(t *testing.T) {
	p := &compiled.Program{Providers: []compiled.Provider{{Name: "a", EndsWithoutReason: true}}}
	for _, c := range []struct {
		name string
		env  variables
		want bool
	}{
		{"a:m", nil, true},
		{"b:m", nil, false},
		{"a:m", variables{"AGENTC_PROVIDER_A_ENDS_WITHOUT_REASON": "false"}, false},
		{"b:m", variables{"TAMA_PROVIDER_B_ENDS_WITHOUT_REASON": "1"}, true},
	} {
		m, err := core.Resolve(p, &model.Choice{Name: c.name}, c.env.lookup)
		if err != nil || m.EndsWithoutReason != c.want {
			t.Errorf("%s with %v: %v, %v", c.name, c.env, m.EndsWithoutReason, err)
		}
	}
}

// TestReplyLimit: the environment counts more than the config.
func TestReplyLimit(t *testing.T) {
	p := &compiled.Program{Limits: compiled.Limits{Reply: 1000}}
	choice := &model.Choice{Name: "a:m"}
	for value, want := range map[string]int64{"": 1000, "2KB": 2000, "3": 3} {
		m, err := core.Resolve(p, choice, variables{"AGENTC_LIMIT_REPLY": value}.lookup)
		if err != nil || m.MaxReply != want {
			t.Errorf("%q: %d, %v", value, m.MaxReply, err)
		}
	}
	if m, err := core.Resolve(nil, choice, variables{}.lookup); err != nil || m.MaxReply != 0 {
		t.Errorf("%d, %v", m.MaxReply, err)
	}
}

func TestBadSettingsOfModels(t *testing.T) {
	for want, env := range map[string]variables{
		`AGENTC_LIMIT_REPLY: "much" is not a size such as 20KB or 8MB, or a number of bytes`: {"AGENTC_LIMIT_REPLY": "much"},
		`AGENTC_LIMIT_REPLY: "0" is too small or too large for a size`:                       {"AGENTC_LIMIT_REPLY": "0"},
		`AGENTC_PROVIDER_A_STREAM: "no" is neither true nor false`:                           {"AGENTC_PROVIDER_A_STREAM": "no"},
		`AGENTC_PROVIDER_A_ENDS_WITHOUT_REASON: "no" is neither true nor false`:              {"AGENTC_PROVIDER_A_ENDS_WITHOUT_REASON": "no"},
	} {
		_, err := core.Resolve(nil, &model.Choice{Name: "a:m"}, env.lookup)
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestPlainIsNotStreamed: a model that is asked in one piece is so where someone watches, too.
func TestPlainIsNotStreamed(t *testing.T) {
	llm, seen := &talker{}, &watcher{}
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for _, role := range []string{"plain", "default"} {
			if _, err := fx.Model(model.Request{Agent: "a", Input: "some words", Model: &model.Choice{Role: role}}); err != nil {
				return runtime.Finish{}, err
			}
		}

		return runtime.Finish{Key: "done"}, nil
	})
	p.Models = []compiled.Role{{Role: "plain", Name: "a:m", Stream: runtime.Pointer(false)}, {Role: "default", Name: "a:m"}}
	engine := core.New(core.Config{Observer: seen, Providers: map[string]model.Opener{
		"a": func(model.Model, func(string) (string, bool)) (model.Provider, error) { return llm, nil },
	}})
	if _, err := engine.Run(t.Context(), p, "", ""); err != nil {
		t.Fatal(err)
	}
	if llm.chats != 1 || llm.streams != 1 {
		t.Errorf("%d plain and %d in parts", llm.chats, llm.streams)
	}
}
