package rt_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// replies is a door whose model gives these replies, and keeps the last message of each request.
func replies(t *testing.T, all ...model.Reply) (fx runtime.Effects, heard *[]string) {
	t.Helper()
	heard = &[]string{}
	llm := func(_ context.Context, r model.Request) (model.Reply, error) {
		*heard = append(*heard, r.Messages[len(r.Messages)-1].Text)

		return all[len(*heard)-1], nil
	}
	fx, err := core.New(core.Config{Model: model.ProviderFunc(llm)}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}

	return fx, heard
}

// TestWhatIsCutOffIsNoResult: text that has no end is asked for again, whoever says it, and is an
// error in the end; however much it looks like a result.
func TestWhatIsCutOffIsNoResult(t *testing.T) {
	number := &rt.OutputSpec{Schema: `{"type":"number"}`, Check: checkNumber}
	list := &rt.ListSpec{Max: 3}
	oneshot := func(spec rt.OneshotSpec) func(runtime.Effects) (runtime.Finish, error) {
		spec.Agent, spec.Repair = "a", 1

		return func(fx runtime.Effects) (runtime.Finish, error) { return spec.Run(fx, "go") }
	}
	react := func(at rt.Place) func(runtime.Effects) (runtime.Finish, error) {
		spec := rt.ReactSpec{Agent: "a", MaxIter: 5, Repair: 1}

		return func(fx runtime.Effects) (runtime.Finish, error) { return spec.Run(fx, nil, "go", at) }
	}
	finish := model.ToolCall{ID: "1", Name: "finish", Args: `{"key":"done","value":"42"}`}
	for name, c := range map[string]struct {
		run   func(runtime.Effects) (runtime.Finish, error)
		whole model.Reply
	}{
		"oneshot":             {oneshot(rt.OneshotSpec{}), model.Reply{Text: "42"}},
		"oneshot with output": {oneshot(rt.OneshotSpec{Output: number}), model.Reply{Text: "42"}},
		"oneshot with a list": {oneshot(rt.OneshotSpec{List: list}), model.Reply{Text: `[42]`}},
		"react, text is fine": {react(rt.Place{}), model.Reply{Text: "42", StopReason: model.ReasonStop}},
		"react with keys":     {react(rt.Closed("m", "s", "done", "again")), model.Reply{Calls: []model.ToolCall{finish}}},
	} {
		for _, reason := range []string{model.ReasonLength, model.ReasonPause} {
			for _, text := range []string{"4", " "} {
				cut := model.Reply{Text: text, StopReason: reason, Carry: "thought"}
				fx, heard := replies(t, cut, c.whole)
				fin, err := c.run(fx)
				if err != nil || !strings.Contains(fin.Value, "42") {
					t.Errorf("%s, %s: %+v, %v", name, reason, fin, err)
				}
				told := (*heard)[1]
				if !strings.Contains(told, "not complete") || strings.Contains(told, "Be shorter.") != (reason == model.ReasonLength) {
					t.Errorf("%s, %s: the model is told %q", name, reason, told)
				}

				fx, heard = replies(t, cut, cut)
				_, err = c.run(fx)
				var unfit *runtime.OutputError
				if !errors.As(err, &unfit) || !strings.Contains(unfit.Problem, "not complete") || len(*heard) != 2 {
					t.Errorf("%s, %s: after %d turns: %v", name, reason, len(*heard), err)
				}
			}
		}
	}
}

// TestCallsOfACutTurnDoNotCount: a turn that was cut off is asked for again. Neither its finish nor
// its other calls count, however complete they look.
func TestCallsOfACutTurnDoNotCount(t *testing.T) {
	whole := model.Reply{Calls: []model.ToolCall{{ID: "2", Name: "finish", Args: `{"key":"done","value":"42"}`}}, StopReason: model.ReasonCalls}
	for name, call := range map[string]model.ToolCall{
		"half a finish":  {ID: "1", Name: "finish", Args: `{"key":"done","value":"4`},
		"a whole finish": {ID: "1", Name: "finish", Args: `{"key":"done","value":"4"}`},
		"a tool":         {ID: "1", Name: "start", Args: `{}`},
	} {
		for _, reason := range []string{model.ReasonLength, model.ReasonPause} {
			cut := model.Reply{Calls: []model.ToolCall{call}, StopReason: reason}
			spec := &rt.ReactSpec{Agent: "a", MaxIter: 3, Repair: 1}
			fx, heard := replies(t, cut, whole)
			fin, err := spec.Run(fx, nil, "go", rt.Place{})
			if err != nil || fin.Value != "42" {
				t.Errorf("%s, %s: %+v, %v", name, reason, fin, err)
			}
			for _, part := range []string{"not complete", "none of its calls was executed", "Call again the tools"} {
				if !strings.Contains((*heard)[1], part) {
					t.Errorf("%s, %s: the model reads %q, without %q", name, reason, (*heard)[1], part)
				}
			}

			fx, heard = replies(t, cut, cut)
			_, err = spec.Run(fx, nil, "go", rt.Place{})
			var unfit *runtime.OutputError
			if !errors.As(err, &unfit) || !strings.Contains(unfit.Problem, "not complete") || len(*heard) != 2 {
				t.Errorf("%s, %s: after %d turns: %v", name, reason, len(*heard), err)
			}
		}
	}
}
