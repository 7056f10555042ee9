package core

import (
	"cmp"
	"hash/fnv"
	"math"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Backoff reports a failed attempt and waits before the next one. The wait is one effect, which
// does not depend on the limits: a run whose limits have changed can be resumed.
func (f *Effects) Backoff(agent string, attempt int, failed error, limits model.Retry) error {
	settings := f.backoffSettings(limits)
	e := &sleepEffect{basic: basic{f}, what: "backoff " + strconv.Itoa(attempt)}
	e.length = backoff(settings, attempt, f.backoffJitter())
	if f.Watched() {
		f.note(&event.Event{
			Kind: event.Retry, Agent: agent, Count: attempt, Problem: failed.Error(), Wait: e.length,
		}, Detail{Err: failed})
	}
	if err := f.beginEffect(); err != nil {
		return err
	}

	return f.newExecution(e).execute()
}

// backoffSettings returns how long to wait: as the limits declare, otherwise as for models. Under a
// script or a recording only declared waits count.
func (f *Effects) backoffSettings(limits model.Retry) model.Retry {
	settings := f.run.engine.config.Retry
	if f.run.isPlayed() {
		settings.First = 0
	}
	settings.First = cmp.Or(limits.First, settings.First)
	settings.Most = cmp.Or(limits.Most, max(settings.Most, limits.First))

	return settings
}

// backoffJitter returns a number from 0 to 1 that differs between runs, branches and effects, and
// is the same whenever the run is replayed. Under a script or a recording nothing differs.
func (f *Effects) backoffJitter() float64 {
	if f.run.isPlayed() {
		return 0
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(f.run.id + "/" + f.Address()))

	return float64(hash.Sum64()) / math.MaxUint64
}

// isPlayed reports whether a script or a recording answers for every agent of the run.
func (r *run) isPlayed() bool { return r.script != nil || r.every.isPlayed() }
