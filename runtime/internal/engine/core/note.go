package core

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
)

// Watched reports whether there is an observer, or a journal, which observes too.
func (f *Effects) Watched() bool {
	r := f.run
	isRecorded := r.journal != nil && !r.journal.readOnly

	return isRecorded || r.engine.config.Observer != nil || r.events.hasRunObservers()
}

// Note notifies the observer, of one event at a time and in order. One that panics is notified of
// nothing more: the run continues, and ends with the *runtime.PanicError. What the journal of a run
// has is not reported again. Between two effects, a program only computes, so its events have one
// time.
func (f *Effects) Note(e event.Event) {
	if f.Watched() {
		f.report(&e, Detail{}, f.hasReadClock())
	}
}

// note is Note for an event of the engine, which has a time of its own, and for what only the
// observers of the program's parts are shown.
func (f *Effects) note(e *event.Event, d Detail) {
	if f.Watched() {
		f.report(e, d, false)
	}
}

// notePause reports that the run waits for an answer to a question.
func (f *Effects) notePause(q runtime.Question) {
	e := q.Pause()
	f.note(&e, Detail{})
}

// report sets where and when an event happens, and reports it. sharesTime reports whether it happens
// at the time of the newest event.
func (f *Effects) report(e *event.Event, d Detail, sharesTime bool) {
	r := f.run
	if r.endedAtBoundary != nil {
		return
	}
	if e.Kind == event.Error {
		e.Problem = r.redactor().Text(e.Problem)
	}
	e.Run, e.Address = r.events.run, f.Address()
	if !sharesTime {
		e.Time = r.events.clock.Now()
	}
	f.clockRead = f.at.Ordinal()
	d.Began = f.effectStart
	if r.journal != nil && !f.replay.IsLive {
		f.markRepeated(e, &d)
	}
	r.events.report(e, d)
}

// hasReadClock reports whether an event has been reported since the newest effect, in a run without
// a journal. In a journal, what is written to the disk is between an effect and its events.
func (f *Effects) hasReadClock() bool {
	return f.run.journal == nil && f.clockRead == f.at.Ordinal()
}

// markRepeated marks an event that an earlier process has reported.
func (f *Effects) markRepeated(e *event.Event, d *Detail) {
	j := f.run.journal
	d.Again = f.replay.TakeEvent(j.recordedAt(e.Address), f.at.Ordinal()+1, e)
	if !d.Again {
		return
	}
	if prior := j.recordedAt(e.Address); prior.HasBegun() && prior.Intent != nil {
		d.Began = prior.Intent.Time
	}
}

// showOnly notifies only the observers of the program's parts.
func (f *Effects) showOnly(e *event.Event, d Detail) {
	if !f.run.events.hasRunObservers() {
		return
	}
	f.run.events.stamp(e, f.Address())
	d.Began = f.effectStart
	f.run.events.showOnly(e, d)
}
