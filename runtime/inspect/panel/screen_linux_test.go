package panel

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/testing/ptytest"
)

// caller is a program of one agent that calls a function.
type caller struct {
	call func(ctx context.Context) error
}

func (c caller) Program() *compiled.Program {
	return &compiled.Program{Name: "caller", Entry: "caller", Shape: "s", Text: "t", Agents: []compiled.Agent{{
		Name: "caller", Pattern: "oneshot",
		Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			fx.Note(event.Event{Kind: event.Enter, Machine: "caller", State: "call\x1b[2J", Visit: 1})
			_, err := fx.Call(runtime.FuncCall{Name: "lookup", Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage("1"), c.call(ctx)
			}})
			return runtime.Finish{Key: "done", Value: input}, err
		},
	}}}
}

// shows waits until a person sees a text.
func (e *emulator) shows(t *testing.T, text string) {
	t.Helper()
	for range 1000 {
		if strings.Contains(e.screen(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the terminal never shows %q:\n%s", text, e.screen())
}

// TestNothingIsLeftOnTheTerminal: however a run ends, the panel is gone, and what stands there are lines.
func TestNothingIsLeftOnTheTerminal(t *testing.T) {
	interrupt := func() error { return syscall.Kill(syscall.Getpid(), syscall.SIGINT) }
	for name, c := range map[string]struct {
		term   string
		panel  bool
		do     func(seen *emulator) error
		screen string
		code   int
	}{
		"done": {"xterm", true, func(*emulator) error { return nil }, "caller: callU+001B[2J\n", cli.Done},
		"dumb": {"dumb", false, func(*emulator) error { return nil }, "caller: callU+001B[2J\n", cli.Done},
		"a panic": {
			"xterm", true, func(*emulator) error { panic("boom") },
			"caller: callU+001B[2J\ncaller: function lookup panicked: boom\n", cli.Problem,
		},
		"an interrupt": {
			"xterm", true, func(seen *emulator) error { err := interrupt(); seen.shows(t, "stopping"); return err },
			"caller: callU+001B[2J\ncaller: interrupted: stopping at the next safe point (interrupt again to stop at once)\n", cli.Done,
		},
		"somebody else's line": {
			"xterm", true, nil, "caller: callU+001B[2J\nlogged by a tool\n", cli.Done,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TERM", c.term)
			t.Chdir(t.TempDir())
			person, program := ptytest.Open(t)
			seen := newEmulator(200, 60, true)
			go func() { _, _ = io.Copy(seen, person) }()
			called := caller{func(context.Context) error {
				if c.panel {
					seen.shows(t, "  lookup  function 0:00")
				}
				if c.do == nil {
					_, err := program.WriteString("logged by a tool\n")
					return err
				}
				return c.do(seen)
			}}
			var out strings.Builder
			code := app.Options{}.Run(called, []string{"run", "--store", "none", "--color", "never", "task"}, strings.NewReader(""), &out, program)
			_, _ = program.WriteString("\a")
			seen.await(1)
			screen := seen.screen()
			if name == "a panic" { // the stack stands below
				screen, _, _ = strings.Cut(screen, "goroutine ")
			}
			if code != c.code || screen != c.screen || len(seen.faults) > 0 {
				t.Errorf("exit code %d, want %d; faults %v; the screen is\n%swant\n%s", code, c.code, seen.faults, screen, c.screen)
			}
		})
	}
}

// TestResizes: a signal of the system has the panel drawn anew.
func TestResizes(t *testing.T) {
	changed, forget := watchSize()
	defer forget()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Error("nobody says that the terminal has another size")
	}
}
