// Package turn is a mutex: a caller waits for it no longer than its context lasts.
package turn

import (
	"context"
	"sync"
)

// Turn is held by one at a time. The zero value is ready; it must not be copied.
type Turn struct {
	once sync.Once
	// taken holds a token while a caller has the turn.
	taken chan struct{}
}

// Take waits for the turn, and returns what gives it back. The error is the cause of a context that has ended first: then there is
// nothing to give back. One that has ended already waits for nothing, but has the turn if that is free.
func (t *Turn) Take(ctx context.Context) (back func(), err error) {
	t.once.Do(func() { t.taken = make(chan struct{}, 1) })
	back = func() { <-t.taken }
	select {
	case t.taken <- struct{}{}:
		return back, nil
	default:
	}
	select {
	case t.taken <- struct{}{}:
		return back, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
