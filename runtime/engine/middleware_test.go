package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// wrapper is middleware that changes how models are asked.
type wrapper struct {
	runtime.Effects
	ask func(inner runtime.Effects, r model.Request) (model.Reply, error)
}

func (w wrapper) Model(r model.Request) (model.Reply, error) { return w.ask(w.Effects, r) }

func wrapped(ask func(inner runtime.Effects, r model.Request) (model.Reply, error)) func(runtime.Effects) runtime.Effects {
	return func(fx runtime.Effects) runtime.Effects { return wrapper{fx, ask} }
}

// counting is a model that numbers its replies.
func counting(asked *atomic.Int64) model.Provider {
	return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: fmt.Sprint(asked.Add(1))}, nil
	})
}

// recorded are the options of an engine with a journal for run r, a model that numbers its replies, and middleware.
func recorded(asked *atomic.Int64, middleware ...func(runtime.Effects) runtime.Effects) engine.Options {
	return engine.Options{Model: counting(asked), Store: journal.Memory(), RunID: func() string { return "r" }, Middleware: middleware}
}

// two asks a model twice, the second time in a branch.
var two = programOf(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
	first, err := fx.Model(model.Request{Agent: "a"})
	if err != nil {
		return runtime.Finish{}, err
	}
	var second model.Reply
	err = fx.Parallel(1, 1, func(_ int, fx runtime.Effects) (err error) {
		second, err = fx.Model(model.Request{Agent: "a", Turn: 1})
		return err
	})
	if err != nil {
		return runtime.Finish{}, err
	}
	answer, err := fx.Ask(runtime.Question{ID: "ok"})

	return runtime.Finish{Key: "done", Value: first.Text + second.Text + answer.Value}, err
})

func TestMiddlewareOrder(t *testing.T) {
	var asked atomic.Int64
	sign := func(sign string) func(runtime.Effects) runtime.Effects {
		return wrapped(func(inner runtime.Effects, r model.Request) (model.Reply, error) {
			reply, err := inner.Model(r)
			reply.Text = sign + reply.Text
			return reply, err
		})
	}
	fin, err := engine.New(engine.Options{
		Model: counting(&asked), Asker: asker("!"), Middleware: []func(runtime.Effects) runtime.Effects{sign("a"), sign("b")},
	}).Run(t.Context(), two, "", "")
	if err != nil || fin.Value != "ab1ab2!" {
		t.Errorf("%s, %v", fin.Value, err)
	}
}

// TestBadMiddleware: middleware may drop, double and delay effects, also in runs that are resumed; what was done is not done again.
func TestBadMiddleware(t *testing.T) {
	for name, test := range map[string]struct {
		ask   func(inner runtime.Effects, r model.Request) (model.Reply, error)
		value string
		asked int64
	}{
		"drops": {func(_ runtime.Effects, r model.Request) (model.Reply, error) {
			return model.Reply{Text: "dropped"}, nil
		}, "droppeddropped!", 0},
		"drops in branches": {func(inner runtime.Effects, r model.Request) (model.Reply, error) {
			if r.Turn == 1 {
				return model.Reply{}, nil
			}
			return inner.Model(r)
		}, "1!", 1},
		"doubles": {func(inner runtime.Effects, r model.Request) (model.Reply, error) {
			if reply, err := inner.Model(r); err != nil {
				return reply, err
			}
			return inner.Model(r)
		}, "24!", 4},
		"delays": {func(inner runtime.Effects, r model.Request) (model.Reply, error) {
			if err := inner.Sleep(time.Millisecond); err != nil {
				return model.Reply{}, err
			}
			return inner.Model(r)
		}, "12!", 2},
		"delays outside of effects, in a goroutine": {func(inner runtime.Effects, r model.Request) (reply model.Reply, err error) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				time.Sleep(time.Millisecond)
				reply, err = inner.Model(r)
			}()
			<-done
			return reply, err
		}, "12!", 2},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			eng := engine.New(recorded(&asked, wrapped(test.ask)))
			if _, err := eng.Run(t.Context(), two, "", ""); runtime.ErrorType(err) != "PausedError" {
				t.Fatalf("it ends with %v", err)
			}
			if err := eng.Answer(t.Context(), two, "r", "ok", "!", ""); err != nil {
				t.Fatal(err)
			}
			fin, err := eng.Resume(t.Context(), two, "r")
			if err != nil || fin.Value != test.value || asked.Load() != test.asked {
				t.Errorf("%q after %d replies, %v", fin.Value, asked.Load(), err)
			}
		})
	}
}

// TestMiddlewareThatPanics ends the run, which is resumed without it.
func TestMiddlewareThatPanics(t *testing.T) {
	for turn, where := range []string{"agent a", "branch 0"} {
		var asked atomic.Int64
		panics := wrapped(func(inner runtime.Effects, r model.Request) (model.Reply, error) {
			if r.Turn == turn {
				panic("out of order")
			}
			return inner.Model(r)
		})
		options := recorded(&asked, panics)
		_, err := engine.New(options).Run(t.Context(), two, "", "")
		var panicked *runtime.PanicError
		if !errors.As(err, &panicked) || panicked.Where != where || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("turn %d: it ends with %v", turn, err)
		}
		options.Middleware, options.Asker = nil, asker("!")
		fin, err := engine.New(options).Resume(t.Context(), two, "r")
		if err != nil || fin.Value != "12!" || asked.Load() != 2 {
			t.Errorf("turn %d: resumed, it gives %q after %d replies, %v", turn, fin.Value, asked.Load(), err)
		}
	}
}

// TestMiddlewareOfAnotherProcess: a run cannot be resumed with middleware that has other effects, and is not damaged by the attempt.
func TestMiddlewareOfAnotherProcess(t *testing.T) {
	var asked atomic.Int64
	options := recorded(&asked)
	if _, err := engine.New(options).Run(t.Context(), two, "", ""); runtime.ErrorType(err) != "PausedError" {
		t.Fatalf("it ends with %v", err)
	}
	waits := wrapped(func(inner runtime.Effects, r model.Request) (model.Reply, error) {
		if err := inner.Sleep(0); err != nil {
			return model.Reply{}, err
		}
		return inner.Model(r)
	})
	options.Asker = asker("!")
	waiting := options
	waiting.Middleware = []func(runtime.Effects) runtime.Effects{waits}
	_, err := engine.New(waiting).Resume(t.Context(), two, "r")
	if runtime.ErrorType(err) != "DivergenceError" || !strings.Contains(err.Error(), " 1") {
		t.Errorf("it ends with %v", err)
	}
	fin, err := engine.New(options).Resume(t.Context(), two, "r")
	if err != nil || fin.Value != "12!" || asked.Load() != 2 {
		t.Errorf("resumed, it gives %q after %d replies, %v", fin.Value, asked.Load(), err)
	}
}
