package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// graph is what a node can do: points, and edges between them. Point 0 is the beginning.
type graph struct {
	out, into [][]*edge
	// bound limits the edges of a path that are steps.
	bound int
}

// edge leads from one point to another one.
type edge struct {
	from, to int
	// items are what happens, first to last.
	items []item
	// isStep says that the edge counts for the bound.
	isStep bool
	// open says on what it depends whether the edge is possible, if that is only known in a run; else it is empty.
	open string
}

// item is something that happens: a script answers for it, a row is taken, or a node runs.
type item struct {
	kind itemKind
	// name is that of a conversation, a question, a function, a tool or a guard, as scripts have it.
	name string
	turn Turn
	row  *Row
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

// mode says which edges count.
type mode uint8

const (
	certain   mode = iota // those that are possible whatever a run is given
	possible              // all
	unbounded             // all, and without the bounds of machines
	modes
)

// infinite are the turns of what cannot be. All sums stay below the range of an int.
const infinite = 1 << 50

// plus adds turns.
func plus(turns ...int) int {
	sum := 0
	for _, n := range turns {
		sum = min(sum+n, infinite)
	}

	return sum
}

// turns are the replies and answers of an item; infinite if it cannot be.
func (i *item) turns(m mode) int {
	switch i.kind {
	case kindReply, kindAnswer, kindResult, kindOutput:
		return 1
	case kindRun:
		_, turns := i.runs.choose(m, i.outcomes)
		return turns
	}

	return 0
}

// turns are those of all that happens on the edge; infinite if it is not possible.
func (e *edge) turns(m mode) int {
	if m == certain && e.open != "" {
		return infinite
	}
	sum := 0
	for i := range e.items {
		sum = plus(sum, e.items[i].turns(m))
	}

	return sum
}

// steps are those that count for the bound: an agent that runs, or a call that takes a row of a gate.
func (e *edge) steps() int {
	if e.isStep {
		return 1
	}
	n := 0
	for _, i := range e.items {
		if i.kind == kindTake {
			n++
		}
	}

	return n
}

// A path with the fewest turns may have more steps than the bound allows. Then the one with the fewest steps is taken.
type order uint8

const (
	byTurns order = iota
	bySteps
	orders
)

// label is the best path from the beginning to a point, or from it to an end.
type label struct {
	turns, steps int
	by           *edge
}

func (l label) less(other label, by order) bool {
	if by == bySteps && l.steps != other.steps {
		return l.steps < other.steps
	}
	if l.turns != other.turns {
		return l.turns < other.turns
	}

	return l.steps < other.steps
}

// shortest finds the best paths from some points, whose turns are given, or back to them.
func (g *graph) shortest(m mode, by order, from []int, turns func(i int) int, back bool) []label {
	labels := slices.Repeat([]label{{turns: infinite, steps: infinite}}, len(g.out))
	var queue []int
	isQueued := make([]bool, len(g.out))
	reach := func(point int, l label) {
		if l.turns >= infinite || !l.less(labels[point], by) {
			return
		}
		labels[point] = l
		if !isQueued[point] {
			isQueued[point] = true
			queue = append(queue, point)
		}
	}
	for i, point := range from {
		reach(point, label{turns: turns(i)})
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
			reach(to, label{plus(l.turns, e.turns(m)), l.steps + e.steps(), e})
		}
	}

	return labels
}

// sameKey reports whether keys are equal for rows.
func sameKey(a, b string) bool { return a == b || ir.FoldKey(a) == ir.FoldKey(b) }
