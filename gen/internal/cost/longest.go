package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
)

// Extrapolate returns what the longest paths through a machine use.
func (x *workCosts) Extrapolate(g interp.Graph[*runs]) interp.Ends[*runs] {
	p := paths{nodes: g.Nodes, value: g.All.value}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		p.meet(n.Begins)
		for _, move := range n.Moves {
			p.meet(move.Taken)
		}
	}
	order, isAcyclic := orderOf(g.Nodes)
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

// paths are the ways through a machine whose states always use the same.
type paths struct {
	nodes []interp.Node[*runs]
	// value is the largest output of a state.
	value extent
	// done is what the paths use that end well, of which isDone says that there are some, and failed what
	// those use that fail.
	done, failed spending
	isDone       bool
}

func (p *paths) meet(in *runs) {
	if in != nil {
		p.value = p.value.or(in.value)
	}
}

// visited is a node that some paths lead to, with what they have used.
type visited struct {
	isReached bool
	spent     spending
}

func (v *visited) add(spent spending) {
	if v.isReached {
		spent = v.spent.or(spent)
	}
	v.isReached, v.spent = true, spent
}

// begins returns the nodes in which the paths begin.
func (p *paths) begins() []visited {
	first := make([]visited, len(p.nodes))
	for i := range p.nodes {
		if in := p.nodes[i].Begins; in != nil {
			first[i].add(in.spent)
		}
	}

	return first
}

// visit ends the paths that end in a node, and follows the others.
func (p *paths) visit(i int, spent spending, next []visited) {
	n := &p.nodes[i]
	if ends := n.Ends.Done; ends != nil {
		p.done, p.isDone = p.done.or(spent.then(ends.spent)), true
	}
	if ends := n.Ends.Failed; ends != nil {
		p.failed = p.failed.or(spent.then(ends.spent))
	}
	for _, move := range n.Moves {
		next[move.To].add(spent.then(move.Taken.spent))
	}
}

// followOnce follows paths that are in no node twice. Each node is before those to which it leads.
func (p *paths) followOnce(order []int) {
	at := p.begins()
	for _, i := range order {
		if at[i].isReached {
			p.visit(i, at[i].spent, at)
		}
	}
}

// exactSteps is how many steps of a path are looked at one by one. Each further one counts as the
// costliest state.
const exactSteps = 1000

// followSteps follows paths of at most so many steps.
func (p *paths) followSteps(left int) {
	now, next := p.begins(), make([]visited, len(p.nodes))
	for step := 0; ; step++ {
		if step == min(left, exactSteps) {
			p.stop(now, amount.Of(left-step))
			return
		}
		isOver := true
		for i := range now {
			if now[i].isReached {
				isOver = false
				p.visit(i, now[i].spent, next)
			}
		}
		if isOver {
			return
		}
		now, next = next, now
		clear(next)
	}
}

// stop ends all paths where they are, behind so many steps of which each is as costly as any.
func (p *paths) stop(at []visited, steps Amount) {
	costliest := spending{}
	for i := range p.nodes {
		n := &p.nodes[i]
		for _, ends := range []*runs{n.Ends.Done, n.Ends.Failed} {
			if ends != nil {
				costliest = costliest.or(ends.spent)
			}
		}
		for _, move := range n.Moves {
			costliest = costliest.or(move.Taken.spent)
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
			p.failed = p.failed.or(spent)
		}
		if isEnd || steps > 0 {
			p.done, p.isDone = p.done.or(spent), true
		}
	}
}

// orderOf returns the nodes of a graph, each before those to which it leads; isAcyclic is false where
// there is no such order.
func orderOf(nodes []interp.Node[*runs]) (order []int, isAcyclic bool) {
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
