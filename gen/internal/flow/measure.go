package flow

// label is a way to a state: how many agents run on it, and how many calls of models they make at least.
type label struct{ steps, calls int }

// measure finds the fewest steps and calls to an end, and what comes out of the machine within max_steps.
func (x *Machine) measure() {
	if x.driven() {
		return
	}
	for _, s := range x.States {
		if s.Reached {
			x.unbound = x.unbound.with(s.exits, 0)
		}
	}
	if x.Start == nil || x.Partial {
		x.outcomes = x.unbound.clone()
		return
	}
	x.fewestSteps()
	x.Calls = never
	best := make([][]label, len(x.States))
	best[x.Start.Index] = []label{{}}
	frontier := []*State{x.Start}
	for steps := 0; len(frontier) > 0 && (steps < x.MaxSteps || x.MaxSteps == 0); steps++ {
		frontier = x.spread(frontier, best)
	}
	if x.Calls >= never {
		x.Calls = 0
	}
}

// fewestSteps finds out how many agents run at least until the machine ends.
func (x *Machine) fewestSteps() {
	for _, s := range x.States {
		if s.Reached && !s.Marker() && s.canEnd() && (x.Nearest == nil || s.Steps+1 < x.Steps) {
			x.Nearest, x.Steps = s, s.Steps+1
		}
	}
}

// canEnd reports whether the machine can end in a state when its agent has run.
func (s *State) canEnd() bool { return s.ends || s.Anywhere || s.Unrouted || !s.exits.None() }

// spread runs the agents of some states, and returns the states that are reached with fewer calls than before.
func (x *Machine) spread(frontier []*State, best [][]label) []*State {
	var next []*State
	better := map[*State]label{}
	for _, s := range frontier {
		way := best[s.Index][len(best[s.Index])-1]
		if s.Marker() {
			continue
		}
		if s.canEnd() {
			x.outcomes = x.outcomes.with(s.exits, way.calls)
			x.Calls = min(x.Calls, way.calls+s.exits.Calls())
		}
		for _, move := range s.Moves {
			if move.To == nil || move.Dead != Alive {
				continue
			}
			calls := way.calls + move.calls
			known := best[move.To.Index]
			if len(known) > 0 && known[len(known)-1].calls <= calls {
				continue
			}
			pending, isPending := better[move.To]
			if !isPending {
				next = append(next, move.To)
			} else if pending.calls <= calls {
				continue
			}
			better[move.To] = label{steps: way.steps + 1, calls: calls}
		}
	}
	for _, s := range next {
		best[s.Index] = append(best[s.Index], better[s])
	}

	return next
}
