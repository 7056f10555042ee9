package core_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

func number(f float64) *float64 { return &f }

func whole(n int) *int { return &n }

// configured says everything of two roles, and little of others.
var configured = &compiled.Program{
	HasModels: true,
	Models: []compiled.Role{
		{Role: "thinker", Name: "anthropic:claude", Settings: model.Settings{Temperature: number(0.5), MaxTokens: whole(9)}, BaseURL: "http://role"},
		{Role: "default", Name: "ollama:qwen2.5:14b"},
		{Role: "worker", Name: "ollama:small"},
		{Role: "my-critic", Name: "openai:gpt", Settings: model.Settings{MaxTokens: whole(5)}},
	},
	Providers: []compiled.Provider{{Name: "ollama", BaseURL: "http://ollama"}, {Name: "anthropic", BaseURL: "http://anthropic"}},
}

// shown is a model on one line: name, temperature, length, address. What nobody sets is a dash.
func shown(m model.Model) string {
	temperature, tokens, address := "-", "-", "-"
	if m.Temperature != nil {
		temperature = strconv.FormatFloat(*m.Temperature, 'g', -1, 64)
	}
	if m.MaxTokens != nil {
		tokens = strconv.Itoa(*m.MaxTokens)
	}
	if m.BaseURL != "" {
		address = m.BaseURL
	}

	return fmt.Sprintf("%s %s %s %s", m.Name, temperature, tokens, address)
}

