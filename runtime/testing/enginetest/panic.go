package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// panics: a panic of a tool is reported to the model, of a model, a function, a guard or a person's
// answer an error of its type, of an agent the run's error.
func panics(t T, make Make) {
	s := Setup{
		// A script cannot panic; it fails instead.
		Script: `{"main":[{"error":"bang"}]}`,
		Model:  func(context.Context, model.Request) (model.Reply, error) { panic("bang") },
		Ask:    func(context.Context, runtime.Question) (runtime.Answer, error) { panic("bang") },
	}
	err := runBody(make, s, func(fx runtime.Effects) error {
		_, err := fx.Model(newRequest(0))
		check(t, err != nil && strings.Contains(err.Error(), "bang"), "Model: %v", err)
		result, err := fx.Tool(newToolCall(func(context.Context) (runtime.ToolResult, error) { panic("bang") }))
		check(t, err == nil && result.Problem != "", "Tool: %+v, %v", result, err)
		_, err = fx.Call(funcCall(func(context.Context) (json.RawMessage, error) { panic("bang") }))
		var panicked *runtime.PanicError
		check(t, errors.As(err, &panicked) && panicked.Value == "bang" && len(panicked.Stack) > 0, "Call: %v", err)
		_, err = fx.Guard(guardCall(func(context.Context) runtime.Verdict { panic("bang") }))
		var guard *runtime.GuardError
		check(t, errors.As(err, &guard) && guard.Guard == "probe" && guard.State == "s", "Guard: %v", err)
		_, err = fx.Ask(question)
		check(t, errors.As(err, &panicked) && panicked.Where != "", "Ask: %v", err)

		panic("at last")
	})
	var panicked *runtime.PanicError
	check(t, errors.As(err, &panicked) && panicked.Value == "at last", "the run: %v", err)
}

// panicInBranch: it is that branch's error; the others are not disturbed.
func panicInBranch(t T, make Make) {
	var ran atomic.Int64
	broken := errors.New("broken")
	err := runBody(make, Setup{}, func(fx runtime.Effects) error {
		return fx.Parallel(3, 0, func(i int, fx runtime.Effects) error {
			return fx.Parallel(3, 0, func(j int, fx runtime.Effects) error {
				ran.Add(1)
				if i == 1 && j == 1 {
					panic("bang")
				}
				if i == 2 {
					return broken
				}

				return nil
			})
		})
	})
	check(t, ran.Load() == 9, "%d of 9 branches ran", ran.Load())
	var panicked *runtime.PanicError
	check(t, errors.As(err, &panicked) && panicked.Value == "bang" && len(panicked.Stack) > 0, "the run: %v", err)
	check(t, errors.Is(err, broken), "the other branches' error is lost: %v", err)
}

// panickingObserver: what happens in an observer changes nothing that the program sees; the run
// reports it at its end.
func panickingObserver(t T, make Make) {
	where := &probe{}
	s := Setup{Observer: watcher(func(event.Event) { panic("bang") })}
	err := runBody(make, s, func(fx runtime.Effects) error {
		fx.Note(event.Event{Kind: event.Enter, Machine: "m", State: "s", Visit: 1})
		_, err := where.callTool(fx)
		check(t, err == nil, "Tool: %v", err)

		return fx.Parallel(2, 0, func(_ int, fx runtime.Effects) error {
			_, err := where.callTool(fx)

			return err
		})
	})
	check(t, slices.Equal(where.sortedAddresses(), []string{"1", "2.0.1", "2.1.1"}), "addresses: %q", where.sortedAddresses())
	var panicked *runtime.PanicError
	check(t, errors.As(err, &panicked) && panicked.Value == "bang", "the run: %v", err)
}
