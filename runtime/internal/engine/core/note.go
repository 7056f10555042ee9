package core

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Watched reports whether there is an observer, or a journal, which observes too.
func (f *Effects) Watched() bool {
	t := f.run.journal

	return f.run.engine.config.Observer != nil || t != nil && !t.readOnly || len(f.run.observers) > 0
}

// Note notifies the observer, of one event at a time and in order. One that panics is notified of nothing more; the run goes on, and
// ends with the *runtime.PanicError. What the journal of a run has is not reported again.
func (f *Effects) Note(e event.Event) { f.note(e, eventExtras{}) }

// note is Note of an event that observers are shown more with.
func (f *Effects) note(e event.Event, with eventExtras) {
	r := f.run
	if !f.Watched() || r.endedAtBoundary != nil {
		return
	}
	if e.Kind == event.Error {
		e.Problem = r.redactor().Text(e.Problem)
	}
	e.Run, e.Address, e.Time = r.id, f.Address(), r.engine.config.Clock.Now()

	r.watch.Lock()
	defer r.watch.Unlock()
	r.countEvent(&e)
	if f.takeRecorded(&e) {
		f.show(e, with, true)

		return
	}
	r.noteResumed(e.Address)
	r.notify(e)
	f.show(e, with, false)
}

// countEvent remembers what the end of the run has to know of its events.
func (r *run) countEvent(e *event.Event) {
	switch e.Kind {
	case event.Enter:
		r.entered++
	case event.Error:
		if r.failures == nil {
			r.failures = map[string]bool{}
		}
		r.failures[e.Problem] = true
	}
}

// takeRecorded takes the event from those that earlier processes have recorded here. found is false if it is new.
func (f *Effects) takeRecorded(e *event.Event) (found bool) {
	t := f.run.journal
	if t == nil || t.history == nil || f.replay.isLive {
		return false
	}

	return f.replay.takeEvent(t.recordedAt(e.Address), f.count+1, e)
}

// noteResumed notes, once in a run that is resumed and before anything else, where live work begins. The caller has run.watch.
func (r *run) noteResumed(address string) {
	if r.journal == nil || r.journal.resumed == nil {
		return
	}
	e := *r.journal.resumed
	r.journal.resumed = nil
	e.Run, e.Address, e.Time = r.id, address, r.engine.config.Clock.Now()
	r.notify(e)
}

// notify numbers an event, records it and hands it to the observer. What a model says bit by bit is only handed on. The caller has
// run.watch.
func (r *run) notify(e event.Event) {
	if eventkind.IsRecorded(string(e.Kind)) {
		r.seq++
		e.Seq = r.seq
		if r.journal != nil {
			r.journal.w.Append(eventRecord(&e))
		}
	}
	if r.observerErr == nil && r.engine.config.Observer != nil {
		r.observerErr = catchPanic("the observer", func() error {
			r.engine.config.Observer.Observe(e)

			return nil
		})
	}
}

func eventRecord(e *event.Event) journal.Record {
	said := e.Fields()
	fields := make([]journal.Field, 1, len(said)+1)
	fields[0] = journal.Field{Name: "seq", Value: strconv.Itoa(e.Seq)}
	for _, field := range said {
		fields = append(fields, journal.Field(field))
	}

	return journal.Record{Type: journal.Event, Time: e.Time.UTC(), Address: e.Address, Name: string(e.Kind), Fields: fields}
}
