package core

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Now is the time of the engine's clock.
func (f *Effects) Now() time.Time {
	f.at.Advance()
	e := &nowEffect{basic: basic{f}}
	if f.run.stopped() != nil || f.newExecution(e).execute() != nil {
		_ = e.runInProcess() // the run has ended
	}

	return e.time
}

// nowEffect reads the clock. The time is recorded so that it is the same when a run is resumed.
type nowEffect struct {
	basic
	time time.Time
}

func (*nowEffect) intent() *intent { return &intent{kind: replay.KindNow, lazy: true} }

func (*nowEffect) admit() error { return nil }

func (e *nowEffect) finish(err error) error { return err }

func (e *nowEffect) runOnHost() error { return e.runInProcess() }

func (e *nowEffect) runInProcess() error {
	e.time = e.fx.run.engine.config.Clock.Now()

	return nil
}

func (e *nowEffect) resultFields() []journal.Field {
	return field.Optional("time", e.time.Format(time.RFC3339Nano))
}

func (e *nowEffect) readResult(r *journal.Record) (err error) {
	e.time, err = time.Parse(time.RFC3339Nano, r.Value("time"))

	return err
}
