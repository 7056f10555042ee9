package local_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/local"
)

// listening is a program with a machine outer whose state a runs the machine inner; both have the rules. inside is what the
// agents of the inner machine do.
func listening(rules []runtime.SignalRule, inside func() error) *runtime.Program {
	inner := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		walk := runtime.NewWalk(fx, "inner", 5, input)
		walk.Listen(rules...)
		for _, state := range []string{"x", "y"} {
			walk.Enter(state)
			walk.Did(runtime.Finish{Key: "ok"}, inside())
			if walk.Stopped() {
				break
			}
			walk.Take(walk.Key(), runtime.MatchExact, "y")
		}

		return walk.End()
	}

	return &runtime.Program{Name: "p", Entry: "outer", Agents: []runtime.AgentInfo{{
		Name: "outer", Pattern: "fsm", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			walk := runtime.NewWalk(fx, "outer", 5, input)
			walk.Listen(rules...)
			walk.Enter("a")
			walk.Did(inner(fx, input))
			if walk.Stopped() {
				return walk.End()
			}
			walk.Take(walk.Key(), runtime.MatchExact, "")

			return walk.End()
		},
	}}}
}

func TestSignalsGoToTheInnermostMachine(t *testing.T) {
	rules := []runtime.SignalRule{
		{On: "stop", In: []string{"x"}, Do: runtime.AnswerGracefulStop},
		{On: "alert", In: []string{"a"}, Do: runtime.AnswerFire, Key: "fired"},
		{On: "message", In: []string{"a", "y"}, Do: runtime.AnswerFire, Key: "said"},
		{On: "kill", Do: runtime.AnswerForceStop},
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
		signals := &local.Signals{}
		signals.Route("inner", runtime.SignalRule{On: "agent", Do: runtime.AnswerGracefulStop})
		signals.Route("outer", runtime.SignalRule{On: "agent", Do: runtime.AnswerForceStop})
		signals.Route("", runtime.SignalRule{On: "agent", Do: runtime.AnswerForceStop},
			runtime.SignalRule{On: "host", Do: runtime.AnswerFire, Key: "hosted"},
			runtime.SignalRule{On: "stop", Do: runtime.AnswerForceStop})
		log := &events{}
		sent := false
		p := listening(rules, func() error {
			if !sent {
				sent = true
				if taken := signals.Send(runtime.Signal{Kind: kind}); taken != c.taken {
					t.Errorf("%s: taken is %v", kind, taken)
				}
			}

			return nil
		})
		fin, err := local.New(local.Config{Signals: signals, Observer: log}).Run(t.Context(), p, "", "in")
		if problem := text(err); problem != c.problem {
			t.Errorf("%s: the run ends with %q, want %q", kind, problem, c.problem)
		}
		status := []string{"done", "cancelled"}[min(len(c.problem), 1)]
		if end := log.list[len(log.list)-1]; end.Status != status {
			t.Errorf("%s: the status is %s", kind, end.Status)
		}
		if kind == "host" { // it fired in x and was used up: the inner machine went on with its key
			if !slices.ContainsFunc(log.list, func(e runtime.Event) bool { return e.State == "x" && e.Key == "hosted" }) {
				t.Errorf("host: no row was taken by its key")
			}
		} else if fin.Key != c.key {
			t.Errorf("%s: the key is %q", kind, fin.Key)
		}
		if signals.Send(runtime.Signal{Kind: "kill"}) {
			t.Errorf("%s: somebody listens after the end", kind)
		}
	}
}

type events struct{ list []runtime.Event }

func (l *events) Observe(e runtime.Event) { l.list = append(l.list, e) }

// TestMachinesThatPanicDoNotListen lets a machine in a branch panic; the others go on.
func TestMachinesThatPanicDoNotListen(t *testing.T) {
	signals := &local.Signals{}
	p := &runtime.Program{Name: "p", Entry: "m", Agents: []runtime.AgentInfo{{
		Name: "m", Pattern: "fsm", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			err := fx.Parallel(1, 0, func(_ int, fx runtime.Effects) error {
				walk := runtime.NewWalk(fx, "m", 5, input)
				walk.Listen(runtime.SignalRule{On: "stop", Do: runtime.AnswerGracefulStop})
				walk.Enter("a")
				panic("bang")
			})
			if err == nil || signals.Send(runtime.Signal{Kind: "stop"}) {
				t.Errorf("it listens after %v", err)
			}

			return runtime.Finish{Key: "done"}, nil
		},
	}}}
	if _, err := local.New(local.Config{Signals: signals}).Run(t.Context(), p, "", "in"); err != nil {
		t.Error(err)
	}
}

func TestRuleThatPanics(t *testing.T) {
	signals := &local.Signals{}
	signals.Route("", runtime.SignalRule{On: "odd", Fits: func(runtime.Signal) bool { panic("bang") }, Do: runtime.AnswerContinue})
	p := listening(nil, func() error { signals.Send(runtime.Signal{Kind: "odd"}); return nil })
	_, err := local.New(local.Config{Signals: signals}).Run(t.Context(), p, "", "in")
	var panicked *runtime.PanicError
	if !errors.As(err, &panicked) || panicked.Where != "a rule for signal odd of machine inner" {
		t.Errorf("the run ends with %v", err)
	}
}
