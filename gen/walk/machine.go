package walk

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
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
			x.states[i].runs = runs
			x.states[i].moves = movesOf(s, runs, row, index)
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
func (b *builder) runs(m *ir.Machine, s *ir.State, outer keys.Place) *node {
	switch place := keys.Of(s).At(outer); {
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

// movesOf returns the moves of a state whose first row has the number row.
func movesOf(s *ir.State, runs *node, row int, index map[*ir.State]int) []move {
	target := func(to *ir.State) int {
		at, known := index[to]
		if !known || keys.Ends(to) {
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
		at := rows.route(runs.outcomes[i].key)
		if at < 0 {
			continue
		}
		to := -1
		if !s.Rows[at].End {
			to = target(s.Rows[at].To.State)
		}
		moves = append(moves, move{outcome: i, row: row + at, to: to})
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

// router finds the row of a key.
type router struct {
	exact, folded map[string]int
	catchAll      int // -1: none
}

func newRouter(s *ir.State) *router {
	r := &router{exact: make(map[string]int, len(s.Rows)), folded: make(map[string]int, len(s.Rows)), catchAll: -1}
	for i, row := range s.Rows {
		if row.IsCatchAll() {
			r.catchAll = i
			continue
		}
		if _, known := r.exact[row.Key.Value]; !known {
			r.exact[row.Key.Value] = i
		}
		if _, known := r.folded[keys.Fold(row.Key.Value)]; !known {
			r.folded[keys.Fold(row.Key.Value)] = i
		}
	}

	return r
}

// route returns the row that a key takes; -1 if there is none.
func (r *router) route(key string) int {
	if i, ok := r.exact[key]; ok {
		return i
	}
	if i, ok := r.folded[keys.Fold(key)]; ok {
		return i
	}

	return r.catchAll
}

// turns are those of what a move runs.
func (x *machine) turns(a arc) int {
	s := &x.states[a.state]

	return s.runs.outcomes[s.moves[a.move].outcome].turns
}

// finish finds the ways to the states, and with them the outcomes.
func (x *machine) finish(n *node) {
	x.reachAll()
	for i := range x.states {
		s := &x.states[i]
		last := len(s.reach) - 1
		if last < 0 {
			continue
		}
		for j, mv := range s.moves {
			if mv.to >= 0 {
				continue
			}
			o := s.runs.outcomes[mv.outcome]
			n.add(outcome{
				key: o.key, done: o.done, turns: plus(s.reach[last].turns, o.turns), way: way{at: i, move: j, label: last},
			})
		}
	}
	if len(n.outcomes) == 0 {
		n.problem = "nothing in it leads to an end"
	}
}

// reachAll finds the ways from the beginning to the states, a step at a time.
func (x *machine) reachAll() {
	if x.first < 0 || x.states[x.first].runs == nil || x.bound < 1 {
		return
	}
	x.states[x.first].reach = []label{{last: arc{-1, -1}, label: -1}}
	x.spread([]int{x.first}, 1, func(i int) *[]label { return &x.states[i].reach }, func(from int, visit func(arc, int)) {
		for j, mv := range x.states[from].moves {
			if mv.to >= 0 {
				visit(arc{from, j}, mv.to)
			}
		}
	})
}

// spread carries new labels on from states, whose newest labels have the same number of steps, along arcs, until
// nothing gets better or the bound is reached; room are the steps that have to be left.
func (x *machine) spread(
	states []int, room int, labels func(int) *[]label, arcs func(from int, visit func(a arc, to int)),
) {
	better := make([]label, len(x.states))
	for len(states) > 0 {
		var next []int
		for _, from := range states {
			at := *labels(from)
			way := at[len(at)-1]
			if way.steps+1+room > x.bound {
				continue
			}
			arcs(from, func(a arc, to int) {
				turns := plus(way.turns, x.turns(a))
				known := *labels(to)
				if turns >= infinite || len(known) > 0 && known[len(known)-1].turns <= turns {
					return
				}
				switch b := &better[to]; {
				case b.steps == 0:
					next = append(next, to)
				case b.turns <= turns:
					return
				}
				better[to] = label{steps: way.steps + 1, turns: turns, last: a, label: len(at) - 1}
			})
		}
		for _, to := range next {
			known := labels(to)
			*known = append(*known, better[to])
			better[to] = label{}
		}
		states = next
	}
}

// leaveAll finds the ways from the states to the end, a step at a time, from the end.
func (x *machine) leaveAll(n *node) {
	var last []int
	for i := range x.states {
		s := &x.states[i]
		best := label{turns: infinite}
		for j, mv := range s.moves {
			if mv.to >= 0 {
				continue
			}
			o := s.runs.outcomes[mv.outcome]
			if turns := plus(o.turns, x.restOf(n, o)); turns < best.turns {
				best = label{steps: 1, turns: turns, last: arc{i, j}, label: -1}
			}
		}
		if best.turns < infinite && x.bound > 0 {
			s.leave = []label{best}
			last = append(last, i)
		}
	}
	x.spread(last, 0, func(i int) *[]label { return &x.states[i].leave }, func(to int, visit func(arc, int)) {
		for _, a := range x.states[to].from {
			visit(a, a.state)
		}
	})
}

// restOf are the turns around the machine when it ends with the outcome o of what it runs; infinite if it cannot.
func (x *machine) restOf(n *node, o outcome) int {
	if i, ok := n.index[outcomeKey{keys.Fold(o.key), o.done}]; ok {
		return n.outcomes[i].rest
	}

	return infinite
}

// surround finds the shortest walk by each move.
func (x *machine) surround(n *node) {
	x.leaveAll(n)
	for i := range x.states {
		s := &x.states[i]
		if len(s.reach) == 0 {
			continue
		}
		s.runs.entered = true
		x.found.reached(i, s.moves)
		for j, mv := range s.moves {
			before, after, around := x.join(n, i, j)
			if around >= infinite {
				continue
			}
			p := pass{by: n, runs: s.runs, outcome: mv.outcome, at: i, move: j, before: before, after: after}
			s.runs.improve(mv.outcome, around, p)
			x.found.ended(mv, plus(around, s.runs.outcomes[mv.outcome].turns), p)
		}
	}
}

// join returns the ways before and behind a move that together have the fewest turns within the bound, and these
// turns, without those of the move itself. after is -1 when the machine ends with it.
func (x *machine) join(n *node, state, i int) (before, after, turns int) {
	s := &x.states[state]
	mv := s.moves[i]
	if mv.to < 0 {
		last := len(s.reach) - 1
		return last, -1, plus(s.reach[last].turns, x.restOf(n, s.runs.outcomes[mv.outcome]))
	}

	turns = infinite
	behind := x.states[mv.to].leave
	for b, way := range s.reach {
		for a := len(behind) - 1; a >= 0; a-- {
			if way.steps+1+behind[a].steps > x.bound {
				continue
			}
			if sum := plus(way.turns, behind[a].turns); sum < turns {
				before, after, turns = b, a, sum
			}
			break // the ways before it have more turns
		}
	}

	return before, after, turns
}

// ends returns the outcome of n with which a pass ends.
func (x *machine) ends(p *pass) int {
	a, rest := arc{p.at, p.move}, p.after
	for to := x.to(a); to >= 0; to = x.to(a) {
		way := x.states[to].leave[rest]
		a, rest = way.last, way.label
	}
	s := &x.states[a.state]

	return p.by.find(s.runs.outcomes[s.moves[a.move].outcome])
}

func (x *machine) to(a arc) int { return x.states[a.state].moves[a.move].to }

// wayTo returns the moves that a label of a state stands for.
func (x *machine) wayTo(state, i int) []arc {
	var moves []arc
	for i >= 0 {
		l := x.states[state].reach[i]
		if l.label < 0 {
			break
		}
		moves = append(moves, l.last)
		state, i = l.last.state, l.label
	}
	for i, j := 0, len(moves)-1; i < j; i, j = i+1, j-1 {
		moves[i], moves[j] = moves[j], moves[i]
	}

	return moves
}

func (x *machine) play(r *recorder, b *branch, _ *node, w way) {
	for _, a := range x.wayTo(w.at, w.label) {
		x.step(r, b, a)
	}
	x.step(r, b, arc{w.at, w.move})
}

func (x *machine) pass(r *recorder, b *branch, p *pass, focus func(*branch)) {
	for _, a := range x.wayTo(p.at, p.before) {
		x.step(r, b, a)
	}
	a, rest := arc{p.at, p.move}, p.after
	focus(b)
	x.took(r, a)
	for to := x.to(a); to >= 0; to = x.to(a) {
		way := x.states[to].leave[rest]
		a, rest = way.last, way.label
		x.step(r, b, a)
	}
}

// step answers for a state and takes the row.
func (x *machine) step(r *recorder, b *branch, a arc) {
	s := &x.states[a.state]
	r.play(b, s.runs, s.moves[a.move].outcome)
	x.took(r, a)
}

func (x *machine) took(r *recorder, a arc) {
	if row := x.states[a.state].moves[a.move].row; row >= 0 {
		r.took(x.found.Rows[row])
	}
}