// TestResolve goes down the chain of the README, setting by setting: each row has what counts, and
// all that it wins over.
func TestResolve(t *testing.T) {
	direct := model.Choice{Role: "thinker", Name: "openai:direct"}
	thinker, worker, critic := model.Choice{Role: "thinker"}, model.Choice{Role: "worker"}, model.Choice{Role: "my-critic"}
	editor := model.Choice{Role: "editor"} // a role that the configuration lacks
	for _, c := range []struct {
		name   string
		choice model.Choice
		env    variables
		want   string
	}{
		{"the name of the agent itself", direct, variables{"AGENTC_MODEL_THINKER_NAME": "a:b"}, "openai:direct - - -"},
		{"AGENTC_MODEL_R_NAME", thinker, variables{
			"AGENTC_MODEL_THINKER_NAME": "anthropic:a", "TAMA_MODEL_THINKER_NAME": "anthropic:b", "AGENTC_MODEL_THINKER": "anthropic:c",
		}, "anthropic:a 0.5 9 http://role"},
		{"TAMA_MODEL_R_NAME", thinker, variables{"TAMA_MODEL_THINKER_NAME": "anthropic:b", "AGENTC_MODEL_THINKER": "anthropic:c"}, "anthropic:b 0.5 9 http://role"},
		{"TAMA_MODEL_R", critic, variables{"TAMA_MODEL_MY_CRITIC": "openai:c"}, "openai:c - 5 -"},
		{"the role", thinker, nil, "anthropic:claude 0.5 9 http://role"},
		{"an empty variable is none", thinker, variables{"AGENTC_MODEL_THINKER_NAME": ""}, "anthropic:claude 0.5 9 http://role"},
		{"a role of the environment alone", editor, variables{"AGENTC_MODEL_EDITOR_NAME": "ollama:e"}, "ollama:e - - http://ollama"},
		{"default in the environment", editor, variables{"TAMA_MODEL_DEFAULT_NAME": "ollama:d"}, "ollama:d - - http://ollama"},
		{"default", editor, nil, "ollama:qwen2.5:14b - - http://ollama"},
		{"no role at all", model.Choice{}, nil, "ollama:qwen2.5:14b - - http://ollama"},

		{"the agent's own numbers", model.Choice{Role: "thinker", Settings: model.Settings{Temperature: number(0), MaxTokens: whole(1)}}, variables{
			"AGENTC_MODEL_THINKER_TEMPERATURE": "0.25", "AGENTC_MODEL_THINKER_MAX_TOKENS": "2",
		}, "anthropic:claude 0 1 http://role"},
		{"an agent's numbers without a role", model.Choice{Name: "openai:direct", Settings: model.Settings{Temperature: number(0.3), MaxTokens: whole(1)}}, nil, "openai:direct 0.3 1 -"},
		{"AGENTC_MODEL_R_TEMPERATURE and _MAX_TOKENS", thinker, variables{
			"AGENTC_MODEL_THINKER_TEMPERATURE": "0.25", "TAMA_MODEL_THINKER_TEMPERATURE": "1",
			"AGENTC_MODEL_THINKER_MAX_TOKENS": "2", "TAMA_MODEL_THINKER_MAX_TOKENS": "3",
		}, "anthropic:claude 0.25 2 http://role"},
		{"TAMA_MODEL_R_TEMPERATURE and _MAX_TOKENS", thinker, variables{
			"TAMA_MODEL_THINKER_TEMPERATURE": "2", "TAMA_MODEL_THINKER_MAX_TOKENS": "3",
		}, "anthropic:claude 2 3 http://role"},
		{"a role has no temperature by itself", worker, nil, "ollama:small - - http://ollama"},
		{"the role's numbers are kept by another model", thinker, variables{"AGENTC_MODEL_THINKER_NAME": "x:y"}, "x:y 0.5 9 -"},
		{"a role that default lends its model keeps its variables", editor, variables{
			"AGENTC_MODEL_EDITOR_TEMPERATURE": "0.1", "AGENTC_MODEL_DEFAULT_TEMPERATURE": "0.2",
			"AGENTC_MODEL_EDITOR_BASE_URL": "http://editor", "AGENTC_MODEL_DEFAULT_BASE_URL": "http://default",
			"AGENTC_MODEL_DEFAULT_MAX_TOKENS": "4",
		}, "ollama:qwen2.5:14b 0.1 4 http://editor"},

		{"AGENTC_MODEL_R_BASE_URL", thinker, variables{
			"AGENTC_MODEL_THINKER_BASE_URL": "http://1", "TAMA_MODEL_THINKER_BASE_URL": "http://2",
			"AGENTC_PROVIDER_ANTHROPIC_BASE_URL": "http://3", "TAMA_PROVIDER_ANTHROPIC_BASE_URL": "http://4",
		}, "anthropic:claude 0.5 9 http://1"},
		{"TAMA_MODEL_R_BASE_URL", thinker, variables{
			"TAMA_MODEL_THINKER_BASE_URL": "https://2", "AGENTC_PROVIDER_ANTHROPIC_BASE_URL": "http://3",
		}, "anthropic:claude 0.5 9 https://2"},
		{"AGENTC_PROVIDER_P_BASE_URL", thinker, variables{
			"AGENTC_PROVIDER_ANTHROPIC_BASE_URL": "http://3", "TAMA_PROVIDER_ANTHROPIC_BASE_URL": "http://4",
		}, "anthropic:claude 0.5 9 http://3"},
		{"TAMA_PROVIDER_P_BASE_URL", thinker, variables{"TAMA_PROVIDER_ANTHROPIC_BASE_URL": "http://4"}, "anthropic:claude 0.5 9 http://4"},
		{"a variable of another provider", thinker, variables{"TAMA_PROVIDER_OPENAI_BASE_URL": "http://4"}, "anthropic:claude 0.5 9 http://role"},
		{"the provider's of a direct name", model.Choice{Name: "ollama:direct"}, nil, "ollama:direct - - http://ollama"},
		{"a variable for a direct name", model.Choice{Name: "my-own:direct"}, variables{"AGENTC_PROVIDER_MY_OWN_BASE_URL": "http://5"}, "my-own:direct - - http://5"},
		{"another provider is not at the role's address", thinker, variables{"AGENTC_MODEL_THINKER_NAME": "ollama:x"}, "ollama:x 0.5 9 http://ollama"},
		{"a script has no address", thinker, variables{"AGENTC_MODEL_THINKER_NAME": "script:a.yaml", "AGENTC_MODEL_THINKER_BASE_URL": "http://1"}, "script:a.yaml 0.5 9 -"},
	} {
		m, err := core.Resolve(configured, &c.choice, c.env.lookup)
		if err != nil || shown(m) != c.want || m.Provider+":"+m.ID != m.Name {
			t.Errorf("%s: got %s, %v, want %s", c.name, shown(m), err, c.want)
		}
	}
}

