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
func (f *Effects) Note(e event.Event) {
	if !f.Watched() {
		return
	}
	s := Sight{Event: e}
	f.note(&s)
}

// note is Note for an event with what only the observers of the program's parts are shown. It sets
// where and when the event happens.
func (f *Effects) note(s *Sight) {
	r := f.run
	if !f.Watched() || r.endedAtBoundary != nil {
		return
	}
	if s.Kind == event.Error {
		s.Problem = r.redactor().Text(s.Problem)
	}
	r.events.stamp(&s.Event, f.Address())
	s.Began = f.effectStart
	if !f.replay.IsLive {
		f.markRepeated(s)
	}
	r.events.report(s)
}

// markRepeated marks an event that an earlier process has reported.
func (f *Effects) markRepeated(s *Sight) {
	j := f.run.journal
	s.Again = f.replay.TakeEvent(j.recordedAt(s.Address), f.at.Ordinal()+1, &s.Event)
	if !s.Again {
		return
	}
	if prior := j.recordedAt(s.Address); prior.HasBegun() && prior.Intent != nil {
		s.Began = prior.Intent.Time
	}
}

// showOnly notifies only the observers of the program's parts.
func (f *Effects) showOnly(s *Sight) {
	if !f.run.events.hasRunObservers() {
		return
	}
	f.run.events.stamp(&s.Event, f.Address())
	s.Began = f.effectStart
	f.run.events.showOnly(s)
}
