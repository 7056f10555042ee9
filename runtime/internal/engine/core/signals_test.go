package core_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// listening is a program with a machine outer whose state a runs the machine inner; both have the
// rules. inside is what the agents of the inner machine do.
func listening(rules []signals.Rule, inside func() error) *compiled.Program {
	inner := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		m := rt.Flow("inner").Machine(fx, 5, input)
		m.Listen(rules...)
		for _, state := range []string{"x", "y"} {
			m.Enter(state)
			m.RecordOutput(runtime.Finish{Key: "ok"}, inside())
			if m.ReceiveSignals() {
				break
			}
			m.RecordTransition(m.Key(), rt.MatchExact, "y")
		}

		return m.End()
	}

	return &compiled.Program{Name: "p", Entry: "outer", Agents: []compiled.Agent{{
		Name: "outer", Pattern: "fsm", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			m := rt.Flow("outer").Machine(fx, 5, input)
			m.Listen(rules...)
			m.Enter("a")
			m.RecordOutput(inner(fx, input))
			if m.ReceiveSignals() {
				return m.End()
			}
			m.RecordTransition(m.Key(), rt.MatchExact, "")

			return m.End()
		},
	}}}
}

func TestSignalsGoToTheInnermostMachine(t *testing.T) {
	rules := []signals.Rule{
		{On: "stop", In: []string{"x"}, Do: signals.GracefulStop},
		{On: "alert", In: []string{"a"}, Do: signals.Fire, Key: "fired"},
		{On: "message", In: []string{"a", "y"}, Do: signals.Fire, Key: "said"},
		{On: "kill", Do: signals.ForceStop},
	}
	for kind, c := range map[string]struct {
		key, problem string
		taken        bool
	}{
		"stop":    {"", `the run was cancelled: signal "stop" (graceful-stop) in state "x" of machine "inner"`, true},
		"kill":    {"", `the run was cancelled: signal "kill" (force-stop) in state "x" of machine "inner"`, true},
		"alert":   {"fired", "", true}, // the inner machine has no rule for it
		"message": {"said", "", true},  // sent in x, taken by the machine that has a rule first, in y
		"agent":   {"", `the run was cancelled: signal "agent" (graceful-stop) in state "x" of machine "inner"`, true},
		"host":    {"hosted", "", true},
		"unknown": {"ok", "", false},
	} {
		sent := &signaling.Signals{}
		sent.Route("inner", signals.Rule{On: "agent", Do: signals.GracefulStop})
		sent.Route("outer", signals.Rule{On: "agent", Do: signals.ForceStop})
		sent.Route("", signals.Rule{On: "agent", Do: signals.ForceStop},
			signals.Rule{On: "host", Do: signals.Fire, Key: "hosted"},
			signals.Rule{On: "stop", Do: signals.ForceStop})
		log := &events{}
		once := false
		p := listening(rules, func() error {
			if !once {
				once = true
				if taken := sent.Send(signals.Signal{Kind: kind}); taken != c.taken {
					t.Errorf("%s: taken is %v", kind, taken)
				}
			}

			return nil
		})
		fin, err := core.New(core.Config{Signals: sent, Observer: log}).Run(t.Context(), p, "", "in")
		if problem := text(err); problem != c.problem {
			t.Errorf("%s: the run ends with %q, want %q", kind, problem, c.problem)
		}
		status := []string{"done", "cancelled"}[min(len(c.problem), 1)]
		if end := log.list[len(log.list)-1]; end.Status != status {
			t.Errorf("%s: the status is %s", kind, end.Status)
		}
		if kind == "host" { // it fired in x and was used up: the inner machine went on with its key
			if !slices.ContainsFunc(log.list, func(e event.Event) bool { return e.State == "x" && e.Key == "hosted" }) {
				t.Errorf("host: no row was taken by its key")
			}
		} else if fin.Key != c.key {
			t.Errorf("%s: the key is %q", kind, fin.Key)
		}
		if sent.Send(signals.Signal{Kind: "kill"}) {
			t.Errorf("%s: somebody listens after the end", kind)
		}
	}
}

type events struct{ list []event.Event }

func (l *events) Observe(e event.Event) { l.list = append(l.list, e) }

// TestMachinesThatPanicDoNotListen lets a machine in a branch panic; the others go on.
func TestMachinesThatPanicDoNotListen(t *testing.T) {
	sent := &signaling.Signals{}
	p := &compiled.Program{Name: "p", Entry: "m", Agents: []compiled.Agent{{
		Name: "m", Pattern: "fsm", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			err := fx.Parallel(1, 0, func(_ int, fx runtime.Effects) error {
				m := rt.Flow("m").Machine(fx, 5, input)
				m.Listen(signals.Rule{On: "stop", Do: signals.GracefulStop})
				m.Enter("a")
				panic("bang")
			})
			if err == nil || sent.Send(signals.Signal{Kind: "stop"}) {
				t.Errorf("it listens after %v", err)
			}

			return runtime.Finish{Key: "done"}, nil
		},
	}}}
	if _, err := core.New(core.Config{Signals: sent}).Run(t.Context(), p, "", "in"); err != nil {
		t.Error(err)
	}
}

func TestRuleThatPanics(t *testing.T) {
	sent := &signaling.Signals{}
	sent.Route("", signals.Rule{On: "odd", Fits: func(signals.Signal) bool { panic("bang") }, Do: signals.Continue})
	p := listening(nil, func() error { sent.Send(signals.Signal{Kind: "odd"}); return nil })
	_, err := core.New(core.Config{Signals: sent}).Run(t.Context(), p, "", "in")
	var panicked *runtime.PanicError
	if !errors.As(err, &panicked) || panicked.Where != "a rule for signal odd of machine inner" {
		t.Errorf("the run ends with %v", err)
	}
}
