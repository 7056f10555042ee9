package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// letters is a program that asks its model five times under a budget of its own, and waits for a
// second after each.
func letters(b, run *runtime.Budget) *compiled.Program {
	p := desk(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		if b != nil {
			defer fx.Limit("desk", "", b)()
		}
		var texts []string
		for i := range 5 {
			reply, err := fx.Model(model.Request{Agent: "desk", Turn: i, Tools: []model.Tool{{Name: "finish"}}})
			if err != nil {
				return runtime.Finish{}, err
			}
			texts = append(texts, reply.Text)
			if err := fx.Sleep(time.Second); err != nil {
				return runtime.Finish{}, err
			}
		}

		return said(strings.Join(texts, " "))
	})
	p.Budget = run

	return p
}

// numbered is a model that numbers its turns, each of which costs 50 tokens and a cent, and
// remembers what it was told of budgets.
type numbered struct {
	turns int
	told  []string
}

func (n *numbered) Chat(_ context.Context, request model.Request) (model.Reply, error) {
	n.turns++
	for _, m := range request.Messages {
		n.told = append(n.told, fmt.Sprint(n.turns, ": ", m.Text))
	}

	return model.Reply{Text: fmt.Sprint(n.turns), Usage: model.Usage{Input: 30, Output: 20}}, nil
}

func budgetEngine(model model.Provider, store journal.Store, clock clock.Clock, told event.Observer) *core.Engine {
	return core.New(core.Config{
		Model: model, Store: store, Clock: clock, Observer: told, RunID: func() string { return "r1" },
		Price: func(string) (pricing.Price, bool) {
			return pricing.Price{Input: 200_000_000, Output: 200_000_000}, true
		},
	})
}

// TestSpentBeforeCounts: a run that ended because a budget was used up ends so again when it is
// resumed, without another turn, and goes on under a higher one, where what was spent before
// counts. Whose budget it is makes no difference, nor what it limits.
func TestSpentBeforeCounts(t *testing.T) {
	for _, c := range []struct {
		small, large runtime.Budget
		first, more  int // turns in the first process, and under the larger budget
		want         string
	}{
		{runtime.Budget{Calls: 2}, runtime.Budget{Calls: 4}, 2, 2, "has spent 4 calls of at most 4 calls"},
		{runtime.Budget{Tokens: 150}, runtime.Budget{Tokens: 151}, 3, 1, "has spent 200 tokens of at most 151 tokens"},
		{runtime.Budget{USD: 0.02}, runtime.Budget{USD: 0.03}, 2, 1, "has spent $0.03 of at most $0.03"},
		{runtime.Budget{Time: 2500 * time.Millisecond}, runtime.Budget{Time: 4 * time.Second}, 3, 1, "has worked 4s of at most 4s"},
		{runtime.Budget{Calls: 2}, runtime.Budget{Calls: 5}, 2, 3, ""},
	} {
		for _, whole := range []bool{false, true} {
			program := func(b runtime.Budget) *compiled.Program {
				if whole {
					return letters(nil, &b)
				}

				return letters(&b, nil)
			}
			model, store, clock := &numbered{}, journal.Memory(), clock.NewSkip(time.Unix(1e9, 0))
			_, err := budgetEngine(model, store, clock, nil).Run(t.Context(), program(c.small), "", "go")
			var spent *runtime.BudgetError
			if !errors.As(err, &spent) || model.turns != c.first {
				t.Fatalf("%+v: %d turns, %v", c.small, model.turns, err)
			}
			clock.Sleep(t.Context(), 1000*time.Hour) // nobody has the run
			_, again := budgetEngine(model, store, clock, nil).Resume(t.Context(), program(c.small), "r1", core.ResumeOptions{})
			if !errors.As(again, &spent) || model.turns != c.first {
				t.Errorf("%+v again: %d turns, %v", c.small, model.turns, again)
			}
			fin, err := budgetEngine(model, store, clock, nil).Resume(t.Context(), program(c.large), "r1", core.ResumeOptions{})
			if c.want == "" {
				if err != nil || fin.Value != "1 2 3 4 5" {
					t.Errorf("%+v: %v, %v", c.large, fin, err)
				}
			} else if err == nil || !strings.HasSuffix(err.Error(), c.want) || model.turns != c.first+c.more {
				t.Errorf("%+v: %d turns, %v", c.large, model.turns, err)
			}
		}
	}
}

