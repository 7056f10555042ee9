package hops

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Machine is a machine of a workflow as a graph.
type Machine struct {
	*ir.Machine
	// States are in source order.
	States []*State
	// Start is where it begins; nil if `start_state` names no state.
	Start *State

	of map[*ir.State]*State
}

// State is a state with what leads out of it.
type State struct {
	*ir.State
	// Index is its place among the states.
	Index int
	// Rows are those that a run can take here, in source order; none in an end state. A row on pause to the state itself, which
	// takes nothing but keeps those behind it from being taken, is among them.
	Rows []*ir.Row
	// Asks says that a step of the state asks a person: only then is there a pause. What a machine or a workflow inside of the
	// state asks is answered there.
	Asks bool
	// Open says that a next_state which only the run tells can be followed, so that any state may be next.
	Open bool
	// Stalls says that the machine can fail here because nothing leads on: no row may be taken after a success, and no next_state
	// may be there.
	Stalls bool
	// Next are the values of next_state that can be followed; nil where a row is always taken before.
	Next []ir.Ref
}

// Of returns the graph of a machine.
func Of(m *ir.Machine) *Machine {
	g := &Machine{Machine: m, of: make(map[*ir.State]*State, len(m.States))}
	for i, s := range m.States {
		state := &State{State: s, Index: i}
		g.States = append(g.States, state)
		g.of[s] = state
	}
	g.Start = g.of[m.Initial.State]

	rows := indexOf(m)
	for _, s := range g.States {
		if s.End {
			continue
		}
		s.Asks = asks(s.Body)
		s.Rows = rows.of(s)
		if s.AlwaysOn(ir.OnSuccess) == nil {
			s.Next, s.Open = s.State.Next, s.NextOpen
			s.Stalls = !names(s.State, s.Body)
		}
	}

	return g
}

// StateOf returns the graph's state for one of the machine; nil for nil and for that of another machine.
func (g *Machine) StateOf(s *ir.State) *State { return g.of[s] }

// On returns the rows that can be taken here on an event.
func (s *State) On(event string) []*ir.Row {
	return slices.DeleteFunc(slices.Clone(s.Rows), func(row *ir.Row) bool { return row.Key.Value != event })
}

// AlwaysOn returns the row that is taken here on an event if no row with a guard is; nil if there is none.
func (s *State) AlwaysOn(event string) *ir.Row {
	for _, row := range s.Rows {
		if row.Key.Value == event && row.When == nil {
			return row
		}
	}

	return nil
}

// Leads returns the states that rows and next_state lead to from s, in source order, each as often as something does. A
// reference to nothing leads nowhere; what Open leads to is not among them.
func (g *Machine) Leads(s *State) []*State {
	var to []*State
	add := func(ref ir.Ref) {
		if next := g.of[ref.State]; next != nil {
			to = append(to, next)
		}
	}
	for _, row := range s.Rows {
		if !Stays(s.State, row) {
			add(row.To)
		}
	}
	for _, ref := range s.Next {
		add(ref)
	}

	return to
}

// Stays reports whether nothing comes of a row in s: a person's answer goes on where it was asked for.
func Stays(s *ir.State, row *ir.Row) bool { return row.Key.Value == ir.OnPause && row.To.State == s }

// Reached marks the states that a run can come to from the start, by index; all of them if nobody can say where that is.
func (g *Machine) Reached() []bool {
	seen := make([]bool, len(g.States))
	if g.Start == nil {
		for i := range seen {
			seen[i] = true
		}
		return seen
	}
	seen[g.Start.Index] = true
	for queue := []*State{g.Start}; len(queue) > 0; queue = queue[1:] {
		next := g.Leads(queue[0])
		if queue[0].Open {
			next = g.States
		}
		for _, to := range next {
			if !seen[to.Index] {
				seen[to.Index] = true
				queue = append(queue, to)
			}
		}
	}

	return seen
}

// rowIndex finds the rows of a state without looking at those of all others.
type rowIndex struct {
	rows []*ir.Row
	// from are the rows of each state, by their places among all rows, any those from "*".
	from map[*ir.State][]int
	any  []int
}

func indexOf(m *ir.Machine) *rowIndex {
	x := &rowIndex{rows: m.Rows(), from: map[*ir.State][]int{}}
	always := map[string]bool{} // a row from "*" and without a guard hides all behind it
	for i, row := range x.rows {
		switch {
		case always[row.Key.Value]:
		case row.FromAny():
			x.any = append(x.any, i)
			always[row.Key.Value] = row.When == nil
		case row.From.State != nil:
			x.from[row.From.State] = append(x.from[row.From.State], i)
		}
	}

	return x
}

// of returns the rows that a run can take in a state.
func (x *rowIndex) of(s *State) []*ir.Row {
	at := append(slices.Clone(x.from[s.State]), x.any...)
	slices.Sort(at)
	always := map[string]bool{ir.OnPause: !s.Asks}
	var rows []*ir.Row
	for _, i := range at {
		row := x.rows[i]
		if !always[row.Key.Value] {
			rows = append(rows, row)
			always[row.Key.Value] = row.When == nil
		}
	}

	return rows
}
