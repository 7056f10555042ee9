package walk

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
