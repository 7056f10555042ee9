package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// TestInterruptOfAMachineWithRules interrupts the agent of a machine's first of three states, as often as said.
func TestInterruptOfAMachineWithRules(t *testing.T) {
	for name, c := range map[string]struct {
		rule   signals.Rule
		times  int
		ran    string // the states
		exits  int
		stderr string
		err    string
	}{
		"graceful": {
			signals.Rule{On: "stop", Do: signals.GracefulStop}, 1, "a", 0, "has a rule for that",
			`the run was cancelled: signal "stop" (graceful-stop) in state "a" of machine "desk"`,
		},
		"force": {
			signals.Rule{On: "stop", Do: signals.ForceStop}, 1, "a", 0, "has a rule for that",
			`the run was cancelled: signal "stop" (force-stop) in state "a" of machine "desk"`,
		},
		"put off": {signals.Rule{On: "stop", Do: signals.Continue}, 1, "abc", 0, "has a rule for that", ""},
		"twice":   {signals.Rule{On: "stop", Do: signals.Continue}, 2, "a", 0, "stopped at once", errInterrupted.Error()},
		"thrice":  {signals.Rule{On: "stop", Do: signals.Continue}, 3, "a", 1, "stopped at once", errInterrupted.Error()},
		"in another state": {
			signals.Rule{On: "stop", In: []string{"b"}, Do: signals.Continue}, 1, "a", 0, "stopping at the next safe point",
			errInterrupted.Error(),
		},
		"another signal": {
			signals.Rule{On: "user-message", Do: signals.Continue}, 1, "a", 0, "stopping at the next safe point",
			errInterrupted.Error(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			exits := 0
			exit = func(int) { exits++ }
			t.Cleanup(func() { exit = os.Exit })
			var out strings.Builder
			call := &cli.Call{
				Env:     &cli.Env{Stderr: &out, Dir: filepath.FromSlash("/"), Getenv: func(string) string { return "" }},
				Program: &cli.Program{Name: "desk"},
			}
			ctx, s := newStop(t.Context())
			t.Cleanup(s.finish)
			shown := progress.New(call, nil)
			ran := ""
			p := threeStates(c.rule, func(state string) {
				if ran += state; state == "a" {
					for range c.times {
						s.interruptRun(call, shown)
					}
				}
			})
			_, err := core.New(core.Config{Signals: s.signals}).Run(ctx, shown.Watch(s.Guard(p)), "", "task")
			if ran != c.ran || exits != c.exits || !strings.Contains(out.String(), c.stderr) {
				t.Errorf("ran %s, %d exits, stderr %q", ran, exits, out.String())
			}
			if err == nil && c.err != "" || err != nil && err.Error() != c.err || err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("the run ends with %v", err)
			}
		})
	}
}

// threeStates is a program with a machine whose agents do nothing but tell where they are.
func threeStates(rule signals.Rule, in func(state string)) *compiled.Program {
	return &compiled.Program{Name: "desk", Entry: "desk", Agents: []compiled.Agent{{
		Name: "desk", Pattern: "fsm", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			m := rt.Flow("desk").Machine(fx, 5, input)
			m.Listen(rule)
			for _, state := range []string{"a", "b", "c"} {
				if !m.Enter(state) {
					break
				}
				in(state)
				m.RecordOutput(runtime.Finish{Key: "ok"}, nil)
				if m.ReceiveSignals() {
					break
				}
				m.RecordTransition(m.Key(), rt.MatchExact, "")
			}

			return m.End()
		},
	}}}
}

// TestARunThatDoesNotHear: the process ends all the same, a while after the second interrupt.
func TestARunThatDoesNotHear(t *testing.T) {
	code := make(chan int, 1)
	exit = func(c int) { code <- c }
	t.Cleanup(func() { exit = os.Exit })
	call := &cli.Call{Env: &cli.Env{Stderr: io.Discard, Getenv: func(string) string { return "" }}, Program: &cli.Program{Name: "desk"}}
	ctx, s := newStop(t.Context())
	s.patience = 0
	p := progress.New(call, nil)
	s.interruptRun(call, p)
	s.interruptRun(call, p)
	if got := <-code; got != cli.Problem || context.Cause(ctx) != errInterrupted {
		t.Errorf("exit code %d, %v", got, context.Cause(ctx))
	}
}
