package flow

import (
	"maps"

	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// measurePaths finds the fewest steps and calls to an end, and the outcomes within max_steps.
func (x *Machine) measurePaths() {
	if x.isDriven() {
		return
	}
	for _, s := range x.States {
		if s.Reached {
			x.unbound = x.unbound.merge(s.exits, 0)
		}
	}
	if x.Start == nil || x.Partial {
		x.outcomes = x.unbound
		return
	}
	for _, s := range x.States {
		if !s.Reached || s.IsMarker() || !s.canEnd() {
			continue
		}
		if x.Nearest == nil || s.Steps+1 < x.Steps {
			x.Nearest, x.Steps = s, s.Steps+1
		}
	}
	least, frontier := map[*State]int{x.Start: 0}, []*State{x.Start}
	for steps := 0; len(frontier) > 0 && (steps < x.MaxSteps || x.MaxSteps == 0); steps++ {
		for _, s := range frontier {
			if !s.IsMarker() && s.canEnd() {
				x.outcomes = x.outcomes.merge(s.exits, least[s])
			}
		}
		frontier = relaxMoves(frontier, least)
	}
}

// canEnd reports whether the machine can end in a state after its agent has run.
func (s *State) canEnd() bool { return s.ends || s.Anywhere || s.Unrouted || !s.exits.IsNone() }

// relaxMoves returns the states that are reached from a frontier with fewer calls of models than
// before. least are the fewest calls so far to each state.
func relaxMoves(frontier []*State, least map[*State]int) []*State {
	var next []*State
	better := map[*State]int{}
	for _, s := range frontier {
		for _, move := range s.Moves {
			if move.To == nil || move.Dead != Alive {
				continue
			}
			calls := least[s] + move.calls
			if known, ok := least[move.To]; ok && known <= calls {
				continue
			}
			pending, isPending := better[move.To]
			if !isPending {
				next = append(next, move.To)
			}
			if !isPending || calls < pending {
				better[move.To] = calls
			}
		}
	}
	maps.Copy(least, better)

	return next
}

// moveGraph returns the targets of the moves that can be taken from each state. If sure is true, it
// omits moves after failures.
func (x *Machine) moveGraph(sure bool) [][]int {
	next := make([][]int, len(x.States))
	for i, s := range x.States {
		for _, move := range s.Moves {
			if move.leads() && !(sure && move.Unless) {
				next[i] = append(next[i], move.To.Index)
			}
		}
	}

	return next
}

// Cycles returns the number of groups of states that lead to each other or to themselves.
func (x *Machine) Cycles() int {
	next := append(x.moveGraph(false), nil) // a node between the states with unknown targets and all states
	anywhere := len(x.States)
	for i, s := range x.States {
		next[anywhere] = append(next[anywhere], i)
		if s.Anywhere {
			next[i] = append(next[i], anywhere)
		}
	}

	return len(scc.Cycles(next))
}
