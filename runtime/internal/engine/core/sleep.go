package core

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Sleep waits on the engine's clock. When a run is resumed, only the rest of an interrupted wait is
// waited for.
func (f *Effects) Sleep(d time.Duration) error {
	if err := f.beginEffect(); err != nil {
		return err
	}

	return f.newExecution(&sleepEffect{basic: basic{f}, length: d}).execute()
}

// sleepEffect is a wait.
type sleepEffect struct {
	basic
	length time.Duration
	// what identifies the wait in the journal; "" for its length.
	what string
}

// sleepRecord is what a journal has of a sleep.
type sleepRecord struct {
	For   string    `json:"for"`
	Until time.Time `json:"until"`
}

func (e *sleepEffect) intent() *intent {
	length := e.length.String()
	what := cmp.Or(e.what, length)
	text, err := json.Marshal(sleepRecord{length, e.fx.run.engine.config.Clock.Now().Add(e.length).UTC()})
	if err != nil {
		text = nil // a time beyond the year 9999: then the whole time is slept again
	}

	return &intent{
		kind: replay.KindSleep, what: what, shape: digestOf(replay.KindSleep, what), lazy: e.length <= 0,
		fields: []journal.Field{{Name: "args", Value: string(text)}},
	}
}

func (e *sleepEffect) runOnHost() error { return e.runInProcess() }

func (e *sleepEffect) runInProcess() error {
	d := e.length
	if e.fx.run.journal != nil {
		d = e.remaining(e.fx.run.engine.config.Clock.Now())
	}
	e.fx.sleep(d)

	return e.fx.scope.Stopped()
}

// remaining returns how much of the wait an earlier process has left.
func (e *sleepEffect) remaining(now time.Time) time.Duration {
	prior := e.fx.run.journal.recordedAt(e.fx.Address())
	if !prior.IsInterrupted() {
		return e.length
	}
	var n sleepRecord
	if err := json.Unmarshal([]byte(prior.Intent.Value("args")), &n); err != nil || n.Until.IsZero() {
		return e.length
	}

	return min(max(n.Until.Sub(now), 0), max(e.length, 0))
}

func (e *sleepEffect) finish(err error) error { return e.fx.endEffect(err) }

func (*sleepEffect) resultFields() []journal.Field { return nil }

func (*sleepEffect) readResult(*journal.Record) error { return nil }

// sleep waits, at most until the effect that is under way must end.
func (f *Effects) sleep(d time.Duration) {
	if f.host != nil {
		f.host.Sleep(f.scope.EffectContext(), d)
	} else {
		f.run.engine.config.Clock.Sleep(f.scope.EffectContext(), d)
	}
}
