package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// guardedProgram is a program with a machine of one state, whose one row asks a guard.
func guardedProgram(guards rt.NamedGuards) *compiled.Program {
	return &compiled.Program{Name: "m", Entry: "m", Guards: []string{"g"}, Agents: []compiled.Agent{{
		Name: "m", Pattern: "fsm", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			m := rt.Flow("m").Machine(fx, 5, input)
			judge := rt.Judge{Machine: "m", Input: input, Call: fx.Guard, Guards: guards}
			m.Enter("s")
			m.RecordOutput(runtime.Finish{Key: "k", Value: "v"}, nil)
			judge.Begin(0, "s", "k", m.Value())
			if !judge.Ask("g") {
				return m.RejectByGuards(&judge, []string{"k"})
			}
			m.RecordJudgedTransition(&judge, rt.MatchExact, "")

			return m.End()
		},
	}}}
}

type guardFunc = func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error)

func named(g guardFunc) rt.NamedGuards {
	return func(_ context.Context, _ string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
		return g(in)
	}
}

func TestGuardsThatFail(t *testing.T) {
	fault := errors.New("no network")
	for name, c := range map[string]struct {
		guards rt.NamedGuards
		is     error
	}{
		"an error": {named(func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) { return runtime.Yes(), fault }), fault},
		"a panic":  {named(func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) { panic(fault) }), fault},
		"nobody has written": {named(func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
			return runtime.Verdict{}, runtime.ErrNotImplemented
		}), runtime.ErrNotImplemented},
		"no guards were given": {nil, nil},
	} {
		_, err := core.New(core.Config{}).Run(t.Context(), guardedProgram(c.guards), "m", "in")
		var failed *runtime.GuardError
		if !errors.As(err, &failed) || failed.Guard != "g" || failed.State != "s" || failed.Key != "k" {
			t.Errorf("%s: %v", name, err)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v is not %v", name, err, c.is)
		}
	}
}

// TestGuardsOfManyRuns asks one guard from many runs at once; each is told of its own.
func TestGuardsOfManyRuns(t *testing.T) {
	p := guardedProgram(named(func(in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
		if in.Input == "stop" {
			return runtime.No("it was told to stop"), nil
		}

		return runtime.Yes(), nil
	}))
	engine := core.New(core.Config{})
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			input := []string{"go", "stop"}[i%2]
			fin, err := engine.Run(t.Context(), p, "m", input)
			var rejected *runtime.GuardRejectedError
			switch {
			case input == "go" && (err != nil || fin.Key != "k"):
				t.Errorf("go: %+v, %v", fin, err)
			case input == "stop" && (!errors.As(err, &rejected) || rejected.Guards[0].Reason != "it was told to stop"):
				t.Errorf("stop: %v", err)
			}
		})
	}
	all.Wait()
}
