package record

import (
	"container/heap"
	"encoding/json"
	"slices"
	"time"
)

// State is what the accepted entries of a record have come to. It must not be changed by whoever is given it.
type State struct {
	// Machines are live machines by id, Values the blackboard by key, with values whose time is over and that nobody has recorded as
	// expired yet.
	Machines map[string]*Machine
	Values   map[string]*Value

	expiries expiries
}

// Machine is where a live machine is.
type Machine struct {
	ID string `json:"id"`
	// State is "" when the machine has ended; Seq is its own sequence number.
	State string `json:"state"`
	Seq   uint64 `json:"seq"`
	// Version is the number of the entry that brought it there.
	Version uint64 `json:"version"`
	// Time is when that was, Deadline when the timer of the state fires; zero if it has none.
	Time     time.Time `json:"time"`
	Deadline time.Time `json:"deadline,omitzero"`
	Snapshot string    `json:"snapshot"`
	// Steps are the offsets of the entries of its steps, in order.
	Steps []int64 `json:"steps"`
	// Pending are the steps with names in Exit or Enter that are not acknowledged, in order.
	Pending []Pending `json:"pending,omitempty"`
}

// Pending is a step that is not acknowledged: the number of its entry, and the offset of its line.
type Pending struct {
	Entry uint64 `json:"entry"`
	At    int64  `json:"at"`
}

// Due says whether the timer of the machine's state is to fire.
func (m *Machine) Due(now time.Time) bool { return !m.Deadline.IsZero() && !now.Before(m.Deadline) }

// Value is a value of the blackboard.
type Value struct {
	Key string `json:"key"`
	// JSON is the value, byte for byte as it came.
	JSON string `json:"value"`
	// Version is the number of the entry that wrote it: it never comes again, not for the same key either.
	Version uint64 `json:"version"`
	// Agent is who wrote it, by its own account, Identity by its credential.
	Agent    string    `json:"agent,omitempty"`
	Identity string    `json:"identity,omitempty"`
	Time     time.Time `json:"time"`
	// Expires is when nobody sees it any more; zero: never.
	Expires time.Time `json:"expires,omitzero"`
}

// Expired says whether the time of the value is over.
func (v *Value) Expired(now time.Time) bool { return !v.Expires.IsZero() && !now.Before(v.Expires) }

func newState() *State { return &State{Machines: map[string]*Machine{}, Values: map[string]*Value{}} }

// apply takes an entry in, whose line begins at an offset.
func (s *State) apply(e *Entry, at int64) {
	if e.Result != Accepted {
		return
	}
	switch e.Kind {
	case Create, Transition:
		s.step(e, at)
	case Ack:
		s.acknowledge(e)
	case Write:
		v := &Value{
			Key: e.Key, JSON: e.Value, Version: e.Seq, Agent: e.Agent, Identity: e.Identity, Time: e.Time, Expires: e.Expires,
		}
		s.put(v)
	case Delete, Expire:
		delete(s.Values, e.Key)
	}
}

func (s *State) step(e *Entry, at int64) {
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

// acknowledge takes steps from those that are pending.
func (s *State) acknowledge(e *Entry) {
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

func (s *State) put(v *Value) {
	s.Values[v.Key] = v
	if !v.Expires.IsZero() {
		heap.Push(&s.expiries, v)
	}
}

// Expired returns the values whose time is over, the first to expire first.
func (s *State) Expired(now time.Time) []*Value {
	var over []*Value
	for len(s.expiries) > 0 && s.expiries[0].Expired(now) {
		v, _ := heap.Pop(&s.expiries).(*Value)
		if s.Values[v.Key] == v {
			over = append(over, v)
		}
	}
	for _, v := range over { // they stay until they are recorded as expired
		heap.Push(&s.expiries, v)
	}

	return over
}

// expiries is a heap of values by the time at which they expire; of equal ones the first that was written. A value that was
// overwritten or deleted since leaves it when its time comes.
type expiries []*Value

func (x expiries) Len() int { return len(x) }

func (x expiries) Less(i, j int) bool {
	if x[i].Expires.Equal(x[j].Expires) {
		return x[i].Version < x[j].Version
	}

	return x[i].Expires.Before(x[j].Expires)
}

func (x expiries) Swap(i, j int) { x[i], x[j] = x[j], x[i] }

func (x *expiries) Push(v any) {
	if v, ok := v.(*Value); ok {
		*x = append(*x, v)
	}
}

func (x *expiries) Pop() any {
	last := len(*x) - 1
	v := (*x)[last]
	(*x)[last] = nil
	*x = (*x)[:last]

	return v
}
