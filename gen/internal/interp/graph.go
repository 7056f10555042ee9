package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// extrapolate returns how a machine ends from a step on, if the domain can compute it. If it
// cannot, it is tried again after twice as many visits.
func (r *machineRun[S]) extrapolate(steps int) (ends Ends[S], ok bool) {
	domain, can := r.domain.(Extrapolator[S])
	if !can || r.visits < 2*r.triedVisits {
		return ends, false
	}
	all, isSettled := domain.Settled(r.machine)
	if !isSettled {
		return ends, false
	}
	r.triedVisits = r.visits
	g, ok := r.buildGraph(all, steps)
	if !ok {
		return ends, false
	}

	return domain.Extrapolate(g), true
}

// buildGraph returns what the states do to which the visits of a step lead; ok is false where one
// of them is entered with runs that are not among all. Without all, each state is looked at until
// it is entered with no others.
func (r *machineRun[S]) buildGraph(all S, steps int) (g Graph[S], ok bool) {
	begin, ends := r.next, r.ends
	b := &graphBuilder[S]{
		machineRun: r, graph: Graph[S]{All: all, StepsLeft: r.machine.MaxSteps - steps},
		nodes: map[*ir.State]int{}, isClosed: true,
	}
	for _, v := range begin {
		i := b.enter(v)
		b.graph.Nodes[i].Begins = Join(r.domain, b.graph.Nodes[i].Begins, v.runs)
	}
	for b.isClosed && len(b.queue) > 0 {
		b.look(steps)
	}
	r.next, r.ends = begin, ends

	return b.graph, b.isClosed
}

// graphBuilder finds the nodes of a graph.
type graphBuilder[S any] struct {
	*machineRun[S]
	graph Graph[S]
	nodes map[*ir.State]int
	// given are the runs with which each node is looked at, queue are the nodes to look at, and
	// isQueued is true for each of them.
	given    []S
	queue    []int
	isQueued []bool
	// isClosed is set while no node was entered with runs that are not among all.
	isClosed bool
}

// enter returns the node of a visit.
func (b *graphBuilder[S]) enter(v visit[S]) int {
	i, isKnown := b.nodes[v.state]
	if !isKnown {
		i = len(b.graph.Nodes)
		b.nodes[v.state] = i
		b.graph.Nodes = append(b.graph.Nodes, Node[S]{State: v.state, IsEnd: b.isEnd(v.state), Begins: b.domain.None()})
		b.given, b.isQueued, b.queue = append(b.given, b.graph.All), append(b.isQueued, true), append(b.queue, i)
	}
	fresh, given := b.domain.Fresh(b.given[i], v.runs)
	if b.domain.IsNone(fresh) {
		return i
	}
	b.given[i] = given
	b.isClosed = b.isClosed && b.domain.IsNone(b.graph.All)
	if !b.isQueued[i] {
		b.isQueued[i], b.queue = true, append(b.queue, i)
	}

	return i
}

// look looks at the next node.
func (b *graphBuilder[S]) look(steps int) {
	i := b.queue[0]
	b.queue, b.isQueued[i] = b.queue[1:], false
	b.clearStep()
	b.ends = b.noEnds()
	b.visitState(b.graph.Nodes[i].State, b.given[i], steps)
	var moves []Edge[S]
	for _, v := range b.next {
		moves = append(moves, Edge[S]{b.enter(v), v.runs})
	}
	b.graph.Nodes[i].Moves, b.graph.Nodes[i].Ends = moves, b.ends
}
