package clock

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Clock returns the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx is done.
	Sleep(ctx context.Context, d time.Duration)
}

// AlarmClock is what a [Clock] may also be: with one, a budget of time ends an effect that is under
// way. With any other clock an effect that has begun ends by itself, and the next one is refused.
type AlarmClock interface {
	Clock
	// AfterFunc calls f once when d has passed, unless stop is called before.
	AfterFunc(d time.Duration, f func()) (stop func())
}

type System struct{}

func (System) Now() time.Time { return time.Now() }

func (System) Sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()

	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (System) AfterFunc(d time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(d, f)

	return func() { timer.Stop() }
}

// NewSkip returns a clock that starts at a time and moves only by a sleep, which does not
// wait: for tests. It is safe for concurrent use.
func NewSkip(start time.Time) Clock {
	return &skipClock{now: func() time.Time { return start }}
}

// NewLeap returns the system's clock, but a sleep does not wait: time leaps ahead instead.
func NewLeap() Clock { return &skipClock{now: time.Now, runs: true} }

type skipClock struct {
	now func() time.Time
	// runs reports whether now advances by itself, too.
	runs bool

	mu      sync.Mutex
	skipped time.Duration
	alarms  []*alarm
}

// alarm is what is called at a time.
type alarm struct {
	at   time.Time
	once sync.Once
	call func()
}

func (a *alarm) ring() { a.once.Do(a.call) }

func (c *skipClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.time()
}

func (c *skipClock) time() time.Time { return c.now().Add(c.skipped) }

// Sleep skips what is to be waited for, from alarm to alarm: one of them may end the wait.
func (c *skipClock) Sleep(ctx context.Context, d time.Duration) {
	for d > 0 {
		ringing, passed := c.skip(d)
		d -= passed
		if ringing == nil {
			return
		}
		ringing.ring()
		if ctx.Err() != nil {
			return
		}
	}
}

// skip moves to the next alarm, but by d at most.
func (c *skipClock) skip(d time.Duration) (ringing *alarm, passed time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()

	next, passed := -1, d
	for i, a := range c.alarms {
		if left := max(a.at.Sub(c.time()), 0); left <= passed && (next < 0 || left < passed) {
			next, passed = i, left
		}
	}
	if next >= 0 {
		ringing = c.alarms[next]
		c.alarms = slices.Delete(c.alarms, next, next+1)
	}
	c.skipped += passed

	return ringing, passed
}

// AfterFunc implements [AlarmClock].
func (c *skipClock) AfterFunc(d time.Duration, f func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()

	a := &alarm{at: c.time().Add(d), call: f}
	c.alarms = append(c.alarms, a)
	silence := func() {}
	if c.runs {
		timer := time.AfterFunc(d, a.ring)
		silence = func() { timer.Stop() }
	}

	return func() {
		silence()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.alarms = slices.DeleteFunc(c.alarms, func(other *alarm) bool { return other == a })
	}
}
