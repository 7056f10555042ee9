package cost

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
)

// Extrapolate returns the use of the longest paths through a machine.
func (x *workCosts) Extrapolate(g interp.Graph[*runs]) interp.Ends[*runs] {
	all := runs{}
	if g.All != nil {
		all = *g.All
	}
	p := longestPaths{nodes: g.Nodes, value: all.value}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		p.recordOutput(n.Begins)
		p.recordOutput(n.Ends.Done)
		for _, move := range n.Moves {
			p.recordOutput(move.Taken)
		}
	}
	var from []rest
	if order, isAcyclic := topologicalOrder(g.Nodes); isAcyclic && len(order) <= g.StepsLeft {
		from = p.followOnce(order)
	} else {
		from = p.followSteps(g.StepsLeft)
	}
	whole := rest{}
	for i := range g.Nodes {
		if in := g.Nodes[i].Begins; in != nil {
			whole.addBehind(in.spent, from[i])
		}
	}
	done, failed := all, all
	done.value, done.spent, failed.spent = p.value, whole.done.spent, whole.failed.spent
	ends := interp.Ends[*runs]{Failed: &failed}
	if whole.done.isReached {
		ends.Done = &done
	}

	return ends
}

// longestPaths are the ways through a machine whose states always use the same.
type longestPaths struct {
	nodes []interp.Node[*runs]
	// value is the largest output of a state.
	value extent
}

func (p *longestPaths) recordOutput(in *runs) {
	if in != nil {
		p.value = p.value.Or(in.value)
	}
}

// rest is what paths from a node use that end well, and what those use that fail.
type rest struct{ done, failed used }

// used is what some paths use; isReached is not set where there are none.
type used struct {
	isReached bool
	spent     spending
}

func (u *used) add(spent spending) {
	if u.isReached {
		spent = u.spent.either(spent)
	}
	u.isReached, u.spent = true, spent
}

// addBehind adds paths that go on where others end.
func (r *rest) addBehind(before spending, behind rest) {
	if behind.done.isReached {
		r.done.add(before.then(behind.done.spent))
	}
	if behind.failed.isReached {
		r.failed.add(before.then(behind.failed.spent))
	}
}

// restFrom returns what paths from a node use, where it is known what those from all other nodes use.
func (p *longestPaths) restFrom(i int, from []rest) (r rest) {
	n := &p.nodes[i]
	if ends := n.Ends.Done; ends != nil {
		r.done.add(ends.spent)
	}
	if ends := n.Ends.Failed; ends != nil {
		r.failed.add(ends.spent)
	}
	for _, move := range n.Moves {
		r.addBehind(move.Taken.spent, from[move.To])
	}

	return r
}

// followOnce follows paths that are in no node twice. Each node is before those to which it leads.
func (p *longestPaths) followOnce(order []int) []rest {
	from := make([]rest, len(p.nodes))
	for _, i := range slices.Backward(order) {
		from[i] = p.restFrom(i, from)
	}

	return from
}

// exactSteps is how many steps of a path are looked at one by one. Each further one counts as the
// costliest state.
const exactSteps = 1000

// followSteps follows paths of at most so many steps: of no step, of one, of two and so on.
func (p *longestPaths) followSteps(left int) []rest {
	from, longer := p.stopPaths(amount.Of(left-min(left, exactSteps))), make([]rest, len(p.nodes))
	for range min(left, exactSteps) {
		for i := range longer {
			longer[i] = p.restFrom(i, from)
		}
		if slices.Equal(longer, from) {
			break
		}
		from, longer = longer, from
	}

	return from
}

// stopPaths ends all paths behind so many steps of which each is as costly as any. At the bound they fail.
func (p *longestPaths) stopPaths(steps Amount) []rest {
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
	stopped := make([]rest, len(p.nodes))
	for i := range stopped {
		if p.nodes[i].IsEnd {
			stopped[i] = p.restFrom(i, nil)
			continue
		}
		stopped[i].failed.add(costliest.times(steps))
		if steps > 0 {
			stopped[i].done.add(costliest.times(steps))
		}
	}

	return stopped
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
