package ir

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Machine runs state by state until it is in a terminal. It is an agent of pattern fsm, the gate of
// a react agent, or a step of a workflow.
type Machine struct {
	// Initial is the first state.
	Initial Ref
	// States are in source order.
	States []*State
	// External is set by `drive: external`: no state runs an agent, and all terminals are markers.
	External bool
	// MaxSteps bounds the states whose body ran. MaxStepsAt is its position, the zero Span if it is
	// not written.
	MaxSteps   int
	MaxStepsAt source.Span
	// Partial is set if a problem was reported while the machine was read, such as a value of the
	// wrong type or an invalid guard. Rows or the initial state may then be missing or mean
	// something else. The checks verify its references, but skip what needs the whole machine
	// (order of rows, reachability, keys): they would only find consequences.
	Partial bool
	// Live is the part for other code that drives the machine; the zero Live if nothing is written.
	Live Live
	// Outputs are the values that `steps.<state>` names in guards: the newest value of the agent of
	// a state, in the order of the states. States without an agent have none.
	Outputs []*Output
	// rows are the rows of a workflow's machine, in the order of AddRow; fromAny are the rows that
	// lead from every state.
	rows, fromAny []*Row
}

// Pattern returns "fsm".
func (*Machine) Pattern() string { return "fsm" }

// IsLive reports whether other code drives the machine, too. The source asks for it by `drive:
// external`, `live: true`, or a field for live machines.
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
	// Agent runs in the state. It is nil for a marker, in an external machine, in a workflow, and
	// if the name is undefined.
	Agent *Agent
	// Body is the steps of a state of a workflow. The steps of an end never run.
	Body *Pipeline
	// End reports whether a workflow lists the state among the ends of its machine.
	End bool
	// Fails reports whether the machine fails when it ends in the state, which is an end.
	Fails bool `shape:"-"`
	// EndAt is the position of the entry in the list.
	EndAt source.Span
	// Always is the target of an unconditional state; nil otherwise.
	Always *Ref
	// Rows are the rows of the state in source order, without rows from every state. They are empty
	// for an unconditional state.
	Rows []*Row `shape:"-"`
	// Empty is the position of a list without entries, which is a mistake; the zero Span otherwise.
	Empty source.Span `shape:"-"`
	// Next are the values of next_state that the steps of the body write or may return, if they are
	// known before the run. Each has its position.
	Next []Ref `shape:"-"`
	// NextOpen is set if a step of the body may write a next_state that only the run decides.
	NextOpen bool `shape:"-"`
}

// IsTerminal reports whether the machine ends in s: the value of an agent's state is null, or a
// workflow lists it among the ends.
func (s *State) IsTerminal() bool {
	if s.End {
		return true
	}

	return s.Body == nil && s.Always == nil && len(s.Rows) == 0 && !s.Empty.IsValid()
}

// IsMarker reports whether s is a terminal in which no agent runs. It is false for nil.
func (s *State) IsMarker() bool { return s != nil && s.IsTerminal() && s.Agent == nil }

// CatchAll is the key that matches every answer. In a workflow it is also the From of a row that
// leads from every state.
const CatchAll = "*"

// The events of a state with steps: how they ended. In a state with an agent, the events are the
// agent's keys.
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
	// From is the state as a row of a workflow names it. It is the zero Ref if the row is written
	// inside of its state.
	From Ref
	// Key is the event as written. CatchAll matches every other event.
	Key Text
	// To is the target. A row with End has none.
	To Ref
	// End reports whether the target is `~`: the machine ends immediately with the current result.
	End bool
	// When is the guard; nil for a row without one.
	When *Guard
	// IsTimeout is set for a row on failure that is written as one on timeout. Its guard is true for
	// such failures.
	IsTimeout bool `shape:"-"`
	// Priority decides which row of a key is tried first: the one with the highest priority, and of
	// equal ones the first in the source. PriorityAt is its position, the zero Span if it is not
	// written.
	Priority   int
	PriorityAt source.Span `shape:"-"`
	// order is the index of the row in a workflow's machine.
	order int `shape:"-"`
}

// IsCatchAll reports whether r matches every answer.
func (r *Row) IsCatchAll() bool { return r.Key.Value == CatchAll }

// IsFromAny reports whether r leads from every state of a workflow's machine.
func (r *Row) IsFromAny() bool { return r.From.Value == CatchAll }

// AddRow appends a row to the machine of a workflow.
func (m *Machine) AddRow(row *Row) {
	row.order = len(m.rows)
	m.rows = append(m.rows, row)
	if s := row.From.State; s != nil {
		s.Rows = append(s.Rows, row)
	}
	if row.IsFromAny() {
		m.fromAny = append(m.fromAny, row)
	}
}

// PrependRow adds a row to the machine of a workflow that is tried before all others.
func (m *Machine) PrependRow(row *Row) {
	for _, other := range m.rows {
		other.order++
	}
	m.rows = append([]*Row{row}, m.rows...)
	row.From.State.Rows = append([]*Row{row}, row.From.State.Rows...)
}

// rowsFrom returns the rows that lead from a state, in the order of AddRow.
func (m *Machine) rowsFrom(s *State) []*Row {
	if len(m.fromAny) == 0 {
		return s.Rows
	}
	rows := slices.Concat(s.Rows, m.fromAny)
	slices.SortFunc(rows, func(a, b *Row) int { return a.order - b.order })

	return rows
}

// RowsOn returns the rows that a run can take in a state on an event, in the order in which they
// are tried. It ends with the first row without a guard. An end has no rows. It is for machines of
// workflows.
func (m *Machine) RowsOn(s *State, event string) []*Row {
	if s.End {
		return nil
	}
	var rows []*Row
	for _, row := range m.rowsFrom(s) {
		if row.Key.Value != event {
			continue
		}
		rows = append(rows, row)
		if row.When == nil {
			break
		}
	}

	return rows
}

// GuardedRowsOn returns the rows on an event if the first of them has a guard, and otherwise nil.
func (m *Machine) GuardedRowsOn(s *State, event string) []*Row {
	rows := m.RowsOn(s, event)
	if len(rows) > 0 && rows[0].When == nil {
		return nil
	}

	return rows
}

// UnguardedRows returns the rows of a state that a run takes on their event without trying a guard.
func (m *Machine) UnguardedRows(s *State) []*Row {
	var rows []*Row
	for _, event := range Events {
		if tried := m.RowsOn(s, event); len(tried) > 0 && tried[0].When == nil {
			rows = append(rows, tried[0])
		}
	}

	return rows
}

// HasNoRows reports whether no row leads from a state with steps. The machine then ends there,
// unless a step has set next_state. It is for machines of workflows.
func (m *Machine) HasNoRows(s *State) bool {
	return !s.End && len(s.Rows) == 0 && len(m.fromAny) == 0
}

// Guards returns the guards of all rows in source order.
func (m *Machine) Guards() []*Guard {
	guarded := Where(m.Rows(), func(row *Row) bool { return row.When != nil })

	return Map(guarded, func(row *Row) *Guard { return row.When })
}

// Rows returns the rows of all states in source order, including rows from every state.
func (m *Machine) Rows() []*Row {
	if m.rows != nil {
		return m.rows
	}

	return FlatMap(m.States, func(s *State) []*Row { return s.Rows })
}
