package simulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// node is an agent, or a step of a flow, at a place. Its outcomes depend on nothing else.
type node struct {
	graph
	// label is its name in scripts.
	label string
	place ir.Place
	// initial is the first state of the machine in the node.
	initial *State
	// stateRuns are the nodes that run in the states of the machine.
	stateRuns map[*ir.State]*stateRun
	// outcomes are the ways in which it can finish.
	outcomes []outcome
	// problem describes why it may have no outcomes.
	problem string
	// cut is the reason why some runs were not searched.
	cut cutReason
	// unfit is the first step of a workflow that failed because of a value; nil without one. Values
	// that were not tried may avoid that.
	unfit *unfitStep
	solution
}

// cutReason is the reason why some runs of a node were not searched. The zero value means that all
// were.
type cutReason uint8

const (
	// tooLong is set if a loop needs more rounds than the bound permits, or a run more turns than
	// are counted.
	tooLong cutReason = iota + 1
	// tooMany is set if there are too many answers to try.
	tooMany
)

// unfitStep is a step that failed because of a value, with its error.
type unfitStep struct {
	task *ir.Task
	err  error
}

// String returns which step failed and, if that is known, why.
func (u *unfitStep) String() string {
	text := fmt.Sprintf("with others, step %q fails", u.task.Name.Value)
	switch problem := u.err.Error(); {
	case u.err == errScripted:
		return text
	case strings.HasSuffix(problem, contextSchema):
		return text + ": what it writes does not fit the context"
	default:
		return text + ": " + problem
	}
}

// stateRun is the node that runs in a state, the point of the state, and the keys with which it
// finishes there, including keys of signals.
type stateRun struct {
	*node
	point int
	keys  []string
}

// outcome is a way in which a node can finish.
type outcome struct {
	key string
	// startsWithDone is set if the value starts with the word done.
	startsWithDone bool
	// items is the length of a value that is a list; 0 for any other value.
	items int
	// value is the value in a workflow.
	value workflow.Value
	// end distinguishes the ends of a branch of a workflow.
	end int
	// point is the end of the paths with this outcome.
	point int
}

// solution holds the shortest paths of a node.
type solution struct {
	// fromStart are the paths to each point, and toEnd the paths from it to an end of the whole
	// run.
	fromStart, toEnd [orderCount][]label
	// costAround is the cost of the shortest run around each outcome. sites are where the node runs
	// in it, nil if runs begin with the node. spareCalls are the calls of models that the
	// surrounding budgets leave to the node.
	costAround []cost
	sites      []*site
	spareCalls []int
	// entryCost is the cost at which a run reaches the node.
	entryCost cost
}

// site is an item of an edge of a node.
type site struct {
	in    *node
	edge  *edge
	item  int
	order pathOrder
}

func newNode(label string, place ir.Place) *node {
	n := &node{label: label, place: place, graph: graph{bound: infinite, budget: infinite}, solution: solution{entryCost: impossible}}
	n.addPoint()

	return n
}

// addFinish adds an edge that ends with an outcome.
func (n *node) addFinish(e *edge, o outcome) {
	i := slices.IndexFunc(n.outcomes, func(known outcome) bool { return known.isSame(o) })
	if i < 0 {
		i, o.point = len(n.outcomes), n.addPoint()
		n.outcomes = append(n.outcomes, o)
	}
	e.to = n.outcomes[i].point
	n.addEdge(e)
}

// isSame reports whether nothing distinguishes two outcomes.
func (o outcome) isSame(other outcome) bool {
	return o.startsWithDone == other.startsWithDone && o.items == other.items && o.end == other.end && equalKeys(o.key, other.key)
}

// hasCountableTurns reports whether the turns of an edge can be counted, if the turns of all nodes
// that it runs can.
func (e *edge) hasCountableTurns() bool {
	return e.cost().isPossible() || slices.ContainsFunc(e.items, func(i item) bool { return !i.cost().isPossible() })
}

// complete finds the outcomes after those of all nodes that the node runs. It removes outcomes that
// no path reaches.
func (n *node) complete() {
	for by := range orderCount {
		n.fromStart[by] = n.shortestPaths(by, []int{0}, func(int) cost { return cost{} }, false)
	}
	for _, edges := range n.out {
		if slices.ContainsFunc(edges, func(e *edge) bool { return !e.hasCountableTurns() }) {
			n.cut = max(n.cut, tooLong)
		}
	}
	n.outcomes = slices.DeleteFunc(n.outcomes, func(o outcome) bool { return !n.fromStart[byCost][o.point].isPossible() })
	n.sites, n.costAround = make([]*site, len(n.outcomes)), slices.Repeat([]cost{impossible}, len(n.outcomes))
	n.spareCalls = slices.Repeat([]int{infinite}, len(n.outcomes))
	if len(n.outcomes) == 0 && n.problem == "" {
		n.problem = "nothing in it leads to an end"
	}
}

// bestReach returns the cost of the best path to a point before some more steps and calls, and its
// order.
func (n *node) bestReach(point, steps, calls int) (cost, pathOrder) {
	for by := range orderCount {
		l := n.fromStart[by][point]
		if l.steps+steps <= n.bound && l.modelCalls+calls <= n.budget {
			return l.cost, by
		}
	}

	return n.fromStart[byCost][point].add(cost{overBounds: 1}), byCost
}

// bestOutcome returns which of some outcomes has the best path, and its cost; -1 if there is none.
func (n *node) bestOutcome(outcomes []int) (best int, least cost) {
	best, least = -1, impossible
	for _, i := range outcomes {
		if c, _ := n.bestReach(n.outcomes[i].point, 0, 0); c.isLess(least) {
			best, least = i, c
		}
	}

	return best, least
}

