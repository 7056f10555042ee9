package core_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// standing has roles with models that stand in for theirs.
var standing = &compiled.Program{
	HasModels: true,
	Models: []compiled.Role{
		{
			Role: "default", Name: "openai:big", Fallback: []string{"anthropic:claude", "openai:small"},
			Settings: model.Settings{Temperature: number(0.5), MaxTokens: whole(9)}, BaseURL: "http://role",
		},
		{Role: "plain", Name: "openai:one"},
		{Role: "critic", Name: "vllm:c", Fallback: []string{"ollama:d"}},
	},
	Providers: []compiled.Provider{{Name: "anthropic", BaseURL: "http://anthropic"}, {Name: "openai", BaseURL: "http://openai"}},
}

// TestResolveFallbacks: which models stand in for which, with which role and address: a fallback at
// another provider has neither the role's key nor its address.
func TestResolveFallbacks(t *testing.T) {
	role := func(name string) model.Choice { return model.Choice{Role: name} }
	for _, c := range []struct {
		name   string
		choice model.Choice
		env    variables
		want   string
	}{
		{"the config", role("default"), nil, "default openai:big 0.5 9 http://role,  anthropic:claude 0.5 9 http://anthropic, default openai:small 0.5 9 http://role"},
		{"a role that default lends its model", role("editor"), nil,
			"editor openai:big 0.5 9 http://role,  anthropic:claude 0.5 9 http://anthropic, editor openai:small 0.5 9 http://role"},
		{"which has its own", role("editor"), variables{"AGENTC_MODEL_EDITOR_FALLBACK": "x:y"},
			"editor openai:big 0.5 9 http://role,  x:y 0.5 9 -"},
		{"the agent's numbers", model.Choice{Role: "critic", Settings: model.Settings{MaxTokens: whole(3)}}, nil, "critic vllm:c - 3 -,  ollama:d - 3 -"},
		{"the environment", role("plain"), variables{"AGENTC_MODEL_PLAIN_FALLBACK": " a:b , openai:two"},
			"plain openai:one - - http://openai,  a:b - - -, plain openai:two - - http://openai"},
		{"the older name", role("plain"), variables{"TAMA_MODEL_PLAIN_FALLBACK": "a:b"}, "plain openai:one - - http://openai,  a:b - - -"},
		{"none", role("default"), variables{"AGENTC_MODEL_DEFAULT_FALLBACK": "none"}, "default openai:big 0.5 9 http://role"},
		{"none for one role", role("editor"), variables{"AGENTC_MODEL_EDITOR_FALLBACK": "none"}, "editor openai:big 0.5 9 http://role"},
		{"an empty variable is none", role("critic"), variables{"AGENTC_MODEL_CRITIC_FALLBACK": ""}, "critic vllm:c - - -,  ollama:d - - -"},
		{"another model has not those of the config", role("default"), variables{"AGENTC_MODEL_DEFAULT_NAME": "openai:other"},
			"default openai:other 0.5 9 http://role"},
		{"nor does a script", role("default"), variables{"AGENTC_MODEL_DEFAULT": "script:s.yaml"}, "default script:s.yaml 0.5 9 -"},
		{"but those of the environment", role("default"),
			variables{"AGENTC_MODEL_DEFAULT_NAME": "openai:other", "AGENTC_MODEL_DEFAULT_FALLBACK": "a:b"},
			"default openai:other 0.5 9 http://role,  a:b 0.5 9 -"},
		{"the address of the role is not for another provider", role("critic"), variables{"AGENTC_MODEL_CRITIC_BASE_URL": "http://mine"},
			"critic vllm:c - - http://mine,  ollama:d - - -"},
		{"an agent that names its model", model.Choice{Name: "openai:direct"}, variables{"AGENTC_MODEL_DEFAULT_FALLBACK": "a:b"},
			" openai:direct - - http://openai"},
	} {
		m, err := core.Resolve(standing, &c.choice, c.env.lookup)
		got := []string{m.Role + " " + shown(m)}
		for _, f := range m.Fallback {
			got = append(got, f.Role+" "+shown(f))
			if f.Fallback != nil {
				t.Errorf("%s: %s has fallbacks of its own", c.name, f.Name)
			}
		}
		if all := strings.Join(got, ", "); err != nil || all != c.want {
			t.Errorf("%s: got %s, %v\nwant %s", c.name, all, err, c.want)
		}
	}
}

func TestResolveFallbacksThatCannotBe(t *testing.T) {
	for want, env := range map[string]variables{
		`AGENTC_MODEL_DEFAULT_FALLBACK: "gpt" is not of the form provider:model`:      {"AGENTC_MODEL_DEFAULT_FALLBACK": "a:b,gpt"},
		`AGENTC_MODEL_DEFAULT_FALLBACK: "" is not of the form provider:model`:         {"AGENTC_MODEL_DEFAULT_FALLBACK": "a:b,"},
		`AGENTC_MODEL_DEFAULT_FALLBACK: "none" is not of the form provider:model`:     {"AGENTC_MODEL_DEFAULT_FALLBACK": "a:b,none"},
		`TAMA_PROVIDER_A_BASE_URL: "a" is not an address that begins with http:// or`: {"AGENTC_MODEL_DEFAULT_FALLBACK": "a:b", "TAMA_PROVIDER_A_BASE_URL": "a"},
		`AGENTC_MODEL_DEFAULT_FALLBACK: "script:s.yaml" cannot replace openai:big: nothing falls back to a file by itself`: {
			"AGENTC_MODEL_DEFAULT_FALLBACK": "script:s.yaml",
		},
		`AGENTC_MODEL_DEFAULT_FALLBACK: "replay:r.jsonl" cannot replace openai:big: nothing falls back`: {
			"AGENTC_MODEL_DEFAULT_FALLBACK": "replay:r.jsonl",
		},
		`AGENTC_MODEL_DEFAULT_FALLBACK: "a:b" cannot replace replay:r.jsonl: a file that answers has no fallback`: {
			"AGENTC_MODEL_DEFAULT_FALLBACK": "a:b", "AGENTC_MODEL_DEFAULT_NAME": "replay:r.jsonl",
		},
	} {
		_, err := core.Resolve(standing, &model.Choice{Role: "default"}, env.lookup)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
