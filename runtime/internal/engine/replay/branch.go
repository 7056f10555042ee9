package replay

import (
	"slices"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Branch is how far a branch of a resumed run has been replayed.
type Branch struct {
	// IsLive reports whether the branch does what was not done before.
	IsLive bool
	// hasLiveChild reports whether a branch that this one has started is live.
	hasLiveChild atomic.Bool
	// events are the recorded events after the effect with a number that the program has not
	// reported again.
	events []*journal.Record
	number int
}

// Join is called when the branches of a group have ended.
func (b *Branch) Join() { b.IsLive = b.IsLive || b.hasLiveChild.Load() }

// ReportTo reports to the parent whether this branch, or one that it has started, is live.
func (b *Branch) ReportTo(parent *Branch) {
	if b.IsLive || b.hasLiveChild.Load() {
		parent.hasLiveChild.Store(true)
	}
}

// TakeEvent takes an event from those that an earlier process has recorded after the effect with a
// number. The event gets the time that was recorded. found is false if it was not recorded.
func (b *Branch) TakeEvent(prior *Effect, number int, e *event.Event) (found bool) {
	if b.number != number {
		b.events, b.number = prior.recordedEvents(), number
	}
	if len(b.events) == 0 {
		return false
	}
	fields := e.Fields()
	at := slices.IndexFunc(b.events, func(r *journal.Record) bool {
		return r.Name == string(e.Kind) && hasFields(r, fields)
	})
	if at < 0 {
		return false
	}
	e.Time = b.events[at].Time
	if at == 0 {
		b.events = b.events[1:]
	} else {
		b.events = slices.Concat(b.events[:at], b.events[at+1:]) // the events of the history stay as they are
	}

	return true
}

// hasFields reports whether the record of an event has fields. Its number precedes them.
func hasFields(r *journal.Record, fields []event.Field) bool {
	if len(r.Fields) != len(fields)+1 {
		return false
	}
	for i, field := range fields {
		if r.Fields[i+1] != journal.Field(field) {
			return false
		}
	}

	return true
}
