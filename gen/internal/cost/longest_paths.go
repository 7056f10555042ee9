package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
)

// Extrapolate returns the use of the longest paths through a machine.
func (x *workCosts) Extrapolate(g interp.Graph[*runs]) interp.Ends[*runs] {
	p := longestPaths{nodes: g.Nodes, value: g.All.value}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		p.recordOutput(n.Begins)
		for _, move := range n.Moves {
			p.recordOutput(move.Taken)
		}
	}
	order, isAcyclic := topologicalOrder(g.Nodes)
	if isAcyclic && len(order) <= g.Left {
		p.followOnce(order)
	} else {
		p.followSteps(g.Left)
	}
	done, failed := *g.All, *g.All
	done.value, done.spent, failed.spent = p.value, p.done, p.failed
	ends := interp.Ends[*runs]{Failed: &failed}
	if p.isDone {
		ends.Done = &done
	}

	return ends
}

// longestPaths are the paths through a machine whose states always use the same.
type longestPaths struct {
	nodes []interp.Node[*runs]
	// value is the largest output of a state.
	value extent
	// done is the spending of paths that end well, and isDone reports whether there are any. failed
	// is the spending of paths that fail.
	done, failed spending
	isDone       bool
}

func (p *longestPaths) recordOutput(in *runs) {
	if in != nil {
		p.value = p.value.union(in.value)
	}
}

// visited is a node on some paths, with their spending.
type visited struct {
	isReached bool
	spent     spending
}

func (v *visited) add(spent spending) {
	if v.isReached {
		spent = v.spent.either(spent)
	}
	v.isReached, v.spent = true, spent
}

// firstNodes returns the nodes in which paths begin.
func (p *longestPaths) firstNodes() []visited {
	first := make([]visited, len(p.nodes))
	for i := range p.nodes {
		if in := p.nodes[i].Begins; in != nil {
			first[i].add(in.spent)
		}
	}

	return first
}

// followNode ends the paths that end in a node, and follows the others.
func (p *longestPaths) followNode(i int, spent spending, next []visited) {
	n := &p.nodes[i]
	if ends := n.Ends.Done; ends != nil {
		p.done, p.isDone = p.done.either(spent.then(ends.spent)), true
	}
	if ends := n.Ends.Failed; ends != nil {
		p.failed = p.failed.either(spent.then(ends.spent))
	}
	for _, move := range n.Moves {
		next[move.To].add(spent.then(move.Taken.spent))
	}
}

// followOnce follows paths without cycles. order is topological.
func (p *longestPaths) followOnce(order []int) {
	at := p.firstNodes()
	for _, i := range order {
		if at[i].isReached {
			p.followNode(i, at[i].spent, at)
		}
	}
}

// exactSteps is the number of steps that are followed one by one. Each further step counts as the
// costliest state.
const exactSteps = 1000

// followSteps follows paths of at most some steps.
func (p *longestPaths) followSteps(left int) {
	now, next := p.firstNodes(), make([]visited, len(p.nodes))
	for step := 0; ; step++ {
		if step == min(left, exactSteps) {
			p.stopPaths(now, amount.Of(left-step))
			return
		}
		isOver := true
		for i := range now {
			if now[i].isReached {
				isOver = false
				p.followNode(i, now[i].spent, next)
			}
		}
		if isOver {
			return
		}
		now, next = next, now
		clear(next)
	}
}

// stopPaths ends all paths after some more steps of the costliest state.
func (p *longestPaths) stopPaths(at []visited, steps Amount) {
	costliest := spending{}
	for i := range p.nodes {
		n := &p.nodes[i]
		for _, ends := range []*runs{n.Ends.Done, n.Ends.Failed} {
			if ends != nil {
				costliest = costliest.either(ends.spent)
			}
		}
		for _, move := range n.Moves {
			costliest = costliest.either(move.Taken.spent)
		}
	}
	rest := costliest.times(steps)
	for i := range at {
		if !at[i].isReached {
			continue
		}
		spent := at[i].spent
		isEnd := p.nodes[i].State.End
		if !isEnd {
			spent = spent.then(rest)
			p.failed = p.failed.either(spent)
		}
		if isEnd || steps > 0 {
			p.done, p.isDone = p.done.either(spent), true
		}
	}
}

// topologicalOrder returns each node before its successors; isAcyclic is false if there is no such
// order.
func topologicalOrder(nodes []interp.Node[*runs]) (order []int, isAcyclic bool) {
	before := make([]int, len(nodes))
	for i := range nodes {
		for _, move := range nodes[i].Moves {
			before[move.To]++
		}
	}
	for i, n := range before {
		if n == 0 {
			order = append(order, i)
		}
	}
	for at := 0; at < len(order); at++ {
		for _, move := range nodes[order[at]].Moves {
			before[move.To]--
			if before[move.To] == 0 {
				order = append(order, move.To)
			}
		}
	}

	return order, len(order) == len(nodes)
}
