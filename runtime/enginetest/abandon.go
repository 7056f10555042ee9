package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// ignoredContext: methods that do not look at their context do not hold a run that is cancelled.
func ignoredContext(t T, make Make) {
	t.Helper()
	cause := errors.New("the suite cancelled")
	released := newGate()
	defer released.open()
	abandoned := func(name string, call func(fx runtime.Effects, work func()) error) {
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		work := func() {
			cancel(cause)
			released.wait()
		}
		s := Setup{Ask: func(context.Context, runtime.Question) (runtime.Answer, error) {
			work()

			return runtime.Answer{Value: "yes"}, nil
		}}
		ended := newGate()
		go func() {
			defer ended.open()
			err := playIn(ctx, make, s, func(fx runtime.Effects) error {
				err := call(fx, work)
				check(t, errors.Is(err, cause), "%s: %v", name, err)

				return err
			})
			check(t, errors.Is(err, cause), "%s: the run: %v", name, err)
		}()
		check(t, ended.within(patience), "%s holds a run that is cancelled", name)
	}

	abandoned("Tool", func(fx runtime.Effects, work func()) error {
		_, err := fx.Tool(toolCall(func(context.Context) (runtime.ToolResult, error) {
			work()

			return runtime.ToolResult{}, nil
		}))

		return err
	})
	abandoned("Call", func(fx runtime.Effects, work func()) error {
		_, err := fx.Call(funcCall(func(context.Context) (json.RawMessage, error) {
			work()

			return json.RawMessage(`1`), nil
		}))

		return err
	})
	abandoned("Guard", func(fx runtime.Effects, work func()) error {
		_, err := fx.Guard(guardCall(func(context.Context) runtime.Verdict {
			work()

			return runtime.Verdict{OK: true}
		}))

		return err
	})
	abandoned("Ask", func(fx runtime.Effects, _ func()) error {
		_, err := fx.Ask(question)

		return err
	})
}

// gate is closed until a caller opens it.
type gate chan struct{}

func newGate() gate { return make(gate) }

func (g gate) open() { close(g) }

func (g gate) wait() { <-g }

// within reports whether the gate opens in time.
func (g gate) within(d time.Duration) bool {
	select {
	case <-g:
		return true
	case <-time.After(d):
		return false
	}
}
