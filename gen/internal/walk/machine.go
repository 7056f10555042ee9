package walk

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machine is a body with states.
type machine struct {
	// found is what is found out about the machine, at all its places together.
	found *Machine
	bound int
	// first is the initial state; -1 if there is none.
	first  int
	states []state
}

// state is a state of a machine.
type state struct {
	// runs is what runs in it; nil in a marker.
	runs  *node
	moves []move
	// from are the moves that lead here.
	from []arc
	// reach are ways from the beginning to the state, leave ways from it to the end, with ever more steps and ever
	// fewer turns.
	reach, leave []label
}

// move is what happens when the agent of a state finishes with one of its outcomes.
type move struct {
	outcome int
	// row is the row that is taken; -1 in a terminal.
	row int
	// to is the state that follows; -1 when the machine ends.
	to int
	// asked is what the guards say then that are asked, and open one of them of which nobody knows that before a run; nil if
	// there is none.
	asked sayings
	open  *ir.Guard
}

// arc is a move of a state.
type arc struct{ state, move int }

// label is a way to a state, or from it to the end.
type label struct {
	// steps are the agents that it runs: without the state's own on the way to it, and with it on the way to the end.
	steps, turns int
	// last is the move with which it comes to the state, or leaves it, and label what is before or behind that; -1 if
	// nothing is.
	last  arc
	label int
}

func (b *builder) machine(n *node, a *ir.Agent, m *ir.Machine) {
	found := b.machines[a]
	if found == nil {
		found = newMachine(a, m)
		b.machines[a] = found
	}
	x := &machine{found: found, bound: b.limits.of(m), first: -1, states: make([]state, len(m.States))}
	n.body = x
	found.nodes = append(found.nodes, n)

	index := make(map[*ir.State]int, len(m.States))
	for i, s := range m.States {
		index[s] = i
	}
	if first, ok := index[m.Initial.State]; ok {
		x.first = first
	}
	row := 0
	for i, s := range m.States {
		if runs := b.runs(m, s, n.place); runs != nil {
			runs = b.signalled(m, s, runs)
			x.states[i].runs = runs
			x.states[i].moves = b.movesOf(s, runs, row, index)
			n.cut = n.cut || runs.cut
		}
		row += rowCount(s)
	}
	for i := range x.states {
		for j, mv := range x.states[i].moves {
			if mv.to >= 0 {
				x.states[mv.to].from = append(x.states[mv.to].from, arc{i, j})
			}
		}
	}
}

// runs returns the node of what runs in a state of a machine at a place; nil for a marker.
func (b *builder) runs(m *ir.Machine, s *ir.State, outer ir.Place) *node {
	switch place := s.Place().Within(outer); {
	case s.Agent != nil:
		return b.agent(s.Agent, place)
	case m.External && !s.Terminal():
		n := &node{place: place}
		b.driver(n)
		return n
	}

	return nil
}

func rowCount(s *ir.State) int {
	if s.Always != nil {
		return 1
	}

	return len(s.Rows)
}

// movesOf returns the moves of a state whose first row has the number row. Where nobody knows what a guard says, a key has no move
// to what depends on that, or, if the builder guesses, one to each row that it may take.
func (b *builder) movesOf(s *ir.State, runs *node, row int, index map[*ir.State]int) []move {
	target := func(to *ir.State) int {
		at, known := index[to]
		if !known || to.Marker() {
			return -1
		}

		return at
	}
	switch {
	case s.Terminal():
		return everyOutcome(runs, -1, -1)
	case s.Always != nil:
		return everyOutcome(runs, row, target(s.Always.State))
	}

	rows := newRouter(s)
	var moves []move
	for i := range runs.outcomes {
		for _, t := range rows.routes(runs.outcomes[i].key) {
			if t.open != nil && !b.guesses {
				continue
			}
			to := -1
			if !s.Rows[t.row].End {
				to = target(s.Rows[t.row].To.State)
			}
			moves = append(moves, move{outcome: i, row: row + t.row, to: to, asked: t.asked, open: t.open})
		}
	}

	return moves
}

func everyOutcome(runs *node, row, to int) []move {
	moves := make([]move, len(runs.outcomes))
	for i := range moves {
		moves[i] = move{outcome: i, row: row, to: to}
	}

	return moves
}
