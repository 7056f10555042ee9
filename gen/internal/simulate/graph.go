package simulate

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// graph is what a node can do: points, and edges between them. Point 0 is the beginning.
type graph struct {
	out, into [][]*edge
	// bound limits the edges of a path that are steps, and budget the calls of models on it.
	bound, budget int
}

// edge leads from one point to another one.
type edge struct {
	from, to int
	// items are what happens, first to last.
	items []item
	// isStep says that the edge counts for the bound.
	isStep bool
	// open says on what it depends whether the edge is possible, if that is only known in a run;
	// else it is empty.
	open string
}

// item is something that happens: a script answers for it, a row is taken, or a node runs.
type item struct {
	kind itemKind
	// name is that of a conversation, a question, a function, a tool or a guard, as scripts have
	// it.
	name string
	turn Turn
	row  *Row
	of   *Case
	// state is one of a workflow that is entered.
	state *State
	// runs is a node, which ends with one of these outcomes, and signal what comes while it runs.
	runs     *node
	outcomes []int
	signal   string
	// call is that of a tool before a turn.
	call *call
	// branch are the numbers of the branches of the node in which it happens.
	branch []int
	// group is the operation of a flow whose branches run beside each other; nil outside of one.
	group ir.Op
}

type itemKind uint8

const (
	kindReply    itemKind = iota + 1 // of a model
	kindAnswer                       // of a person
	kindResult                       // of a function
	kindOutput                       // of a tool
	kindVerdict                      // of a guard
	kindToolCall                     // of a model, before it finishes
	kindTake                         // a row is taken
	kindCase                         // a case of a step is taken
	kindEnter                        // a state of a workflow is entered
	kindRun                          // a node runs
	kindGiven                        // the run begins with a context
)

func (g *graph) point() int {
	g.out, g.into = append(g.out, nil), append(g.into, nil)

	return len(g.out) - 1
}

func (g *graph) add(e *edge) {
	g.out[e.from] = append(g.out[e.from], e)
	g.into[e.to] = append(g.into[e.to], e)
}

// cost is what a way takes: machines that run more agents than their bound, decisions that are only
// known in a run, and, if there are as many of these, replies and answers.
type cost struct{ over, open, turns int }

// infinite is more of anything than is counted; all sums stay below the range of an int.
const infinite = 1 << 50

// impossible is the cost of what cannot be.
var impossible = cost{infinite, infinite, infinite}

func (c cost) isPossible() bool { return c.turns < infinite }

// isWithin reports whether something is possible within the bounds of machines.
func (c cost) isWithin() bool { return c.isPossible() && c.over == 0 }

// isCertain reports whether something is possible whatever a run is given.
func (c cost) isCertain() bool { return c.isWithin() && c.open == 0 }

func (c cost) plus(others ...cost) cost {
	for _, o := range others {
		c = cost{min(c.over+o.over, infinite), min(c.open+o.open, infinite), min(c.turns+o.turns, infinite)}
	}
	if !c.isPossible() {
		return impossible
	}

	return c
}

func (c cost) minus(o cost) cost { return cost{c.over - o.over, c.open - o.open, c.turns - o.turns} }

// compareClass compares without turns.
func (c cost) compareClass(o cost) int {
	return cmp.Or(cmp.Compare(c.over, o.over), cmp.Compare(c.open, o.open))
}

func (c cost) less(o cost) bool { return cmp.Or(c.compareClass(o), cmp.Compare(c.turns, o.turns)) < 0 }

// cost is that of an item.
func (i *item) cost() (c cost) {
	switch i.kind {
	case kindReply, kindAnswer, kindResult, kindOutput:
		c.turns = 1
	case kindRun:
		_, c = i.runs.choose(i.outcomes)
	}

	return c
}

// calls are those of models for an item.
func (i *item) calls() int {
	switch i.kind {
	case kindReply:
		return 1
	case kindRun:
		return i.runs.calls(i.outcomes)
	}

	return 0
}

// calls are those of models on the edge.
func (e *edge) calls() (calls int) {
	for i := range e.items {
		calls = min(calls+e.items[i].calls(), infinite)
	}

	return calls
}

// cost is that of all that happens on the edge.
func (e *edge) cost() (c cost) {
	if e.open != "" {
		c.open = 1
	}
	for i := range e.items {
		c = c.plus(e.items[i].cost())
	}

	return c
}

// steps are those that count for the bound: an agent that runs, or a call that takes a row of a
// gate.
func (e *edge) steps() int {
	if e.isStep {
		return 1
	}

	return len(ir.Where(e.items, func(i item) bool { return i.kind == kindTake }))
}

// order says which path is the best. That of the lowest cost may have more steps than the bound
// allows: then the one with the fewest steps counts, first among those of the lowest class, then
// among all. Where none of them is within the bound and the budget, there may be others all the
// same, which are not looked for.
type order uint8

const (
	byCost order = iota
	byClass
	bySteps
	orders
)

// label is the best path from the beginning to a point, or from it to an end.
type label struct {
	cost
	// steps and calls are those of the path itself.
	steps, calls int
	by           *edge
}

func (l label) isBetter(o label, by order) bool {
	class, turns, steps := l.compareClass(o.cost), cmp.Compare(l.turns, o.turns), cmp.Compare(l.steps, o.steps)
	switch by {
	case byClass:
		return cmp.Or(class, steps, turns) < 0
	case bySteps:
		return cmp.Or(steps, class, turns) < 0
	}

	return cmp.Or(class, turns, steps) < 0
}

// shortest finds the best paths from some points, whose costs are given, or back to them.
func (g *graph) shortest(by order, from []int, costs func(i int) cost, back bool) []label {
	labels := slices.Repeat([]label{{cost: impossible, steps: infinite}}, len(g.out))
	var queue []int
	isQueued := make([]bool, len(g.out))
	reach := func(point int, l label) {
		if !l.isPossible() || !l.isBetter(labels[point], by) {
			return
		}
		labels[point] = l
		if !isQueued[point] {
			isQueued[point] = true
			queue = append(queue, point)
		}
	}
	for i, point := range from {
		reach(point, label{cost: costs(i)})
	}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		isQueued[at] = false
		l, edges := labels[at], g.out[at]
		if back {
			edges = g.into[at]
		}
		for _, e := range edges {
			to := e.to
			if back {
				to = e.from
			}
			reach(to, label{l.plus(e.cost()), l.steps + e.steps(), min(l.calls+e.calls(), infinite), e})
		}
	}

	return labels
}

// sameKey reports whether keys are equal for rows.
func sameKey(a, b string) bool { return a == b || ir.FoldKey(a) == ir.FoldKey(b) }
