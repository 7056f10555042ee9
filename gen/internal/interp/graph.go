package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// extrapolate returns how a machine ends from a step on, where the domain can say it. Where it can
// not, it is asked again behind twice as many visits.
func (r *machineRun[S]) extrapolate(steps int) (ends Ends[S], ok bool) {
	domain, can := r.domain.(Extrapolator[S])
	if !can || r.visits < 2*r.tried {
		return ends, false
	}
	all, isSettled := domain.Settled(r.machine)
	if !isSettled {
		return ends, false
	}
	r.tried = r.visits
	g, ok := r.graph(all, steps)
	if !ok {
		return ends, false
	}

	return domain.Extrapolate(g), true
}

// graph returns what the states do to which the visits of a step lead; ok is false where one of them
// is entered with runs that are not among all.
func (r *machineRun[S]) graph(all S, steps int) (g Graph[S], ok bool) {
	g = Graph[S]{All: all, Left: r.machine.MaxSteps - steps}
	begin, ends, ok := r.next, r.ends, true
	nodes := map[*ir.State]int{}
	enter := func(v visit[S]) int {
		fresh, _ := r.domain.Fresh(all, v.found)
		ok = ok && r.domain.IsNone(fresh)
		i, isKnown := nodes[v.state]
		if !isKnown {
			i = len(g.Nodes)
			nodes[v.state], g.Nodes = i, append(g.Nodes, Node[S]{State: v.state, Begins: r.domain.None()})
		}
		return i
	}
	for _, v := range begin {
		i := enter(v)
		g.Nodes[i].Begins = r.domain.Join(g.Nodes[i].Begins, v.found)
	}
	for i := 0; ok && i < len(g.Nodes); i++ {
		r.clear()
		r.ends = r.none()
		r.visit(g.Nodes[i].State, all, steps)
		for _, v := range r.next {
			to := enter(v)
			g.Nodes[i].Moves = append(g.Nodes[i].Moves, Edge[S]{to, v.found})
		}
		g.Nodes[i].Ends = r.ends
	}
	r.next, r.ends = begin, ends

	return g, ok
}
