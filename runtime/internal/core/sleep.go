package core

import (
	"encoding/json"
	"time"
)

// Sleep waits on the engine's clock. What is left of a wait when its run is interrupted is waited for when that goes on.
func (f *Effects) Sleep(d time.Duration) error {
	if err := f.next(); err != nil {
		return err
	}
	if f.run.journal == nil {
		return f.sleep(d)
	}
	clock := f.run.engine.config.Clock
	_, was, err := perform(f, sleepIntent(d, clock.Now()), sleepCodec, func() (none struct{}, err error) {
		return none, f.sleep(f.left(d, clock.Now()))
	})
	f.countRecorded(was)

	return err
}

func (f *Effects) sleep(d time.Duration) error {
	if err := f.begin(); err != nil {
		return err
	}
	f.pause(d)

	return f.ended(f.stopped())
}

// pause waits, or until the effect that is under way must end.
func (f *Effects) pause(d time.Duration) {
	if f.host != nil {
		f.host.Sleep(f.context(), d)
	} else {
		f.run.engine.config.Clock.Sleep(f.context(), d)
	}
}

// left is how much of a wait an earlier process has left.
func (f *Effects) left(d time.Duration, now time.Time) time.Duration {
	was := f.run.journal.interrupted(f.Address())
	if was == nil {
		return d
	}
	var n sleepRecord
	if err := json.Unmarshal([]byte(field(was, "args")), &n); err != nil || n.Until.IsZero() {
		return d
	}

	return min(max(n.Until.Sub(now), 0), max(d, 0))
}

// Now tells the time of the engine's clock.
func (f *Effects) Now() time.Time {
	f.count++
	now := f.run.engine.config.Clock.Now
	if f.run.journal == nil || f.run.stopped() != nil {
		return now()
	}
	at, _, err := perform(f, nowIntent(), nowCodec, func() (time.Time, error) { return now(), nil })
	if err != nil {
		return now() // the run has ended
	}

	return at
}
