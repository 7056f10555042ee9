package core_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// pair is a program whose two branches run machines of one name side by side. Each machine asks a
// model, and its rules say that late fires gone and that kill stops at once; the run's value are
// the keys that come out.
func pair() *compiled.Program {
	machine := func(fx runtime.Effects, input string) (string, error) {
		m := rt.Flow("m").Machine(fx, 5, input)
		m.Listen(signals.Rule{On: "late", Do: signals.Fire, Key: "gone"},
			signals.Rule{On: "kill", Do: signals.ForceStop})
		m.Enter("a")
		reply, err := fx.Model(model.Request{Agent: "asker", Input: input})
		m.RecordOutput(runtime.Finish{Key: "ok", Value: reply.Text}, err)
		m.ReceiveSignals()
		fin, err := m.End()

		return fin.Key, err
	}

	return &compiled.Program{Name: "p", Entry: "pair", Agents: []compiled.Agent{
		{Name: "asker", Pattern: "oneshot", Model: &model.Choice{}},
		{Name: "pair", Pattern: "parallel", Contains: []string{"asker"},
			Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				keys := make([]string, 2)
				err := fx.Parallel(len(keys), 0, func(i int, fx runtime.Effects) (err error) {
					keys[i], err = machine(fx, input)

					return err
				})

				return runtime.Finish{Key: "done", Value: strings.Join(keys, " ")}, err
			}},
	}}
}

// TestSignalsOfScripts: a signal that stands in a script reaches the machine around the agent whose
// turn it is, and none beside it, though nobody else sends signals to the engine.
func TestSignalsOfScripts(t *testing.T) {
	for script, want := range map[string]string{
		`{"asker@0": [{"say": "one", "signal": "late"}], "asker@1": [{"say": "two"}]}`:                           "gone ok",
		`{"asker@0": [{"say": "one"}], "asker@1": [{"say": "two", "signal": [{"kind": "late", "value": "v"}]}]}`: "ok gone",
		`{"asker": [{"error": {"status": 500}, "signal": "late"}, {"say": "one"}]}`:                              "gone gone",
		`{"asker": [{"say": "one"}]}`: "ok ok",
	} {
		for range 20 { // whichever branch is the faster one
			fin, err := core.New(core.Config{Script: script}).Run(t.Context(), pair(), "", "in")
			if err != nil || fin.Value != want {
				t.Fatalf("%s: %s, %v, want %s", script, fin.Value, err, want)
			}
		}
	}
}

// TestSignalsOfScriptsThatEnd: one that nobody has a rule for is a mistake of the script, and one
// that says to stop at once ends the run.
func TestSignalsOfScriptsThatEnd(t *testing.T) {
	run := func(script string) error {
		_, err := core.New(core.Config{Script: script}).Run(t.Context(), pair(), "", "in")

		return err
	}
	var faulty *runtime.ScriptError
	err := run(`{"asker": [{"say": "one", "signal": ["late", "noise"]}]}`)
	if !errors.As(err, &faulty) || faulty.Turn != 1 || !strings.Contains(faulty.Problem, `signal "noise": no machine or gate around`) {
		t.Errorf("noise: %v", err)
	}
	var cancelled *runtime.CancelledError
	err = run(`{"asker@0": [{"say": "one", "signal": "kill"}], "asker@1": [{"say": "two"}]}`)
	if !errors.As(err, &cancelled) || !strings.Contains(cancelled.Reason, `signal "kill" (force-stop)`) {
		t.Errorf("kill: %v", err)
	}
}
