package ir

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Machine goes from state to state until it is in a terminal. It is an agent of pattern fsm, the
// gate of a react agent, or a step of a workflow.
type Machine struct {
	// Initial is where execution starts.
	Initial Ref
	// States are in source order.
	States []*State
	// External says `drive: external`: no state runs an agent, and all terminals are markers.
	External bool
	// MaxSteps bounds the states whose body ran. MaxStepsAt is its place, the zero Span where it is
	// not written.
	MaxSteps   int
	MaxStepsAt source.Span
	// Partial says that something in the machine was reported while it was read (a value of the
	// wrong type, a guard that is not built yet), so that rows or the initial state may be missing
	// or mean something else. References in it are checked; what needs the whole machine (the
	// order of rows, reachability, keys) would only find consequences.
	Partial bool
	// Live is what the machine has for others to drive it; the zero Live where nothing is written.
	Live Live
	// Outputs are what `steps.<state>` names in guards: the newest value of a state's agent, in the
	// order of the states. Only those of states in which an agent runs are there.
	Outputs []*Output
	// rows are those of a workflow, as they were added.
	rows []*Row
}

// Pattern returns "fsm".
func (*Machine) Pattern() string { return "fsm" }

// IsLive reports whether the source asks for a machine that other code drives: by `drive:
// external`, `live: true`, or a field that says what such a machine does.
func (m *Machine) IsLive() bool {
	l := &m.Live

	return m.External || l.Wanted ||
		len(l.Signals)+len(l.Timers)+len(l.OnEnter)+len(l.OnExit)+len(l.Access)+len(l.Renames) > 0
}

// Ref is a reference to a state: the name as written, and the state or nil.
type Ref struct {
	Text
	State *State
}

// State is a state of a machine. Its body is an agent or, in a workflow, a pipeline.
type State struct {
	Name Text
	// Agent runs in the state; nil for a marker, in an external machine, in a workflow, and where
	// the name is undefined.
	Agent *Agent
	// Body are the steps of a state of a workflow. Those of an end never run.
	Body *Pipeline
	// End says that a workflow names the state among the ends of its machine.
	End bool
	// EndAt is where it does.
	EndAt source.Span
	// Always is the target of an unconditional state; nil otherwise.
	Always *Ref
	// Rows are the rows of the state in source order, without those from every state; empty for an
	// unconditional state.
	Rows []*Row `shape:"-"`
	// Empty is the place of a list without entries, which is a mistake; the zero Span otherwise.
	Empty source.Span `shape:"-"`
	// Next are the values of next_state that the steps of the body write or may answer with, as far
	// as they are known before the run, each with its place.
	Next []Ref `shape:"-"`
	// NextOpen says that a step of the body may write a next_state that only the run decides.
	NextOpen bool `shape:"-"`
}

// Terminal reports whether the machine ends in s: an agent's value in the source is null, a
// workflow lists it among the ends.
func (s *State) Terminal() bool {
	return s.End || s.Body == nil && s.Always == nil && len(s.Rows) == 0 && !s.Empty.IsValid()
}

// Marker reports whether s is a terminal in which no agent runs; nil is none.
func (s *State) Marker() bool { return s != nil && s.Terminal() && s.Agent == nil }

// CatchAll is the key that matches every answer, and in a workflow the state that a row names to
// lead from every one.
const CatchAll = "*"

// The events of a state with steps: how they ended. Of a state in which an agent runs, they are the
// keys of the agent.
const (
	OnSuccess = "success"
	OnFailure = "failure"
	OnPause   = "pause"
)

// Events are the events of a state with steps.
var Events = []string{OnSuccess, OnFailure, OnPause}

// Row is one row of a state.
type Row struct {
	// Span is the whole row in a workflow.
	Span source.Span `shape:"-"`
	// From is the state as a row of a workflow names it; zero where the row is written inside of
	// its state.
	From Ref
	// Key is the event as written; CatchAll matches whatever is left.
	Key Text
	// To is the target. A row with End set has none.
	To Ref
	// End says that the target is `~`: the machine ends at once with the current result.
	End bool
	// When is what has to hold; nil for a row without a guard.
	When *Guard
	// Priority says which of the rows of one key is tried first: that with the higher one, of equal
	// ones the first in the source. PriorityAt is its place, the zero Span where it is not written.
	Priority   int
	PriorityAt source.Span `shape:"-"`
}

// IsCatchAll reports whether r matches every answer.
func (r *Row) IsCatchAll() bool { return r.Key.Value == CatchAll }

// FromAny reports whether r leads from every state of a workflow's machine.
func (r *Row) FromAny() bool { return r.From.Value == CatchAll }

// Add adds a row of a workflow behind those that are there.
func (m *Machine) Add(row *Row) {
	m.rows = append(m.rows, row)
	if s := row.From.State; s != nil {
		s.Rows = append(s.Rows, row)
	}
}

// Ways returns the rows of a workflow's machine that a run can take in a state on an event, in the order in which they are tried:
// none behind one without a guard, and none from an end.
func (m *Machine) Ways(s *State, on string) []*Row {
	if s.End {
		return nil
	}
	var ways []*Row
	for _, row := range m.rows {
		if row.Key.Value != on || !row.FromAny() && row.From.State != s {
			continue
		}
		ways = append(ways, row)
		if row.When == nil {
			break
		}
	}

	return ways
}

// Rowless reports whether no row of a workflow's machine leads from a state with steps: the machine ends there, unless a step has
// set next_state.
func (m *Machine) Rowless(s *State) bool {
	leads := func(row *Row) bool { return row.FromAny() || row.From.State == s }

	return !s.End && !slices.ContainsFunc(m.rows, leads)
}

// Guards returns the guards of all rows in source order.
func (m *Machine) Guards() []*Guard {
	guarded := Where(m.Rows(), func(row *Row) bool { return row.When != nil })

	return Map(guarded, func(row *Row) *Guard { return row.When })
}

// Rows returns the rows of all states in source order, with those from every state.
func (m *Machine) Rows() []*Row {
	if m.rows != nil {
		return m.rows
	}

	return Flat(m.States, func(s *State) []*Row { return s.Rows })
}
