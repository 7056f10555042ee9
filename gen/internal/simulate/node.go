package simulate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// node is an agent, or a step of a flow, at a place. What it can finish with depends on nothing else.
type node struct {
	graph
	// label is how scripts call it.
	label string
	place ir.Place
	// in is the flow whose conversation the node is; nil for others.
	in *ir.Flow
	// initial is the first state of the machine that the node is.
	initial *State
	// ran is what runs in the states of the machine.
	ran map[*ir.State]*ran
	// outcomes are the ways in which it can finish.
	outcomes []outcome
	// problem says why there may be none.
	problem string
	// cut says that not all was looked at: a loop would need more rounds than the bound allows, or there are too many answers.
	cut    bool
	solved [modes]solution
}

// ran is what runs in a state, from the point of the state, and the keys with which it finishes there, signals included.
type ran struct {
	*node
	point int
	keys  []string
}

// outcome is a way in which a node can finish.
type outcome struct {
	key string
	// done says that the value begins with the word done, list that it is a list.
	done, list bool
	// value is what a workflow makes of the value.
	value workflow.Value
	// point is where the paths end that finish so.
	point int
}

// solution are the shortest paths of a node.
type solution struct {
	// ahead are those to each point, behind those from it to an end of the whole run.
	ahead, behind [orders][]label
	// rest are the turns of the shortest run around each outcome, and around is what the node is run by then; nil where runs begin.
	rest   []int
	around []*site
	// entered says that some run reaches the node.
	entered bool
}

// site is an item of an edge of a node.
type site struct {
	in    *node
	edge  *edge
	item  int
	order order
}

func newNode(label string, place ir.Place) *node {
	n := &node{label: label, place: place, graph: graph{bound: infinite}}
	n.point()

	return n
}

// finishes adds an edge that ends with an outcome.
func (n *node) finishes(e *edge, o outcome) {
	i := slices.IndexFunc(n.outcomes, func(known outcome) bool { return known.done == o.done && sameKey(known.key, o.key) })
	if i < 0 {
		i, o.point = len(n.outcomes), n.point()
		n.outcomes = append(n.outcomes, o)
	}
	e.to = n.outcomes[i].point
	n.add(e)
}

// isCountable reports whether the turns of an edge can be counted, if those of all that it runs can.
func (e *edge) isCountable() bool {
	each := !slices.ContainsFunc(e.items, func(i item) bool { return i.turns(unbounded) >= infinite })

	return !each || e.turns(unbounded) < infinite
}

// complete finds the outcomes, when those of all that the node runs are known. Those to which no path leads are left out.
func (n *node) complete() {
	for m := range modes {
		for by := range orders {
			n.solved[m].ahead[by] = n.shortest(m, by, []int{0}, func(int) int { return 0 }, false)
		}
	}
	for _, edges := range n.out {
		n.cut = n.cut || slices.ContainsFunc(edges, func(e *edge) bool { return !e.isCountable() })
	}
	n.outcomes = slices.DeleteFunc(n.outcomes, func(o outcome) bool { return n.solved[unbounded].ahead[byTurns][o.point].turns >= infinite })
	for m := range n.solved {
		s := &n.solved[m]
		s.around, s.rest = make([]*site, len(n.outcomes)), slices.Repeat([]int{infinite}, len(n.outcomes))
	}
	if len(n.outcomes) == 0 && n.problem == "" {
		n.problem = "nothing in it leads to an end"
	}
}

func (n *node) limit(m mode) int {
	if m == unbounded {
		return infinite
	}

	return n.bound
}

// reach returns the turns of the best path to a point within the bound, and how it is found.
func (n *node) reach(m mode, point int) (turns int, by order) {
	for by := range orders {
		if l := n.solved[m].ahead[by][point]; l.turns < infinite && l.steps <= n.limit(m) {
			return l.turns, by
		}
	}

	return infinite, byTurns
}

// turns are those of the best path to an outcome.
func (n *node) turns(m mode, outcome int) int {
	turns, _ := n.reach(m, n.outcomes[outcome].point)

	return turns
}

// choose returns the one of some outcomes with the best path, and its turns; -1 if there is none.
func (n *node) choose(m mode, outcomes []int) (best, turns int) {
	best, turns = -1, infinite
	for _, i := range outcomes {
		if t := n.turns(m, i); t < turns {
			best, turns = i, t
		}
	}

	return best, turns
}

