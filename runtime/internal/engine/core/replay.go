package core

import (
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// branchReplay is how far a branch of a resumed run has been replayed.
type branchReplay struct {
	// isLive reports whether the branch does what was not done before.
	isLive bool
	// hasLiveChild reports whether a branch that this one has started is live.
	hasLiveChild atomic.Bool
	// events are the recorded events after the effect with a number that the program has not
	// reported again.
	events []*journal.Record
	number int
}

// join is called when the branches of a group have ended.
func (b *branchReplay) join() { b.isLive = b.isLive || b.hasLiveChild.Load() }

// reportTo reports to the parent whether this branch, or one that it has started, is live.
func (b *branchReplay) reportTo(parent *branchReplay) {
	if b.isLive || b.hasLiveChild.Load() {
		parent.hasLiveChild.Store(true)
	}
}

// takeEvent takes an event from those that an earlier process has recorded after the effect with a
// number. The event gets the time that was recorded. found is false if it was not recorded.
func (b *branchReplay) takeEvent(prior *recordedEffect, number int, e *event.Event) (found bool) {
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

// leaveReplay notes that later effects of this branch were not carried out before.
func (f *Effects) leaveReplay() {
	f.replay.isLive = true
	f.run.events.leaveReplay(f.Address())
}

// checkBranchEnd ends the run with a *DivergenceError if the branch has returned before it has done
// what was recorded of it.
func (f *Effects) checkBranchEnd() {
	if f.replay.isLive || f.run.stopped() != nil {
		return
	}
	address := f.at.AddressOf(f.at.Ordinal() + 1)
	prior := f.run.journal.recordedAt(address)
	if !prior.hasBegun() {
		return
	}
	if f.run.journal.changes != nil {
		_ = f.reportChange(address)

		return
	}
	got := "nothing, for the run has ended"
	if f.parent != nil {
		got = "nothing, for branch " + strconv.Itoa(f.at.Branch()) + " has ended"
	}
	_ = f.run.diverge(address, prior.describe(), got)
}

// diverge ends the run because the program asks for another effect than was recorded at an address,
// and returns the error.
func (r *run) diverge(address, want, got string) error {
	return r.failRun(&DivergenceError{Run: r.id, Address: address, Want: want, Got: got})
}