// TestAlertsOfEarlierProcesses: at every place where a run may be interrupted it comes to the same
// turns as one that was not, and nobody is told twice that the budget is nearly used up.
func TestAlertsOfEarlierProcesses(t *testing.T) {
	budget := &runtime.Budget{Calls: 6, Tokens: 240}
	whole, told := &numbered{}, &watcher{}
	fin, err := budgetEngine(whole, journal.Memory(), clock.NewSkip(time.Unix(1e9, 0)), told).
		Run(t.Context(), letters(budget, nil), "", "go")
	if err != nil || len(whole.told) != 1 || strings.Count(told.kinds(), "budget@") != 1 {
		t.Fatalf("%v, told %q, %s", err, whole.told, told.kinds())
	}
	for stop := 1; stop < 10; stop++ {
		model, told, store := &numbered{}, &watcher{}, journal.Memory()
		clock := clock.NewSkip(time.Unix(1e9, 0))
		effects := 0
		ctx, cancel := context.WithCancelCause(t.Context())
		p := letters(budget, nil)
		run := p.Agents[0].Run
		p.Agents[0].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return run(&stopping{Effects: fx, after: stop, count: &effects, stop: cancel}, input)
		}
		if _, err := budgetEngine(model, store, clock, told).Run(ctx, p, "", "go"); err == nil {
			t.Fatalf("after %d effects: the run was not interrupted", stop)
		}
		got, err := budgetEngine(model, store, clock, told).Resume(t.Context(), letters(budget, nil), "r1", core.ResumeOptions{})
		if err != nil || got != fin {
			t.Errorf("after %d effects: %v, %v", stop, got, err)
		}
		if strings.Join(model.told, "") != strings.Join(whole.told, "") || strings.Count(told.kinds(), "budget@") != 1 {
			t.Errorf("after %d effects: told %q, %s", stop, model.told, told.kinds())
		}
	}
}

// stopping is a door behind which a run is cancelled after some effects.
type stopping struct {
	runtime.Effects
	after int
	count *int
	stop  context.CancelCauseFunc
}

func (s *stopping) did() {
	if *s.count++; *s.count == s.after {
		s.stop(errors.New("the plug is pulled"))
	}
}

func (s *stopping) Model(r model.Request) (model.Reply, error) {
	defer s.did()

	return s.Effects.Model(r)
}

func (s *stopping) Sleep(d time.Duration) error {
	defer s.did()

	return s.Effects.Sleep(d)
}

// TestOverdueIsUnknown: what time has ended while it was under way is not done again without
// asking, under a larger budget either.
func TestOverdueIsUnknown(t *testing.T) {
	store, clock := journal.Memory(), clock.NewSkip(time.Unix(1e9, 0))
	paid := 0
	program := func(b runtime.Budget) *compiled.Program {
		return desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			defer fx.Limit("desk", "", &b)()
			call := takes(clock, time.Hour)
			run := call.Run
			call.Tool = &runtime.ToolSpec{Name: "pay", Effect: runtime.EffectExternal, OnUnknown: "fail"}
			call.Run = func(ctx context.Context, args json.RawMessage) (runtime.ToolResult, error) {
				paid++

				return run(ctx, args)
			}
			result, err := fx.Tool(call)

			return runtime.Finish{Value: result.Text}, err
		})
	}
	_, err := budgetEngine(&numbered{}, store, clock, nil).Run(t.Context(), program(runtime.Budget{Time: time.Minute}), "", "go")
	wantError(t, err, `agent "desk" has worked 1m0s of at most 1m0s`)
	_, err = budgetEngine(&numbered{}, store, clock, nil).
		Resume(t.Context(), program(runtime.Budget{Time: 9 * time.Hour}), "r1", core.ResumeOptions{})
	var unknown *core.UnknownOutcomeError
	if !errors.As(err, &unknown) || paid != 1 {
		t.Errorf("paid %d times, %v", paid, err)
	}
}

// A turn that a spent budget has refused was not played: under a budget that was raised the same
// script goes on with it.
func TestScriptsGoOnUnderARaisedBudget(t *testing.T) {
	under := func(calls int) *compiled.Program {
		return desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			defer fx.Limit("desk", "", &runtime.Budget{Calls: calls})()
			var all []string
			for turn := range 3 {
				reply, err := fx.Model(model.Request{Agent: "desk", Turn: turn})
				if err != nil {
					return runtime.Finish{}, err
				}
				all = append(all, reply.Text)
			}

			return said(strings.Join(all, " "))
		})
	}
	store, seen := journal.Memory(), &watcher{}
	scripted := func(c *core.Config) {
		c.Model, c.Partial, c.Observer = nil, true, seen
		c.Script = `{"desk":[{"say":"m1"},{"say":"m2"},{"say":"m3"}]}`
	}
	_, err := with(newWorld(), store, scripted).Run(t.Context(), under(2), "", "")
	if spent := (*runtime.BudgetError)(nil); !errors.As(err, &spent) {
		t.Fatal(err)
	}
	told := len(seen.events)
	fin, err := with(newWorld(), store, scripted).Resume(t.Context(), under(3), "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "m1 m2 m3" {
		t.Errorf("%v %v", fin, err)
	}
	for _, e := range seen.events[told:] {
		if e.Kind == event.Model && e.Problem != "" {
			t.Errorf("it is told of a model that was not asked: %+v", e)
		}
	}
}