// cheapest are the turns of the best path to an outcome.
func (n *node) cheapest(m mode) int {
	_, turns := n.choose(m, n.all())

	return turns
}

// all are the numbers of the outcomes.
func (n *node) all() []int {
	all := make([]int, len(n.outcomes))
	for i := range all {
		all[i] = i
	}

	return all
}

// endless reports whether the node cannot end.
func (n *node) endless(m mode) bool { return n.cheapest(m) >= infinite }

// path returns the edges to a point.
func (n *node) path(m mode, by order, point int) []*edge {
	var edges []*edge
	for e := n.solved[m].ahead[by][point].by; e != nil; e = n.solved[m].ahead[by][e.from].by {
		edges = append(edges, e)
	}
	slices.Reverse(edges)

	return edges
}

// begins says that runs begin with the node.
func (n *node) begins() {
	for m := range n.solved {
		s := &n.solved[m]
		s.entered = true
		for i := range s.rest {
			s.rest[i] = 0
		}
	}
}

// surround finds the shortest runs around what the node runs, and the rows that it takes, when those around it are known.
func (n *node) surround(m mode) {
	s := &n.solved[m]
	if !s.entered {
		return
	}
	if n.initial != nil && m == certain {
		n.initial.Reached = true
	}
	ends := ir.Map(n.outcomes, func(o outcome) int { return o.point })
	for by := range orders {
		s.behind[by] = n.shortest(m, by, ends, func(i int) int { return s.rest[i] }, true)
	}
	for point, edges := range n.out {
		if turns, _ := n.reach(m, point); turns < infinite {
			for _, e := range edges {
				n.pass(m, e)
			}
		}
	}
}

// pass notes what happens on an edge whose beginning is reached.
func (n *node) pass(m mode, e *edge) {
	s := &n.solved[m]
	if m == certain && e.open != "" || s.ahead[bySteps][e.from].steps+e.steps() > n.limit(m) {
		return
	}
	total, by := n.through(m, e)
	var endless *item // an item that never ends: nothing follows but what runs beside it
	for i := range e.items {
		it, at := &e.items[i], &site{n, e, i, by}
		if endless != nil && (endless.group == nil || endless.group != it.group) {
			return
		}
		switch it.kind {
		case kindRun:
			inner := &it.runs.solved[m]
			inner.entered = true
			cost := it.turns(m)
			if cost >= infinite {
				endless = it
			}
			for _, o := range it.outcomes {
				if total < infinite && total-cost < inner.rest[o] {
					inner.rest[o], inner.around[o] = total-cost, at
				}
			}
		case kindTake:
			steps := s.ahead[bySteps][e.from].steps + e.steps()
			if total < infinite {
				steps += s.behind[bySteps][e.to].steps
			}
			it.row.found[m].note(total, steps, at)
		case kindEnter:
			it.state.Reached = it.state.Reached || m == certain
		}
	}
}

// through returns the turns of the best run past an edge.
func (n *node) through(m mode, e *edge) (turns int, by order) {
	s, cost := &n.solved[m], e.turns(m)
	for by := range orders {
		ahead, behind := s.ahead[by][e.from], s.behind[by][e.to]
		if ahead.steps+e.steps()+behind.steps <= n.limit(m) {
			return plus(ahead.turns, cost, behind.turns), by
		}
	}

	return infinite, byTurns
}

// onward returns the edges behind one on the best run past it, and the outcome with which they end.
func (n *node) onward(m mode, by order, e *edge) (edges []*edge, end int) {
	at := e.to
	for next := n.solved[m].behind[by][at].by; next != nil; next = n.solved[m].behind[by][at].by {
		edges = append(edges, next)
		at = next.to
	}

	return edges, slices.IndexFunc(n.outcomes, func(o outcome) bool { return o.point == at })
}

// keyList lists keys; of many, the first.
func keyList(keys []string) string {
	const most = 6
	var list []string
	for _, key := range keys {
		if text := strconv.Quote(key); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if len(list) > most {
		list = append(list[:most], "…")
	}

	return strings.Join(list, ", ")
}
