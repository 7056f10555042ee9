package enginetest

import (
	"context"
	"errors"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// ignoredContext: methods that do not look at their context do not hold a run that is cancelled.
func ignoredContext(t T, make Make) {
	released := newGate()
	defer released.open()
	for _, m := range working {
		ctx, cancel := cancellable()
		work := func(context.Context) {
			cancel()
			released.wait()
		}
		s := Setup{Ask: func(context.Context, runtime.Question) (runtime.Answer, error) {
			work(ctx)
			return runtime.Answer{Value: "yes"}, nil
		}}
		ended := newGate()
		go func() {
			defer ended.open()
			err := playIn(ctx, make, s, func(fx runtime.Effects) error {
				err := m.call(fx, work)
				check(t, errors.Is(err, errCancelled), "%s: %v", m.name, err)

				return err
			})
			check(t, errors.Is(err, errCancelled), "%s: the run: %v", m.name, err)
		}()
		check(t, ended.within(patience), "%s holds a run that is cancelled", m.name)
	}
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
