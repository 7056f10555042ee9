package local_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/local"
)

// TestPlain: whether a model is asked in one piece is found as its address is.
func TestPlain(t *testing.T) {
	p := &runtime.Program{
		Models: []runtime.ModelInfo{
			{Role: "off", Name: "a:m", Stream: runtime.StreamOff}, {Role: "on", Name: "b:m", Stream: runtime.StreamOn},
			{Role: "default", Name: "b:m", Fallback: []string{"a:m"}},
		},
		Providers: []runtime.ProviderInfo{{Name: "a"}, {Name: "b", Stream: runtime.StreamOff}},
	}
	for _, c := range []struct {
		choice runtime.ModelChoice
		env    variables
		want   bool
	}{
		{runtime.ModelChoice{Role: "off"}, nil, true},
		{runtime.ModelChoice{Role: "on"}, nil, false},
		{runtime.ModelChoice{Role: "default"}, nil, true},
		{runtime.ModelChoice{Role: "else"}, nil, true},
		{runtime.ModelChoice{Name: "a:x"}, nil, false},
		{runtime.ModelChoice{Name: "b:x"}, nil, true},
		{runtime.ModelChoice{Role: "off"}, variables{"AGENTC_MODEL_OFF_NAME": "c:m"}, false},
		{runtime.ModelChoice{Role: "off"}, variables{"AGENTC_MODEL_OFF_STREAM": "true"}, false},
		{runtime.ModelChoice{Role: "off"}, variables{"AGENTC_PROVIDER_A_STREAM": "true"}, false},
		{runtime.ModelChoice{Role: "off"}, variables{"AGENTC_MODEL_OFF_STREAM": "0", "TAMA_PROVIDER_A_STREAM": "true"}, true},
		{runtime.ModelChoice{Role: "on"}, variables{"TAMA_PROVIDER_B_STREAM": "false"}, true},
		{runtime.ModelChoice{Role: "else"}, variables{"AGENTC_MODEL_DEFAULT_STREAM": "true"}, false},
	} {
		m, err := local.Resolve(p, &c.choice, c.env.lookup)
		if err != nil || m.Plain != c.want {
			t.Errorf("%+v with %v: %v, %v", c.choice, c.env, m.Plain, err)
		}
	}
	m, err := local.Resolve(p, &runtime.ModelChoice{Role: "default"}, variables{"AGENTC_MODEL_DEFAULT_STREAM": "false"}.lookup)
	if err != nil || len(m.Fallback) != 1 || !m.Plain || m.Fallback[0].Plain {
		t.Errorf("%+v, %v: what a role says of its model is not for a fallback at another provider", m, err)
	}
}

// TestReplyLimit: the environment counts more than the config.
func TestReplyLimit(t *testing.T) {
	p := &runtime.Program{Limits: runtime.Limits{Reply: 1000}}
	choice := &runtime.ModelChoice{Name: "a:m"}
	for value, want := range map[string]int64{"": 1000, "2KB": 2000, "3": 3} {
		m, err := local.Resolve(p, choice, variables{"AGENTC_LIMIT_REPLY": value}.lookup)
		if err != nil || m.MaxReply != want {
			t.Errorf("%q: %d, %v", value, m.MaxReply, err)
		}
	}
	if m, err := local.Resolve(nil, choice, variables{}.lookup); err != nil || m.MaxReply != 0 {
		t.Errorf("%d, %v", m.MaxReply, err)
	}
}

func TestBadSettingsOfModels(t *testing.T) {
	for want, env := range map[string]variables{
		`AGENTC_LIMIT_REPLY: "much" is not a size such as 20KB or 8MB, or a number of bytes`: {"AGENTC_LIMIT_REPLY": "much"},
		`AGENTC_LIMIT_REPLY: "0" is too small or too large for a size`:                       {"AGENTC_LIMIT_REPLY": "0"},
		`AGENTC_PROVIDER_A_STREAM: "no" is neither true nor false`:                           {"AGENTC_PROVIDER_A_STREAM": "no"},
	} {
		_, err := local.Resolve(nil, &runtime.ModelChoice{Name: "a:m"}, env.lookup)
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestPlainIsNotStreamed: a model that is asked in one piece is so where someone watches, too.
func TestPlainIsNotStreamed(t *testing.T) {
	model, seen := &talker{}, &watcher{}
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for _, role := range []string{"plain", "default"} {
			if _, err := fx.Model(runtime.ModelRequest{Agent: "a", Input: "some words", Model: &runtime.ModelChoice{Role: role}}); err != nil {
				return runtime.Finish{}, err
			}
		}

		return runtime.Finish{Key: "done"}, nil
	})
	p.Models = []runtime.ModelInfo{{Role: "plain", Name: "a:m", Stream: runtime.StreamOff}, {Role: "default", Name: "a:m"}}
	engine := local.New(local.Config{Observer: seen, Providers: map[string]local.Opener{
		"a": func(local.Model, func(string) (string, bool)) (local.Provider, error) { return model, nil },
	}})
	if _, err := engine.Run(t.Context(), p, "", ""); err != nil {
		t.Fatal(err)
	}
	if model.chats != 1 || model.streams != 1 {
		t.Errorf("%d plain and %d in parts", model.chats, model.streams)
	}
}
