package flow

import "github.com/agentc-dev/agentc/gen/internal/scc"

// graph returns the states that moves which can be taken lead to from each state; with sure, without those of failures alone.
func (x *Machine) graph(sure bool) [][]int {
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

// Cycles returns how many groups of states lead to each other or to themselves.
func (x *Machine) Cycles() int {
	next := append(x.graph(false), nil) // a node between the states from which every other one may be next, and these
	anywhere := len(x.States)
	for i, s := range x.States {
		next[anywhere] = append(next[anywhere], i)
		if s.Anywhere {
			next[i] = append(next[i], anywhere)
		}
	}

	return len(scc.Cycles(next))
}
