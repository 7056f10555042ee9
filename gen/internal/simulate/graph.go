package simulate

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// graph has the runs of a node as points and edges. Point 0 is the beginning.
type graph struct {
	out, into [][]*edge
	// bound limits the steps of a path, and budget its calls of models.
	bound, budget int
}

// edge leads from one point to another.
type edge struct {
	from, to int
	// items happen in this order.
	items []item
	// isStep is set if the edge counts for the bound.
	isStep bool
	// open describes what decides whether the edge is possible, if only a run shows that. Otherwise
	// it is empty.
	open string
}

// item is an event on an edge: a script answers, a row is taken, or a node runs.
type item struct {
	kind itemKind
	// name is the name of a conversation, a question, a function, a tool or a guard in scripts.
	name  string
	turn  Turn
	row   *Row
	takes *Case
	// state is a state of a workflow that is entered.
	state *State
	// node runs, and ends with one of these outcomes. signal arrives while it runs.
	node     *node
	outcomes []int
	signal   string
	// call is a tool call before a turn.
	call *toolCall
	// branch are the numbers of the branches in which the item happens.
	branch []int
	// group is the operation of a flow whose branches run in parallel; nil outside of one.
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
	kindInput                        // the run begins with an input that fits a schema
)

func (g *graph) addPoint() int {
	g.out, g.into = append(g.out, nil), append(g.into, nil)

	return len(g.out) - 1
}

func (g *graph) addEdge(e *edge) {
	g.out[e.from] = append(g.out[e.from], e)
	g.into[e.to] = append(g.into[e.to], e)
}

// cost is the cost of a path: machines that exceed their bound, then decisions that only a run
// shows, then replies and answers.
type cost struct{ overBounds, open, turns int }

// infinite is above everything that is counted. All sums stay below the range of an int.
const infinite = 1 << 50

// impossible is the cost of an impossible path.
var impossible = cost{infinite, infinite, infinite}

func (c cost) isPossible() bool { return c.turns < infinite }

// isWithinBounds reports whether a path is possible within the bounds of machines.
func (c cost) isWithinBounds() bool { return c.isPossible() && c.overBounds == 0 }

// isCertain reports whether a path is possible for any input of a run.
func (c cost) isCertain() bool { return c.isWithinBounds() && c.open == 0 }

func (c cost) add(others ...cost) cost {
	for _, o := range others {
		c = cost{min(c.overBounds+o.overBounds, infinite), min(c.open+o.open, infinite), min(c.turns+o.turns, infinite)}
	}
	if !c.isPossible() {
		return impossible
	}

	return c
}

func (c cost) subtract(o cost) cost {
	return cost{c.overBounds - o.overBounds, c.open - o.open, c.turns - o.turns}
}

// compareClass compares costs without turns.
func (c cost) compareClass(o cost) int {
	return cmp.Or(cmp.Compare(c.overBounds, o.overBounds), cmp.Compare(c.open, o.open))
}

func (c cost) isLess(o cost) bool {
	return cmp.Or(c.compareClass(o), cmp.Compare(c.turns, o.turns)) < 0
}

// cost returns the cost of an item.
func (i *item) cost() (c cost) {
	switch i.kind {
	case kindReply, kindAnswer, kindResult, kindOutput:
		c.turns = 1
	case kindRun:
		_, c = i.node.bestOutcome(i.outcomes)
	}

	return c
}

// modelCalls returns the calls of models for an item.
func (i *item) modelCalls() int {
	switch i.kind {
	case kindReply:
		return 1
	case kindRun:
		return i.node.modelCalls(i.outcomes)
	}

	return 0
}

// modelCalls returns the calls of models on the edge.
func (e *edge) modelCalls() (calls int) {
	for i := range e.items {
		calls = min(calls+e.items[i].modelCalls(), infinite)
	}

	return calls
}

// cost returns the cost of all items on the edge.
func (e *edge) cost() (c cost) {
	if e.open != "" {
		c.open = 1
	}
	for i := range e.items {
		c = c.add(e.items[i].cost())
	}

	return c
}

// stepCount returns the steps that count for the bound: an agent that runs, or a call that takes a
// row of a gate.
func (e *edge) stepCount() int {
	if e.isStep {
		return 1
	}

	rows := 0
	for i := range e.items {
		if e.items[i].kind == kindTake {
			rows++
		}
	}

	return rows
}

// pathOrder selects the best path. The path with the lowest cost may have more steps than the bound
// permits. Then the one with the fewest steps is used, first among paths of the lowest class, then
// among all. If none of these is within the bound and the budget, other paths may still exist, but
// the search does not look for them.
type pathOrder uint8

const (
	byCost pathOrder = iota
	byClass
	bySteps
	orderCount
)

// label is the best path from the beginning to a point, or from it to an end.
type label struct {
	cost
	// steps and modelCalls count the path itself.
	steps, modelCalls int
	lastEdge          *edge
}

func (l label) isBetter(o label, by pathOrder) bool {
	class, turns, steps := l.compareClass(o.cost), cmp.Compare(l.turns, o.turns), cmp.Compare(l.steps, o.steps)
	switch by {
	case byClass:
		return cmp.Or(class, steps, turns) < 0
	case bySteps:
		return cmp.Or(steps, class, turns) < 0
	}

	return cmp.Or(class, turns, steps) < 0
}

// shortestPaths finds the best paths from some points with given costs, or back to them.
func (g *graph) shortestPaths(by pathOrder, from []int, costs func(i int) cost, isBackward bool) []label {
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
		if isBackward {
			edges = g.into[at]
		}
		for _, e := range edges {
			to := e.to
			if isBackward {
				to = e.from
			}
			reach(to, label{l.add(e.cost()), l.steps + e.stepCount(), min(l.modelCalls+e.modelCalls(), infinite), e})
		}
	}

	return labels
}

// equalKeys reports whether keys are equal for rows.
func equalKeys(a, b string) bool { return a == b || ir.FoldKey(a) == ir.FoldKey(b) }
