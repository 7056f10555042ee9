package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
)

// cancelledBefore: after cancellation every method returns the cause and does nothing, and so does
// the run.
func cancelledBefore(t T, make Make) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	cause := &runtime.CancelledError{Reason: "by the suite"}
	ran := 0
	work := func(context.Context) { ran++ }
	s := Setup{Script: `{"main":[{"say":"hello"}]}`, Ask: func(ctx context.Context, _ runtime.Question) (runtime.Answer, error) {
		work(ctx)

		return runtime.Answer{Value: "yes"}, nil
	}}
	err := runBodyIn(ctx, make, s, func(fx runtime.Effects) error {
		cancel(cause)
		_, err := fx.Model(newRequest(0))
		check(t, errors.Is(err, cause), "Model: %v", err)
		_, err = fx.Tool(memoryCall("mem_set", `{"key":"k","value":"v"}`))
		check(t, errors.Is(err, cause), "Tool, built in: %v", err)
		check(t, errors.Is(fx.Sleep(time.Hour), cause), "Sleep does not return the cause")
		for _, m := range working {
			err = m.call(fx, work)
			check(t, errors.Is(err, cause), "%s: %v", m.name, err)
		}
		err = fx.Parallel(2, 0, func(int, runtime.Effects) error { ran++; return nil })
		check(t, errors.Is(err, cause), "Parallel: %v", err)
		fx.Now()
		fx.Note(event.Event{Kind: event.Repair})

		return err
	})
	check(t, errors.Is(err, cause), "the run: %v", err)
	check(t, errors.Is(err, context.Canceled), "the cause is no longer a context.Canceled: %v", err)
	check(t, ran == 0, "%d of the user's functions ran", ran)
}

// errCancelled is why the suite cancels.
var errCancelled = errors.New("the suite cancelled")

// newContext returns a context that the suite cancels.
func newContext() (ctx context.Context, cancel func()) {
	ctx, stop := context.WithCancelCause(context.Background())

	return ctx, func() { stop(errCancelled) }
}

// working are the methods that work for the program. Each does work in its call; Setup.Ask does
// that of Ask.
var working = []struct {
	name string
	call func(fx runtime.Effects, work func(context.Context)) error
}{
	{"Tool", func(fx runtime.Effects, work func(context.Context)) error {
		_, err := fx.Tool(newToolCall(func(ctx context.Context) (runtime.ToolResult, error) {
			work(ctx)
			return runtime.ToolResult{}, ctx.Err()
		}))

		return err
	}},
	{"Call", func(fx runtime.Effects, work func(context.Context)) error {
		_, err := fx.Call(funcCall(func(ctx context.Context) (json.RawMessage, error) {
			work(ctx)
			return json.RawMessage(`1`), nil
		}))

		return err
	}},
	{"Guard", func(fx runtime.Effects, work func(context.Context)) error {
		_, err := fx.Guard(guardCall(func(ctx context.Context) runtime.Verdict {
			work(ctx)
			return runtime.Verdict{OK: true}
		}))

		return err
	}},
	{"Ask", func(fx runtime.Effects, _ func(context.Context)) error {
		_, err := fx.Ask(question)
		return err
	}},
	{"Parallel", func(fx runtime.Effects, work func(context.Context)) error {
		return fx.Parallel(3, 0, func(i int, fx runtime.Effects) error {
			_, err := fx.Tool(newToolCall(func(ctx context.Context) (runtime.ToolResult, error) {
				work(ctx)
				return runtime.ToolResult{}, nil
			}))

			return err
		})
	}},
}

// cancelledWithin: what is cancelled while a method works makes it return the cause, whatever the
// work has given back.
func cancelledWithin(t T, make Make) {
	for _, m := range working {
		ctx, cancel := newContext()
		work := func(ctx context.Context) {
			cancel()
			awaitCancel(t, m.name, ctx)
		}
		observed := &log{}
		s := Setup{Observer: observed, Ask: func(ctx context.Context, _ runtime.Question) (runtime.Answer, error) {
			work(ctx)
			return runtime.Answer{}, ctx.Err()
		}}
		err := runBodyIn(ctx, make, s, func(fx runtime.Effects) error {
			err := m.call(fx, work)
			check(t, errors.Is(err, errCancelled), "%s: %v", m.name, err)

			return nil
		})
		check(t, err == nil || errors.Is(err, errCancelled), "%s: the run: %v", m.name, err)
		ends := observed.eventsOf(event.End)
		check(t, len(ends) == 1, "%s: ends: %+v", m.name, ends)
	}
}

// cancelledSleep: who sleeps is woken. An engine whose time leaps does not wait, and may have slept
// before it is cancelled.
func cancelledSleep(t T, make Make) {
	ctx, cancel := newContext()
	time.AfterFunc(time.Millisecond, cancel)
	err := runBodyIn(ctx, make, Setup{}, func(fx runtime.Effects) error { return fx.Sleep(patience) })
	check(t, err == nil || errors.Is(err, errCancelled), "Sleep: %v", err)
}

// cancelledModel: a model call is interrupted while it waits for the next attempt.
func cancelledModel(t T, make Make) {
	ctx, cancel := newContext()
	s := Setup{Script: `{"main":[{"error":{"status":503}},{"say":"too late"}]}`, Observer: watcher(func(e event.Event) {
		if e.Kind == event.Retry {
			cancel()
		}
	})}
	err := runBodyIn(ctx, make, s, func(fx runtime.Effects) error {
		reply, err := fx.Model(newRequest(0))
		check(t, errors.Is(err, errCancelled), "Model: %+v, %v", reply, err)

		return err
	})
	check(t, errors.Is(err, errCancelled), "the run: %v", err)
}

// patience is how long an engine may take to inform a method that its run is cancelled, before it
// counts as never.
const patience = 10 * time.Second

// awaitCancel waits until a method's context is cancelled.
func awaitCancel(t T, method string, ctx context.Context) {
	if ctx.Done() == nil {
		t.Errorf("%s: its context cannot be cancelled", method)

		return
	}
	check(t, isDoneInTime(ctx.Done()), "%s: its context is not cancelled with the run", method)
}

// isDoneInTime reports whether something is done in time.
func isDoneInTime(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}

// cancelledBetweenBranches: branches that have not begun do not begin; the group still ends.
func cancelledBetweenBranches(t T, make Make) {
	ctx, cancel := newContext()
	var ran atomic.Int64
	err := runBodyIn(ctx, make, Setup{}, func(fx runtime.Effects) error {
		return fx.Parallel(1000, 1, func(int, runtime.Effects) error {
			ran.Add(1)
			cancel()

			return nil
		})
	})
	check(t, errors.Is(err, errCancelled), "the run: %v", err)
	check(t, ran.Load() == 1, "%d branches began", ran.Load())
}
