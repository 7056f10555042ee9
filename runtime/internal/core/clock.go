package core

import (
	"context"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx is done.
	Sleep(ctx context.Context, d time.Duration)
}

// AlarmClock is what a [Clock] may also be: with one, a budget of time ends an effect that is under way. With any other clock
// an effect that has begun ends by itself, and the next one is refused.
type AlarmClock interface {
	Clock
	// AfterFunc calls f once when d has passed, unless stop is called before.
	AfterFunc(d time.Duration, f func()) (stop func())
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

func (systemClock) AfterFunc(d time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(d, f)

	return func() { timer.Stop() }
}
