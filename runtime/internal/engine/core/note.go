package core

import (
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
// has is not reported again.
func (f *Effects) Note(e event.Event) { f.note(e, eventExtras{}) }

// note is Note for an event with what only the observers of the program's parts are shown.
func (f *Effects) note(e event.Event, extras eventExtras) {
	r := f.run
	if !f.Watched() || r.endedAtBoundary != nil {
		return
	}
	if e.Kind == event.Error {
		e.Problem = r.redactor().Text(e.Problem)
	}
	r.events.stamp(&e, f.Address())
	isReplayed := !f.replay.IsLive && f.replay.TakeEvent(r.journal.recordedAt(e.Address), f.at.Ordinal()+1, &e)
	s := extras.sight(e, f.effectStart)
	if isReplayed {
		s.Again = true
		if prior := r.journal.recordedAt(e.Address); prior.HasBegun() && prior.Intent != nil {
			s.Began = prior.Intent.Time
		}
	}
	r.events.report(&s)
}

// showOnly notifies only the observers of the program's parts.
func (f *Effects) showOnly(e event.Event, extras eventExtras) {
	if !f.run.events.hasRunObservers() {
		return
	}
	f.run.events.stamp(&e, f.Address())
	s := extras.sight(e, f.effectStart)
	f.run.events.showOnly(&s)
}
