package core_test

import (
	"context"
	"encoding/json"
	"errors"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// slowModel is a model that takes some time, whatever its context, and promises to return when that
// ends.
type slowModel struct{ takes time.Duration }

func (m slowModel) Chat(context.Context, model.Request) (model.Reply, error) {
	time.Sleep(m.takes)

	return model.Reply{Text: "hello"}, nil
}

func (slowModel) Interruptible() bool { return true }

var _ runtime.Interruptible = slowModel{}

// slowTools run every tool as slowModel answers.
type slowTools struct{ takes time.Duration }

func (s slowTools) Run(context.Context, runtime.ToolCall) (runtime.ToolResult, bool, error) {
	time.Sleep(s.takes)

	return runtime.ToolResult{Text: "done"}, true, nil
}

func (slowTools) Interruptible() bool { return true }

// TestBrokenPromise: a model and a tool that do not return when they are cancelled, although they
// promise it, hold one run. An event names them, and they hold no other run of the engine.
func TestBrokenPromise(t *testing.T) {
	program := &compiled.Program{Name: "p", Builtins: func(func(string) (string, bool)) (compiled.BuiltinTools, error) {
		return slowTools{time.Hour}, nil
	}}
	for name, call := range map[string]func(runtime.Effects) error{
		"the model of the engine": func(fx runtime.Effects) error {
			_, err := fx.Model(model.Request{Agent: "a"})

			return err
		},
		"tool pay": func(fx runtime.Effects) error {
			_, err := fx.Tool(runtime.ToolCall{
				Tool: &runtime.ToolSpec{Name: "pay", Interruptible: true}, Args: json.RawMessage(`{}`),
				Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
					time.Sleep(time.Hour)

					return runtime.ToolResult{}, nil
				},
			})

			return err
		},
		"function bank.api:pay": func(fx runtime.Effects) error {
			_, err := fx.Call(runtime.FuncCall{
				Name: "bank.api:pay", Interruptible: true,
				Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
					time.Sleep(time.Hour)

					return nil, nil
				},
			})

			return err
		},
		"the built-in tools": func(fx runtime.Effects) error {
			_, err := fx.Tool(runtime.ToolCall{Tool: &runtime.ToolSpec{Name: "fs_read", Builtin: true}, Args: json.RawMessage(`{}`)})

			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &watcher{}
			engine := core.New(core.Config{Model: slowModel{time.Hour}, Observer: w})
			for i, want := range []time.Duration{time.Hour, time.Second} {
				ctx, cancel := context.WithCancelCause(t.Context())
				cause := errors.New("enough")
				fx, err := engine.Effects(ctx, program)
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				time.AfterFunc(time.Second, func() { cancel(cause) })
				if err := call(fx); !errors.Is(err, cause) {
					t.Errorf("%s: run %d: %v", name, i+1, err)
				}
				if took := time.Since(start); took != want {
					t.Errorf("%s: run %d is held for %v, want %v", name, i+1, took, want)
				}
				if err := fx.End(); err != nil {
					t.Error(err)
				}
			}
			var problems []string
			for _, e := range w.events {
				if e.Kind == event.Error && e.Type == "BrokenPromiseError" && e.Address == "1" {
					problems = append(problems, e.Problem)
				}
			}
			if len(problems) != 1 || !strings.HasPrefix(problems[0], name+" promises to return") {
				t.Errorf("%s: the events are %q", name, problems)
			}
			time.Sleep(2 * time.Hour) // what was abandoned ends
		})
	}
}

// TestEndLeavesNoGoroutine: the goroutines of a run end with it.
func TestEndLeavesNoGoroutine(t *testing.T) {
	engine := core.New(core.Config{Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: "hello"}, nil
	})})
	synctest.Test(t, func(t *testing.T) {
		before := goruntime.NumGoroutine()
		fx, err := engine.Effects(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		err = fx.Parallel(3, 0, func(_ int, branch runtime.Effects) error {
			_, err := branch.Model(model.Request{Agent: "a"})

			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fx.Model(model.Request{Agent: "a"}); err != nil {
			t.Fatal(err)
		}
		if err := fx.End(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if after := goruntime.NumGoroutine(); after > before { // one from before may have ended
			t.Errorf("%d goroutines before the run, %d after it", before, after)
		}
	})
}
