package core_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// silent is a model whose server counts no tokens.
type silent struct{ turns int }

func (s *silent) Chat(context.Context, model.Request) (model.Reply, error) {
	s.turns++

	return model.Reply{Text: strconv.Itoa(s.turns)}, nil
}

// TestEstimates: where a server reports no usage, all budgets count what is estimated, events and
// journals say that it is, and a resumed run counts the same.
func TestEstimates(t *testing.T) {
	for _, b := range []runtime.Budget{
		{Tokens: 20}, // a turn is given six bytes, the name of a tool, and answers with one
		{USD: 0.004},
	} {
		for _, isOfRun := range []bool{false, true} {
			program := letters(&b, nil)
			if isOfRun {
				program = letters(nil, &b)
			}
			asked, store, seen := &silent{}, journal.Memory(), &watcher{}
			_, err := budgetEngine(asked, store, clock.NewSkip(time.Unix(1e9, 0)), seen).Run(t.Context(), program, "", "go")
			var spent *runtime.BudgetError
			if !errors.As(err, &spent) || asked.turns != 3 {
				t.Errorf("%+v: %d turns, %v", b, asked.turns, err)
			}
			alerts := 0
			for _, e := range seen.events {
				switch {
				case e.Kind == event.Budget:
					alerts++
				case e.Kind == event.Model && e.Usage != model.Usage{Input: 6, Output: 1, Estimated: true}:
					t.Errorf("event of a turn: %+v", e.Usage)
				case e.Kind == event.End && e.Usage != model.Usage{Input: 18, Output: 3, Estimated: true}:
					t.Errorf("event of the end: %+v", e.Usage)
				}
			}
			if alerts != 1 {
				t.Errorf("%+v: %d alerts", b, alerts)
			}

			_, again := budgetEngine(asked, store, clock.NewSkip(time.Unix(2e9, 0)), seen).
				Resume(t.Context(), program, "r1", core.ResumeOptions{})
			if again == nil || again.Error() != err.Error() || asked.turns != 3 {
				t.Errorf("%+v, resumed: %d turns, %v, first %v", b, asked.turns, again, err)
			}
			checkEstimated(t, store)
		}
	}
}

func checkEstimated(t *testing.T, store journal.Store) {
	t.Helper()
	j, err := journal.Read(t.Context(), store, "r1")
	if err != nil {
		t.Fatal(err)
	}
	totals := trace.Of(j.Records).Totals
	if totals.In != 18 || totals.Out != 3 || !totals.Estimated || totals.Cost == 0 {
		t.Errorf("totals: %+v", totals)
	}
}

// TestCountsStay: what a server has counted stays, and only what it has not counted is estimated.
func TestCountsStay(t *testing.T) {
	for _, c := range []struct{ reported, want model.Usage }{
		{model.Usage{Input: 30, Output: 20}, model.Usage{Input: 30, Output: 20}},
		{model.Usage{Input: 30}, model.Usage{Input: 30, Output: 4, Estimated: true}},
		{model.Usage{Output: 20, Input: -1}, model.Usage{Input: 2, Output: 20, Estimated: true}},
	} {
		seen := &watcher{}
		engine := core.New(core.Config{Observer: seen, Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{Text: "said", Usage: c.reported}, nil
		})})
		_, err := engine.Run(t.Context(), desk(func(fx runtime.Effects, input string) (runtime.Finish, error) {
			_, err := fx.Model(model.Request{Agent: "desk", System: input})

			return runtime.Finish{}, err
		}), "", "go")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range seen.events {
			if e.Kind == event.Model && e.Usage != c.want {
				t.Errorf("%+v: %+v", c.reported, e.Usage)
			}
		}
	}
}

// TestFailedRepliesAreEstimated: a reply that did not end normally was paid, too.
func TestFailedRepliesAreEstimated(t *testing.T) {
	for name, reply := range map[string]model.Reply{
		"a reason": {Text: "said", StopReason: "error"}, "a filter": {Text: "said", StopReason: model.ReasonFilter},
	} {
		seen := &watcher{}
		attempts := 0
		engine := core.New(core.Config{
			Observer: seen, Clock: clock.NewSkip(time.Unix(1e9, 0)), Retry: model.Retry{Attempts: 3},
			Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
				attempts++

				return reply, nil
			}),
		})
		_, err := engine.Run(t.Context(), desk(func(fx runtime.Effects, input string) (runtime.Finish, error) {
			_, err := fx.Model(model.Request{Agent: "desk", System: input})

			return runtime.Finish{}, err
		}), "", "go")
		want := model.Usage{Input: 2 * attempts, Output: 4 * attempts, Estimated: true}
		if last := seen.events[len(seen.events)-1]; err == nil || last.Usage != want {
			t.Errorf("%s: %+v after %d attempts, %v", name, last.Usage, attempts, err)
		}
	}
}
