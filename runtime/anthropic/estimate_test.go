package anthropic_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

type unseen struct{}

func (unseen) Observe(event.Event) {}

// TestBudgetWithoutUsage: a budget of tokens ends a run whose server reports no usage, whole and in
// parts.
func TestBudgetWithoutUsage(t *testing.T) {
	choice := &model.Choice{Role: "default"}
	react := &rt.ReactSpec{Agent: "a", Model: choice, Prompt: "Work.", MaxIter: 12, Repair: 2, Keys: []string{"good"}}
	oneshot := &rt.OneshotSpec{Agent: "a", Model: choice, Prompt: "Work.", Repair: 9, Output: &rt.OutputSpec{
		Schema: `{"type":"object"}`, Check: func(json.RawMessage) error { return errors.New("it is no object") },
	}}
	const begin = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[]}}`
	for _, c := range []struct {
		name, block, reason string
		run                 func(fx runtime.Effects, input string) (runtime.Finish, error)
	}{
		{"react", `{"type":"tool_use","id":"c","name":"start","input":{}}`, "tool_use",
			func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return react.Run(fx, nil, input, rt.Place{})
			}},
		{"oneshot", `{"type":"text","text":"x"}`, "end_turn", oneshot.Run},
	} {
		for way, answer := range map[string]wiretest.Answer{
			"whole": wiretest.JSON(200, `{"id":"m","type":"message","role":"assistant","model":"m","content":[`+c.block+`],"stop_reason":"`+c.reason+`"}`),
			"parts": wiretest.Events(begin, `{"type":"content_block_start","index":0,"content_block":`+c.block+`}`,
				`{"type":"content_block_stop","index":0}`, `{"type":"message_delta","delta":{"stop_reason":"`+c.reason+`"}}`,
				`{"type":"message_stop"}`),
		} {
			s := wiretest.Serve(t, answer)
			program := &compiled.Program{
				Name: "p", Entry: "a", Openers: map[string]model.Opener{"anthropic": anthropic.Open}, HasModels: true,
				Models: []compiled.Role{{Role: "default", Name: "anthropic:m", BaseURL: s.URL}},
				Agents: []compiled.Agent{{Name: "a", Model: choice, Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
					defer fx.Limit("a", "", &runtime.Budget{Tokens: 50})()

					return c.run(fx, input)
				}}},
			}
			_, err := core.New(core.Config{Env: env("ANTHROPIC_API_KEY", secret), Observer: unseen{}}).Run(t.Context(), program, "a", "the task")
			var spent *runtime.BudgetError
			if !errors.As(err, &spent) || spent.Max != 50 {
				t.Errorf("%s, %s: %v", c.name, way, err)
			}
		}
	}
}
