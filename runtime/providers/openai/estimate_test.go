package openai_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestBudgetWithoutUsage: a budget of tokens ends a run whose server reports no usage, or an odd one,
// whole and in parts.
func TestBudgetWithoutUsage(t *testing.T) {
	choice := &model.Choice{Role: "default"}
	react := &rt.ReactSpec{Agent: "a", Model: choice, Prompt: "Work.", MaxIter: 12, Repair: 2, Keys: []string{"good"}}
	oneshot := &rt.OneshotSpec{Agent: "a", Model: choice, Prompt: "Work.", Repair: 9, Output: &rt.OutputSpec{
		Schema: `{"type":"object"}`, Check: func(json.RawMessage) error { return errors.New("it is no object") },
	}}
	calls := `"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"start","arguments":"{}"}}]`
	for name, run := range map[string]func(fx runtime.Effects, input string) (runtime.Finish, error){
		"react": func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return react.Run(fx, nil, input, rt.Place{})
		},
		"oneshot": oneshot.Run,
	} {
		message, reason := `{"role":"assistant","content":"x"}`, "stop"
		if name == "react" {
			message, reason = `{"role":"assistant",`+calls+`}`, "tool_calls"
		}
		for _, usage := range []string{"", `,"usage":null`, `,"usage":{}`, `,"usage":{"prompt_tokens":0,"completion_tokens":0}`} {
			for way, answer := range map[string]wiretest.Answer{
				"whole": wiretest.JSON(200, `{"choices":[{"index":0,"message":`+message+`,"finish_reason":"`+reason+`"}]`+usage+`}`),
				"parts": wiretest.Events(`{"choices":[{"index":0,"delta":`+message+`}]}`,
					`{"choices":[{"index":0,"delta":{},"finish_reason":"`+reason+`"}]`+usage+`}`, "[DONE]"),
			} {
				s := wiretest.Serve(t, wiretest.Answer(answer))
				program := &compiled.Program{
					Name: "p", Entry: "a", Openers: map[string]model.Opener{"openai": openai.Open}, HasModels: true,
					Models: []compiled.Role{{Role: "default", Name: "openai:m", BaseURL: s.URL}},
					Agents: []compiled.Agent{{Name: "a", Model: choice, Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
						defer fx.Limit("a", "", &runtime.Budget{Tokens: 50})()

						return run(fx, input)
					}}},
				}
				config := core.Config{Env: env("OPENAI_API_KEY", secret)}
				if way == "parts" {
					config.Observer = &told{}
				}
				_, err := core.New(config).Run(t.Context(), program, "a", "the task")
				var spent *runtime.BudgetError
				if !errors.As(err, &spent) || spent.Max != 50 {
					t.Errorf("%s, %s, %q: %v", name, way, usage, err)
				}
			}
		}
	}
}
