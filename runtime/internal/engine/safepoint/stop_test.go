package safepoint_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/safepoint"
)

var errClosing = errors.New("closing")

// program is one agent that works through the door as the test says.
func program(run func(fx runtime.Effects) error) *compiled.Program {
	agent := func(fx runtime.Effects, _ string) (runtime.Finish, error) { return runtime.Finish{}, run(fx) }

	return &compiled.Program{Name: "p", Entry: "a", Agents: []compiled.Agent{
		{Name: "a", Run: agent, Context: &compiled.Context{
			Check: func(json.RawMessage) error { return nil },
			Run: func(fx runtime.Effects, input string, _ json.RawMessage) (runtime.Finish, error) {
				return agent(fx, input)
			},
		}},
		{Name: "driven"},
	}}
}

// work is an effect that says when it has begun, and ends when it may.
func work(began chan<- struct{}, may <-chan struct{}, done *bool) runtime.FuncCall {
	return runtime.FuncCall{Name: "work", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		began <- struct{}{}
		<-may
		*done = true

		return json.RawMessage("1"), nil
	}}
}

// The effects that are under way end, in all branches, and none begins after the end was asked for.
func TestEffectsEnd(t *testing.T) {
	for _, start := range []string{"plain", "context"} {
		began, may := make(chan struct{}, 2), make(chan struct{})
		var done [2]bool
		var after int
		p := program(func(fx runtime.Effects) error {
			return fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
				if _, err := fx.Call(work(began, may, &done[i])); err != nil {
					return err
				}
				_, err := fx.Call(runtime.FuncCall{Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
					after++
					return nil, nil
				}})
				return err
			})
		})
		ctx, stop := safepoint.New(t.Context())
		guarded := stop.Guard(p)
		if start == "context" {
			var err error
			if guarded, err = guarded.WithContext("a", json.RawMessage("{}")); err != nil {
				t.Fatal(err)
			}
		}
		ended := make(chan error, 1)
		go func() {
			_, err := core.New(core.Config{}).Run(ctx, guarded, "a", "")
			ended <- err
		}()
		<-began
		<-began
		stop.Request(errClosing)
		stop.Request(errors.New("another"))
		if ctx.Err() != nil {
			t.Errorf("%s: the run is cancelled while effects are under way", start)
		}
		may <- struct{}{}
		may <- struct{}{}
		if err := <-ended; !errors.Is(err, errClosing) || !done[0] || !done[1] || after != 0 {
			t.Errorf("%s: the run ended with %v; done %v, %d effects after", start, err, done, after)
		}
	}
}

// A run that only waits is ended at once; so is any by Now.
func TestWaitingEnds(t *testing.T) {
	began := make(chan struct{}, 1)
	for name, test := range map[string]struct {
		effect func(fx runtime.Effects) error
		end    func(*safepoint.Stop)
	}{
		"sleep": {func(fx runtime.Effects) error {
			began <- struct{}{}
			return fx.Sleep(time.Hour)
		}, func(s *safepoint.Stop) { s.Request(errClosing) }},
		"ask": {func(fx runtime.Effects) error {
			_, err := fx.Ask(runtime.Question{ID: "q"})
			return err
		}, func(s *safepoint.Stop) { s.Request(errClosing) }},
		"now": {func(fx runtime.Effects) error {
			_, err := fx.Call(work(began, make(chan struct{}), new(bool)))
			return err
		}, func(s *safepoint.Stop) { s.Now(errClosing) }},
	} {
		ctx, stop := safepoint.New(t.Context())
		asker := askerFunc(func(ctx context.Context, _ runtime.Question) (runtime.Answer, error) {
			began <- struct{}{}
			<-ctx.Done()
			return runtime.Answer{}, ctx.Err()
		})
		ended := make(chan error, 1)
		go func() {
			_, err := core.New(core.Config{Asker: asker}).Run(ctx, stop.Guard(program(test.effect)), "", "")
			ended <- err
		}()
		<-began
		test.end(stop)
		if err := <-ended; !errors.Is(err, errClosing) {
			t.Errorf("%s: the run ended with %v", name, err)
		}
	}
}

type askerFunc func(context.Context, runtime.Question) (runtime.Answer, error)

func (f askerFunc) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	return f(ctx, q)
}