// modelCalls returns the calls of models on the path to one of some outcomes.
func (n *node) modelCalls(outcomes []int) int {
	best, _ := n.bestOutcome(outcomes)
	if best < 0 {
		return 0
	}
	point := n.outcomes[best].point
	_, by := n.bestReach(point, 0, 0)

	return n.fromStart[by][point].modelCalls
}

// lowestCost returns the cost of the best path to an outcome.
func (n *node) lowestCost() cost {
	_, least := n.bestOutcome(n.allOutcomes())

	return least
}

// allOutcomes returns the indexes of the outcomes.
func (n *node) allOutcomes() []int {
	all := make([]int, len(n.outcomes))
	for i := range all {
		all[i] = i
	}

	return all
}

// pathTo returns the edges to a point.
func (n *node) pathTo(by pathOrder, point int) []*edge {
	var edges []*edge
	for e := n.fromStart[by][point].lastEdge; e != nil; e = n.fromStart[by][e.from].lastEdge {
		edges = append(edges, e)
	}
	slices.Reverse(edges)

	return edges
}

// startRuns marks the node as the start of runs with a budget of calls.
func (n *node) startRuns(budget int) {
	n.entryCost = cost{}
	clear(n.costAround)
	for i := range n.spareCalls {
		n.spareCalls[i] = budget
	}
}

// measureAround finds the shortest runs around the nodes that the node runs, and for the rows that
// it takes. The runs around the node itself are known.
func (n *node) measureAround() {
	if !n.entryCost.isPossible() {
		return
	}
	if n.initial != nil {
		n.initial.Reached = n.initial.Reached || n.entryCost.isCertain()
	}
	ends := ir.Map(n.outcomes, func(o outcome) int { return o.point })
	for by := range orderCount {
		n.toEnd[by] = n.shortestPaths(by, ends, func(i int) cost { return n.costAround[i] }, true)
	}
	for point, edges := range n.out {
		if n.fromStart[byCost][point].isPossible() {
			for _, e := range edges {
				n.visitEdge(e)
			}
		}
	}
}

// visitEdge updates the results of the items on an edge whose beginning is reached.
func (n *node) visitEdge(e *edge) {
	edgeSteps := e.stepCount()
	before, _ := n.bestReach(e.from, edgeSteps, e.modelCalls())
	before = before.add(n.entryCost)
	if e.open != "" {
		before.open++
	}
	total, by := n.costThrough(e)
	var groupCost cost // cost of the earlier items in the group
	for i := range e.items {
		it, at := &e.items[i], &site{n, e, i, by}
		if i > 0 && (it.group == nil || it.group != e.items[i-1].group) {
			before, groupCost = before.add(groupCost), cost{}
		}
		if !before.isPossible() {
			return
		}
		switch it.kind {
		case kindRun:
			inner, own := it.node, it.cost()
			groupCost = groupCost.add(own)
			if before.isLess(inner.entryCost) {
				inner.entryCost = before
			}
			for _, o := range it.outcomes {
				if total.isPossible() && total.subtract(own).isLess(inner.costAround[o]) {
					inner.costAround[o], inner.sites[o] = total.subtract(own), at
					inner.spareCalls[o] = min(n.callsLeft(by, e)+it.modelCalls(), infinite)
				}
			}
		case kindTake:
			steps := n.fromStart[bySteps][e.from].steps + edgeSteps
			if total.isPossible() {
				steps += n.toEnd[bySteps][e.to].steps
			}
			it.row.bestRuns.update(before, total, steps, at)
		case kindCase:
			it.takes.bestRuns.update(before, total, 0, at)
		case kindEnter:
			it.state.Reached = it.state.Reached || before.isCertain()
		}
	}
}

// costThrough returns the cost of the best run through an edge.
func (n *node) costThrough(e *edge) (cost, pathOrder) {
	c := e.cost()
	for by := range orderCount {
		ahead, behind := n.fromStart[by][e.from], n.toEnd[by][e.to]
		if ahead.steps+e.stepCount()+behind.steps <= n.bound && n.callsLeft(by, e) >= 0 {
			return ahead.add(c, behind.cost), by
		}
	}

	return n.fromStart[byCost][e.from].add(c, n.toEnd[byCost][e.to].cost, cost{overBounds: 1}), byCost
}

// isBudgeted reports whether a budget counts the calls of models in the node.
func (n *node) isBudgeted() bool {
	return n.budget < infinite || slices.ContainsFunc(n.spareCalls, func(calls int) bool { return calls < infinite })
}

// callsLeft returns how many more calls of models the budgets permit in the best run through an
// edge.
func (n *node) callsLeft(by pathOrder, e *edge) int {
	if !n.isBudgeted() {
		return infinite
	}
	allowed := n.budget
	if _, end := n.pathFrom(by, e); end >= 0 {
		allowed = min(allowed, n.spareCalls[end])
	}
	if allowed == infinite {
		return infinite
	}

	return allowed - n.fromStart[by][e.from].modelCalls - e.modelCalls() - n.toEnd[by][e.to].modelCalls
}

// pathFrom returns the edges after one on the best run through it, and the outcome with which they
// end.
func (n *node) pathFrom(by pathOrder, e *edge) (edges []*edge, end int) {
	at := e.to
	for next := n.toEnd[by][at].lastEdge; next != nil; next = n.toEnd[by][at].lastEdge {
		edges = append(edges, next)
		at = next.to
	}

	return edges, slices.IndexFunc(n.outcomes, func(o outcome) bool { return o.point == at })
}

// quoteKeys lists keys, and shortens a long list.
func quoteKeys(keys []string) string {
	const most = 6
	list := ir.Unique(ir.Map(keys, strconv.Quote))
	if len(list) > most {
		list = append(list[:most], "…")
	}

	return strings.Join(list, ", ")
}
