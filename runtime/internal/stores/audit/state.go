package audit

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"time"
)

// State is what the accepted entries result in. It must not be changed outside of this package.
type State struct {
	// Machines are live machines by id. Values is the blackboard: for each key the entry that wrote
	// it, those too whose time is over and that are not recorded as expired yet.
	Machines map[string]*Machine
	Values   map[string]*Entry

	// nextExpiry is not after the first time at which a value expires; zero if none does.
	nextExpiry time.Time
}

// Machine is where a live machine is.
type Machine struct {
	ID string
	// State is "" when the machine has ended; Seq is its own sequence number.
	State string
	Seq   uint64
	// Version is the number of the entry that brought it there.
	Version uint64
	// Time is when that was, Deadline when the timer of the state fires; zero if it has none.
	Time     time.Time
	Deadline time.Time
	Snapshot json.RawMessage
	// Steps are the offsets of the entries of its steps, in order.
	Steps []int64
	// Pending are the steps with names in Exit or Enter that are not acknowledged, in order.
	Pending []Pending
}

// Pending is a step that is not acknowledged: the number of its entry, and the offset of its line.
type Pending struct {
	Entry uint64
	At    int64
}

// Due reports whether the timer of the machine's state is to fire.
func (m *Machine) Due(now time.Time) bool { return !m.Deadline.IsZero() && !now.Before(m.Deadline) }

// Expired reports whether the time of the value is over.
func (e *Entry) Expired(now time.Time) bool { return !e.Expires.IsZero() && !now.Before(e.Expires) }

func newState() *State { return &State{Machines: map[string]*Machine{}, Values: map[string]*Entry{}} }

// applyEntry adds an entry to the state. Its line begins at an offset.
func (s *State) applyEntry(e *Entry, at int64) {
	if e.Result != Accepted {
		return
	}
	switch e.Kind {
	case Create, Transition:
		s.applyStep(e, at)
	case Ack:
		s.applyAck(e)
	case Write:
		s.applyPut(e)
	case Delete, Expire:
		delete(s.Values, e.Key)
	}
}

func (s *State) applyStep(e *Entry, at int64) {
	m := Machine{
		ID: e.ID, State: e.To, Seq: e.Version, Version: e.Seq, Time: e.Time, Deadline: e.Expires, Snapshot: e.Snapshot,
	}
	if old := s.Machines[e.ID]; old != nil {
		m.Steps, m.Pending = old.Steps, old.Pending
	}
	if len(e.Exit)+len(e.Enter) > 0 {
		m.Pending = append(m.Pending[:len(m.Pending):len(m.Pending)], Pending{Entry: e.Seq, At: at})
	}
	if e.Kind == Transition {
		m.Steps = append(m.Steps, at)
	}
	s.Machines[e.ID] = &m
}

// applyAck removes acknowledged steps from the pending ones.
func (s *State) applyAck(e *Entry) {
	var entries []uint64
	old := s.Machines[e.ID]
	if old == nil || json.Unmarshal([]byte(e.Value), &entries) != nil {
		return
	}
	m := *old
	m.Pending = nil
	for _, p := range old.Pending {
		if !slices.Contains(entries, p.Entry) {
			m.Pending = append(m.Pending, p)
		}
	}
	s.Machines[e.ID] = &m
}

func (s *State) applyPut(e *Entry) {
	s.Values[e.Key] = e
	s.expiresAt(e.Expires)
}

func (s *State) expiresAt(at time.Time) {
	if !at.IsZero() && (s.nextExpiry.IsZero() || at.Before(s.nextExpiry)) {
		s.nextExpiry = at
	}
}

// Expired returns the values whose time is over, the first to expire first.
func (s *State) Expired(now time.Time) []*Entry {
	if s.nextExpiry.IsZero() || now.Before(s.nextExpiry) {
		return nil
	}
	var over []*Entry
	s.nextExpiry = time.Time{}
	for _, v := range s.Values {
		s.expiresAt(v.Expires)
		if v.Expired(now) {
			over = append(over, v)
		}
	}
	sort.Slice(over, func(i, j int) bool {
		return cmp.Or(over[i].Expires.Compare(over[j].Expires), cmp.Compare(over[i].Seq, over[j].Seq)) < 0
	})

	return over
}
