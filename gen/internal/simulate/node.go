package simulate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// node is an agent, or a step of a flow, at a place. What it can finish with depends on nothing
// else.
type node struct {
	graph
	// label is how scripts call it.
	label string
	place ir.Place
	// initial is the first state of the machine that the node is.
	initial *State
	// ran is what runs in the states of the machine.
	ran map[*ir.State]*ran
	// outcomes are the ways in which it can finish.
	outcomes []outcome
	// problem says why there may be none.
	problem string
	// cut says why not all was looked at.
	cut cut
	solution
}

// cut is why not all of a node was looked at. The zero cut is that of one that was.
type cut uint8

const (
	// tooLong: a loop would need more rounds than the bound allows, or more turns than are counted.
	tooLong cut = iota + 1
	// tooMany: the search has ended, because there are too many answers.
	tooMany
)

// ran is what runs in a state, from the point of the state, and the keys with which it finishes
// there, signals included.
type ran struct {
	*node
	point int
	keys  []string
}

// outcome is a way in which a node can finish.
type outcome struct {
	key string
	// done says that the value begins with the word done.
	done bool
	// items is how many items the value has that is a list; 0 if it is none.
	items int
	// value is what a workflow makes of the value.
	value workflow.Value
	// end distinguishes the ends of a branch of a workflow.
	end int
	// point is where the paths end that finish so.
	point int
}

// solution are the shortest paths of a node.
type solution struct {
	// ahead are those to each point, behind those from it to an end of the whole run.
	ahead, behind [orders][]label
	// rest is the cost of the shortest run around each outcome, and around is what the node is run
	// by then; nil where runs begin. spare are the calls of models that the budgets around it leave
	// to the node.
	rest   []cost
	around []*site
	spare  []int
	// entered is the cost at which a run reaches the node.
	entered cost
}

// site is an item of an edge of a node.
type site struct {
	in    *node
	edge  *edge
	item  int
	order order
}

func newNode(label string, place ir.Place) *node {
	n := &node{label: label, place: place, graph: graph{bound: infinite, budget: infinite}, solution: solution{entered: impossible}}
	n.point()

	return n
}

// finishes adds an edge that ends with an outcome.
func (n *node) finishes(e *edge, o outcome) {
	i := slices.IndexFunc(n.outcomes, func(known outcome) bool { return known.isLike(o) })
	if i < 0 {
		i, o.point = len(n.outcomes), n.point()
		n.outcomes = append(n.outcomes, o)
	}
	e.to = n.outcomes[i].point
	n.add(e)
}

// isLike reports whether nothing distinguishes two outcomes.
func (o outcome) isLike(other outcome) bool {
	return o.done == other.done && o.items == other.items && o.end == other.end && sameKey(o.key, other.key)
}

// isCountable reports whether the turns of an edge can be counted, if those of all that it runs
// can.
func (e *edge) isCountable() bool {
	return e.cost().isPossible() || slices.ContainsFunc(e.items, func(i item) bool { return !i.cost().isPossible() })
}

// complete finds the outcomes, when those of all that the node runs are known. Those to which no
// path leads are left out.
func (n *node) complete() {
	for by := range orders {
		n.ahead[by] = n.shortest(by, []int{0}, func(int) cost { return cost{} }, false)
	}
	for _, edges := range n.out {
		if slices.ContainsFunc(edges, func(e *edge) bool { return !e.isCountable() }) {
			n.cut = max(n.cut, tooLong)
		}
	}
	n.outcomes = slices.DeleteFunc(n.outcomes, func(o outcome) bool { return !n.ahead[byCost][o.point].isPossible() })
	n.around, n.rest = make([]*site, len(n.outcomes)), slices.Repeat([]cost{impossible}, len(n.outcomes))
	n.spare = slices.Repeat([]int{infinite}, len(n.outcomes))
	if len(n.outcomes) == 0 && n.problem == "" {
		n.problem = "nothing in it leads to an end"
	}
}

// reach returns the cost of the best path to a point, if some steps and calls follow, and how it is
// found.
func (n *node) reach(point, steps, calls int) (cost, order) {
	for by := range orders {
		l := n.ahead[by][point]
		if l.steps+steps <= n.bound && l.calls+calls <= n.budget {
			return l.cost, by
		}
	}

	return n.ahead[byCost][point].plus(cost{over: 1}), byCost
}

// choose returns the one of some outcomes with the best path, and its cost; -1 if there is none.
func (n *node) choose(outcomes []int) (best int, least cost) {
	best, least = -1, impossible
	for _, i := range outcomes {
		if c, _ := n.reach(n.outcomes[i].point, 0, 0); c.less(least) {
			best, least = i, c
		}
	}

	return best, least
}

// calls are those of models on the path to one of some outcomes.
func (n *node) calls(outcomes []int) int {
	best, _ := n.choose(outcomes)
	if best < 0 {
		return 0
	}
	point := n.outcomes[best].point
	_, by := n.reach(point, 0, 0)

	return n.ahead[by][point].calls
}

