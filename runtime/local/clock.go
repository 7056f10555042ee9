package local

import (
	"context"
	"sync"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx is done.
	Sleep(ctx context.Context, d time.Duration)
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()

	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// NewSkipClock returns a clock that starts at a time and moves only when somebody sleeps, who does not wait: for tests. It is safe for
// concurrent use.
func NewSkipClock(start time.Time) Clock {
	return &skipClock{now: func() time.Time { return start }}
}

// newLeapClock returns the system's clock, but nobody who sleeps waits: time leaps ahead instead.
func newLeapClock() Clock { return &skipClock{now: time.Now} }

type skipClock struct {
	now func() time.Time

	mu      sync.Mutex
	skipped time.Duration
}

func (c *skipClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.now().Add(c.skipped)
}

func (c *skipClock) Sleep(_ context.Context, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()

	c.skipped += max(d, 0)
}
