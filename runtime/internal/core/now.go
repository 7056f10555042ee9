package core

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/journal"
)

// Now is the time of the engine's clock.
func (f *Effects) Now() time.Time {
	f.count++
	e := &nowEffect{basic: basic{f}}
	if f.run.stopped() != nil || f.perform(e) != nil {
		_ = e.here() // the run has ended
	}

	return e.time
}

// nowEffect is a look at the clock, which is recorded so that it is the same when a run is resumed.
type nowEffect struct {
	basic
	time time.Time
}

func (*nowEffect) intent() *intent { return &intent{kind: kindNow, lazy: true} }

func (*nowEffect) begin() error { return nil }

func (e *nowEffect) end(err error) error { return err }

func (e *nowEffect) onHost() error { return e.here() }

func (e *nowEffect) here() error {
	e.time = e.fx.run.engine.config.Clock.Now()

	return nil
}

func (e *nowEffect) fields() []journal.Field { return given("time", e.time.Format(time.RFC3339Nano)) }

func (e *nowEffect) read(r *journal.Record) (err error) {
	e.time, err = time.Parse(time.RFC3339Nano, r.Value("time"))

	return err
}