// cheapest is the cost of the best path to an outcome.
func (n *node) cheapest() cost {
	_, least := n.choose(n.all())

	return least
}

// all are the numbers of the outcomes.
func (n *node) all() []int {
	all := make([]int, len(n.outcomes))
	for i := range all {
		all[i] = i
	}

	return all
}

// path returns the edges to a point.
func (n *node) path(by order, point int) []*edge {
	var edges []*edge
	for e := n.ahead[by][point].by; e != nil; e = n.ahead[by][e.from].by {
		edges = append(edges, e)
	}
	slices.Reverse(edges)

	return edges
}

// begins says that runs begin with the node, which may call models so often.
func (n *node) begins(budget int) {
	n.entered = cost{}
	clear(n.rest)
	for i := range n.spare {
		n.spare[i] = budget
	}
}

// surround finds the shortest runs around what the node runs, and the rows that it takes, when
// those around it are known.
func (n *node) surround() {
	if !n.entered.isPossible() {
		return
	}
	if n.initial != nil {
		n.initial.Reached = n.initial.Reached || n.entered.isCertain()
	}
	ends := ir.Map(n.outcomes, func(o outcome) int { return o.point })
	for by := range orders {
		n.behind[by] = n.shortest(by, ends, func(i int) cost { return n.rest[i] }, true)
	}
	for point, edges := range n.out {
		if n.ahead[byCost][point].isPossible() {
			for _, e := range edges {
				n.pass(e)
			}
		}
	}
}

// pass notes what happens on an edge whose beginning is reached.
func (n *node) pass(e *edge) {
	before, _ := n.reach(e.from, e.steps(), e.calls())
	before = before.plus(n.entered)
	if e.open != "" {
		before.open++
	}
	total, by := n.through(e)
	var beside cost // of what runs before it in its group
	for i := range e.items {
		it, at := &e.items[i], &site{n, e, i, by}
		if i > 0 && (it.group == nil || it.group != e.items[i-1].group) {
			before, beside = before.plus(beside), cost{}
		}
		if !before.isPossible() {
			return
		}
		switch it.kind {
		case kindRun:
			inner, own := it.runs, it.cost()
			beside = beside.plus(own)
			if before.less(inner.entered) {
				inner.entered = before
			}
			for _, o := range it.outcomes {
				if total.isPossible() && total.minus(own).less(inner.rest[o]) {
					inner.rest[o], inner.around[o] = total.minus(own), at
					inner.spare[o] = min(n.left(by, e)+it.calls(), infinite)
				}
			}
		case kindTake:
			steps := n.ahead[bySteps][e.from].steps + e.steps()
			if total.isPossible() {
				steps += n.behind[bySteps][e.to].steps
			}
			it.row.found.note(before, total, steps, at)
		case kindCase:
			it.of.found.note(before, total, 0, at)
		case kindEnter:
			it.state.Reached = it.state.Reached || before.isCertain()
		}
	}
}

// through returns the cost of the best run past an edge.
func (n *node) through(e *edge) (cost, order) {
	c := e.cost()
	for by := range orders {
		ahead, behind := n.ahead[by][e.from], n.behind[by][e.to]
		if ahead.steps+e.steps()+behind.steps <= n.bound && n.left(by, e) >= 0 {
			return ahead.plus(c, behind.cost), by
		}
	}

	return n.ahead[byCost][e.from].plus(c, n.behind[byCost][e.to].cost, cost{over: 1}), byCost
}

// isBudgeted reports whether a budget counts the calls of models in the node.
func (n *node) isBudgeted() bool {
	return n.budget < infinite || slices.ContainsFunc(n.spare, func(calls int) bool { return calls < infinite })
}

// left returns how many more calls of models the budgets allow in the best run past an edge.
func (n *node) left(by order, e *edge) int {
	if !n.isBudgeted() {
		return infinite
	}
	allowed := n.budget
	if _, end := n.onward(by, e); end >= 0 {
		allowed = min(allowed, n.spare[end])
	}
	if allowed == infinite {
		return infinite
	}

	return allowed - n.ahead[by][e.from].calls - e.calls() - n.behind[by][e.to].calls
}

// onward returns the edges behind one on the best run past it, and the outcome with which they end.
func (n *node) onward(by order, e *edge) (edges []*edge, end int) {
	at := e.to
	for next := n.behind[by][at].by; next != nil; next = n.behind[by][at].by {
		edges = append(edges, next)
		at = next.to
	}

	return edges, slices.IndexFunc(n.outcomes, func(o outcome) bool { return o.point == at })
}

// keyList lists keys; of many, the first.
func keyList(keys []string) string {
	const most = 6
	list := ir.Unique(ir.Map(keys, strconv.Quote))
	if len(list) > most {
		list = append(list[:most], "…")
	}

	return strings.Join(list, ", ")
}
