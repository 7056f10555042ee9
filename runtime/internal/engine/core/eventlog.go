package core

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// eventLog numbers the events of a run, records them, and notifies its observers of one event at a
// time. It is safe for concurrent use.
type eventLog struct {
	run   string
	clock clock.Clock
	// observer is Config.Observer; nil without one.
	observer event.Observer
	// w records the events; nil in a run without a journal.
	w *journal.Writer

	mu sync.Mutex
	// newest is the time of the newest event.
	newest time.Time
	// seq is the number of the newest event.
	seq int
	// entered counts the states that were entered.
	entered int
	// problems are the errors that were reported.
	problems map[string]bool
	// observerErr is the panic of the observer, which is notified of nothing more.
	observerErr error
	// observers are the observers of the program's parts; nil for one that has panicked.
	observers []RunObserver
	// resumed is the event that reports where a resumed run does what was not done before; nil when
	// it was reported.
	resumed *event.Event
}

// start prepares the log of a run of an engine.
func (l *eventLog) start(e *Engine, run string) {
	l.run, l.clock, l.observer = run, e.config.Clock, e.config.Observer
}

// hasRunObservers reports whether parts of the program observe the run.
func (l *eventLog) hasRunObservers() bool { return len(l.observers) > 0 }

// stamp sets where and when an event happens.
func (l *eventLog) stamp(e *event.Event, address string) {
	e.Run, e.Address, e.Time = l.run, address, l.clock.Now()
}

// report reports an event. One without a time happens at that of the newest event. Of one that an
// earlier process has reported, only the observers of the program's parts are notified.
func (l *eventLog) report(e *event.Event, d Detail) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setTime(e)
	l.count(e)
	if !d.Again {
		l.reportResumed(e.Address)
		l.notify(e)
	}
	l.show(e, d)
}

// setTime gives an event without a time that of the newest one. The caller has the lock.
func (l *eventLog) setTime(e *event.Event) {
	switch {
	case e.Time.IsZero():
		e.Time = l.newest
	case e.Time.After(l.newest):
		l.newest = e.Time
	}
}

// count keeps what the end of the run reports of its events. The caller has the lock.
func (l *eventLog) count(e *event.Event) {
	switch e.Kind {
	case event.Enter:
		l.entered++
	case event.Error:
		if l.problems == nil {
			l.problems = map[string]bool{}
		}
		l.problems[e.Problem] = true
	}
}

// leaveReplay reports that the effect at an address was not carried out before.
func (l *eventLog) leaveReplay(address string) {
	l.mu.Lock()
	l.reportResumed(address)
	l.mu.Unlock()
}

// reportResumed reports, once and before anything else, where a resumed run does what was not done
// before. The caller has the lock.
func (l *eventLog) reportResumed(address string) {
	if l.resumed == nil {
		return
	}
	e := l.resumed
	l.resumed = nil
	l.stamp(e, address)
	l.notify(e)
}

// reportDelta notifies the observer of a piece of what a model writes. It has no number, and is not
// recorded.
func (l *eventLog) reportDelta(agent, address, text string) {
	e := event.Event{Kind: event.Delta, Agent: agent, Text: text}
	l.stamp(&e, address)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notify(&e)
}

// notify numbers an event, records it and notifies the observer. What a model writes piece by piece
// is not recorded. The caller has the lock.
func (l *eventLog) notify(e *event.Event) {
	if eventkind.IsRecorded(string(e.Kind)) {
		l.seq++
		e.Seq = l.seq
		if l.w != nil {
			l.w.Append(eventRecord(e))
		}
	}
	if l.observerErr == nil && l.observer != nil {
		l.observerErr = l.observe(e)
	}
}

// observe notifies the observer. Its panic is a *runtime.PanicError.
func (l *eventLog) observe(e *event.Event) (err error) {
	defer usercode.Recover(usercode.Name{Kind: "the observer"}, &err)
	l.observer.Observe(*e)

	return nil
}

// showOnly notifies only the observers of the program's parts.
func (l *eventLog) showOnly(e *event.Event, d Detail) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.show(e, d)
}

// show is showOnly for a caller that has the lock.
func (l *eventLog) show(e *event.Event, d Detail) {
	if !l.hasRunObservers() {
		return
	}
	s := Sight{Event: *e, Detail: d}
	for i, observer := range l.observers {
		if observer == nil {
			continue
		}
		err := usercode.Catch("an observer", func() error {
			observer.See(s)

			return nil
		})
		if err != nil {
			l.observers[i] = nil
		}
	}
}

// traceparent is where an effect is in a distributed trace; "" if no observer knows.
func (l *eventLog) traceparent(address string) string {
	if !l.hasRunObservers() {
		return ""
	}
	l.mu.Lock()
	observers := slices.Clone(l.observers)
	l.mu.Unlock()
	for _, observer := range observers {
		if observer == nil {
			continue
		}
		header := ""
		_ = usercode.Catch("an observer", func() error {
			header = observer.Traceparent(address)

			return nil
		})
		if header != "" {
			return header
		}
	}

	return ""
}

// steps is how many states were entered.
func (l *eventLog) steps() int {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.entered
}

// isReported reports whether an error was reported.
func (l *eventLog) isReported(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.problems[err.Error()]
}

// err is why the observer was not notified of every event; nil if it was.
func (l *eventLog) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.observerErr
}

// eventRecord is the record of an event.
func eventRecord(e *event.Event) journal.Record {
	values := e.Fields()
	fields := make([]journal.Field, 1, len(values)+1)
	fields[0] = journal.Field{Name: "seq", Value: strconv.Itoa(e.Seq)}
	for _, field := range values {
		fields = append(fields, journal.Field(field))
	}

	return journal.Record{
		Type: journal.Event, Time: e.Time.UTC(), Address: e.Address, Name: string(e.Kind), Fields: fields,
	}
}
