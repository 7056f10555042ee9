package enginetest

import (
	"context"
	"errors"

	"github.com/agentc-dev/agentc/runtime"
)

// ignoredContext: methods that do not look at their context do not hold a run that is cancelled.
func ignoredContext(t T, make Make) {
	released, release := context.WithCancel(context.Background())
	defer release()
	for _, m := range working {
		ctx, cancel := newContext()
		work := func(context.Context) {
			cancel()
			<-released.Done()
		}
		s := Setup{Ask: func(context.Context, runtime.Question) (runtime.Answer, error) {
			work(ctx)
			return runtime.Answer{Value: "yes"}, nil
		}}
		ended, end := context.WithCancel(context.Background())
		go func() {
			defer end()
			err := runBodyIn(ctx, make, s, func(fx runtime.Effects) error {
				err := m.call(fx, work)
				check(t, errors.Is(err, errCancelled), "%s: %v", m.name, err)

				return err
			})
			check(t, errors.Is(err, errCancelled), "%s: the run: %v", m.name, err)
		}()
		check(t, isDoneInTime(ended.Done()), "%s holds a run that is cancelled", m.name)
	}
}
