package live

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// snapshot is a machine as JSON.
type snapshot struct {
	Type     string            `json:"type"`
	State    *string           `json:"current_state"`
	Machine  string            `json:"machine,omitempty"`
	Shape    string            `json:"shape,omitempty"`
	Seq      uint64            `json:"seq,omitempty"`
	Visits   map[string]int64  `json:"visits,omitempty"`
	Values   map[string]string `json:"values,omitempty"`
	Deadline *time.Time        `json:"deadline,omitempty"`
	Signals  []signals.Signal  `json:"signals,omitempty"`
}

// snapshotType is the type of every snapshot.
const snapshotType = "fsm"

// Snapshot returns the machine as JSON: its state and sequence number and, where guards, timers or
// deferred signals need them, visits, values, the deadline and the signals. The history is not part
// of it.
func (m *Machine[S, K]) Snapshot() (json.RawMessage, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	name := m.now.state.String()
	s := snapshot{Type: snapshotType, State: &name, Machine: m.spec.Name, Shape: m.spec.Shape, Seq: m.now.seq}
	if m.spec.Guarded != nil {
		s.Visits = map[string]int64{}
		for i, n := range m.now.visits {
			if n > 0 {
				s.Visits[S(i).String()] = n
			}
		}
	}
	if m.spec.Values {
		s.Values = map[string]string{}
		for i, value := range m.now.values {
			if value != "" {
				s.Values[S(i).String()] = value
			}
		}
	}
	if m.spec.Timers != nil && !m.now.deadline.IsZero() {
		s.Deadline = &m.now.deadline
	}
	if m.extra != nil {
		s.Signals = m.extra.later
	}

	return json.Marshal(s)
}

// Restore puts the machine into the state of a snapshot; the two fields type and current_state are
// enough. A snapshot of another shape of the machine is accepted if its state still exists, perhaps
// under a new name; data about states that no longer exist is dropped. Guards are not called,
// subscribers are not notified, and the history is empty afterwards. Errors: *drive.SnapshotError;
// the machine is unchanged then.
func (m *Machine[S, K]) Restore(from json.RawMessage) error {
	s, err := m.readSnapshot(from)
	if err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	now, err := m.readMoment(s)
	if err != nil {
		return err
	}
	m.now = now
	if m.extra != nil || s.Signals != nil {
		e := m.ensureExtra()
		e.later = s.Signals
		e.history = history{keep: e.history.keep}
	}

	return nil
}

// readSnapshot reads JSON, and whether it is for this kind of machine.
func (m *Machine[S, K]) readSnapshot(from json.RawMessage) (s snapshot, err error) {
	problem := ""
	switch err = json.Unmarshal(from, &s); {
	case err != nil:
		problem = "the snapshot cannot be read"
	case s.Type != snapshotType:
		problem = "the type is " + strconv.Quote(s.Type) + ", not " + strconv.Quote(snapshotType)
	case s.Machine != "" && s.Machine != m.spec.Name:
		problem = "the snapshot is of machine " + strconv.Quote(s.Machine)
	case s.State == nil:
		problem = "the snapshot has no current_state"
	default:
		return s, nil
	}

	return s, &drive.SnapshotError{Machine: m.spec.Name, Problem: problem, Err: err}
}

// readMoment returns the moment that a snapshot describes.
func (m *Machine[S, K]) readMoment(s snapshot) (now moment[S], err error) {
	state, known := m.stateOf(*s.State, s.Shape)
	if !known {
		return now, &drive.SnapshotError{
			Machine: m.spec.Name, Problem: "it has no state " + strconv.Quote(*s.State) + ", under no older name either",
		}
	}
	now = moment[S]{seq: max(s.Seq, 1), state: state}
	if m.now.memory != nil {
		now.memory = m.spec.newMemory(m.now.guards)
	}
	if err := m.restoreVisits(&now, s); err != nil {
		return now, err
	}
	m.restoreValues(&now, s)
	if m.spec.Timers != nil {
		m.setDeadline(&now)
		if s.Deadline != nil && !now.deadline.IsZero() {
			now.deadline = *s.Deadline
		}
	}

	return now, nil
}

// stateOf finds a state by the name that a machine of a shape has for it.
func (m *Machine[S, K]) stateOf(name, shape string) (S, bool) {
	if name == "" {
		return 0, m.spec.Ends
	}
	if shape != "" && shape != m.spec.Shape {
		if s, ok := m.spec.Renames[name]; ok {
			return s, true
		}
	}
	if s, err := m.spec.Parse(name); err == nil {
		return s, true
	}

	s, ok := m.spec.Renames[name]

	return s, ok
}

// restoreVisits takes the visits of a snapshot. Without any the state has been entered once.
func (m *Machine[S, K]) restoreVisits(now *moment[S], s snapshot) error {
	if m.spec.Guarded == nil {
		return nil
	}
	for name, n := range s.Visits {
		if n < 0 || n > mostVisits {
			return &drive.SnapshotError{Machine: m.spec.Name, Problem: "the visits of " + strconv.Quote(name) + " are not a count"}
		}
		if state, known := m.stateOf(name, s.Shape); known && state != 0 {
			now.visits[state] += n
		}
	}
	if now.state != 0 {
		now.visits[now.state] = max(now.visits[now.state], 1)
	}

	return nil
}

// mostVisits is what a machine can have reached, and far from where numbers end.
const mostVisits = 1 << 53

// restoreValues takes the values of a snapshot.
func (m *Machine[S, K]) restoreValues(now *moment[S], s snapshot) {
	if !m.spec.Values {
		return
	}
	for name, value := range s.Values {
		if state, known := m.stateOf(name, s.Shape); known && state != 0 {
			now.values[state] = value
		}
	}
}