// TestResolveWithoutProgram: the environment alone names models.
func TestResolveWithoutProgram(t *testing.T) {
	env := variables{"AGENTC_MODEL_DEFAULT_NAME": "a:b", "TAMA_MODEL_WORKER_NAME": "c:d", "TAMA_MODEL_THINKER": "e:f"}
	for role, want := range map[string]string{
		"worker": "c:d - - -", "thinker": "e:f - - -", "default": "a:b - - -", "critic": "a:b - - -", "": "a:b - - -",
	} {
		m, err := core.Resolve(nil, &model.Choice{Role: role}, env.lookup)
		if err != nil || shown(m) != want {
			t.Errorf("%s: got %s, %v", role, shown(m), err)
		}
	}
	_, err := core.Resolve(nil, &model.Choice{Role: "worker"}, variables{}.lookup)
	var missing *core.MissingModelError
	if !errors.As(err, &missing) || missing.Role != "worker" {
		t.Errorf("got %v", err)
	}
}

func TestResolveErrors(t *testing.T) {
	worker := model.Choice{Role: "worker"}
	for _, c := range []struct {
		choice model.Choice
		env    variables
		want   string
	}{
		{model.Choice{Name: "gpt"}, nil, `call.model.name: "gpt" is not of the form provider:model`},
		{model.Choice{Name: "openai:"}, nil, `call.model.name: "openai:" is not of the form provider:model`},
		{model.Choice{Name: "open ai:x"}, nil, `call.model.name: "open ai:x" is not of the form provider:model`},
		{model.Choice{Name: "openai: x"}, nil, `call.model.name: "openai: x" is not of the form provider:model`},
		{worker, variables{"TAMA_MODEL_WORKER_NAME": "gpt"}, `TAMA_MODEL_WORKER_NAME: "gpt" is not of the form provider:model`},
		{worker, variables{"TAMA_MODEL_WORKER_TEMPERATURE": "hot"}, `TAMA_MODEL_WORKER_TEMPERATURE: "hot" is not a number from 0 to 2`},
		{worker, variables{"AGENTC_MODEL_WORKER_TEMPERATURE": "NaN"}, `AGENTC_MODEL_WORKER_TEMPERATURE: "NaN" is not a number from 0 to 2`},
		{worker, variables{"AGENTC_MODEL_WORKER_TEMPERATURE": "2.1"}, `AGENTC_MODEL_WORKER_TEMPERATURE: "2.1" is not a number from 0 to 2`},
		{worker, variables{"AGENTC_MODEL_WORKER_MAX_TOKENS": "0"}, `AGENTC_MODEL_WORKER_MAX_TOKENS: "0" is not a whole number above 0`},
		{worker, variables{"TAMA_MODEL_WORKER_MAX_TOKENS": "1e3"}, `TAMA_MODEL_WORKER_MAX_TOKENS: "1e3" is not a whole number above 0`},
		{
			model.Choice{Role: "editor"}, variables{"AGENTC_MODEL_DEFAULT_MAX_TOKENS": "many"},
			`AGENTC_MODEL_DEFAULT_MAX_TOKENS: "many" is not a whole number above 0`,
		},
		{
			worker, variables{"AGENTC_MODEL_WORKER_BASE_URL": "localhost:8000"},
			`AGENTC_MODEL_WORKER_BASE_URL: "localhost:8000" is not an address that begins with http:// or https://`,
		},
		{
			model.Choice{Name: "ollama:x"}, variables{"TAMA_PROVIDER_OLLAMA_BASE_URL": "ollama"},
			`TAMA_PROVIDER_OLLAMA_BASE_URL: "ollama" is not an address that begins with http:// or https://`,
		},
	} {
		_, err := core.Resolve(configured, &c.choice, c.env.lookup)
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	broken := &compiled.Program{Models: []compiled.Role{{Role: "default", Name: "gpt"}}}
	if _, err := core.Resolve(broken, &worker, variables{}.lookup); err == nil || err.Error() != `models.default: "gpt" is not of the form provider:model` {
		t.Errorf("got %v", err)
	}
}
