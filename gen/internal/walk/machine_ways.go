package walk

import "github.com/agentc-dev/agentc/gen/internal/ir"

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
	if i, ok := n.index[outcomeKey{ir.FoldKey(o.key), o.done}]; ok {
		return n.outcomes[i].rest
	}

	return infinite
}
