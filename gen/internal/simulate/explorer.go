package simulate

import (
	"fmt"
	"slices"
)

// explorer finds the graph of a gate by running it repeatedly. A run is a function that simulates
// the node, and calls choose where several continuations are possible. Each run repeats the choices
// of an earlier one, makes one more, and continues to the next choice. Points with equal keys have
// the same continuations.
type explorer struct {
	node   *node
	points map[string]int
	// pending are the attempts, by their deviations.
	pending [][]attempt

	// choices are the choices that the run repeats, and replayed counts them. deviations are the
	// choices that are not the first one.
	choices    []int
	replayed   int
	deviations int
	// from is the last point of the run. The other fields describe the edge since then.
	from       int
	items      []item
	openReason string
}

// attempt is a run to make: the choices that lead to a point, and one at the point. deviations are
// the choices that are not the first one.
type attempt struct {
	point      int
	choices    []int
	deviations int
}

// stopped ends a run at a choice.
type stopped struct{}

func newExplorer(n *node) *explorer {
	return &explorer{node: n, points: map[string]int{}}
}

// explore makes the runs with the fewest deviations first, so that complete runs are among them if
// there are too many. do returns the outcome of the node; ok is false if it fails.
func (x *explorer) explore(maxRuns int, do func() (o outcome, ok bool)) {
	x.pending = [][]attempt{{{}}}
	for runs := 0; ; runs++ {
		i := slices.IndexFunc(x.pending, func(open []attempt) bool { return len(open) > 0 })
		if i < 0 {
			return
		}
		if runs == maxRuns {
			x.node.cut = tooMany
			return
		}
		next := x.pending[i][0]
		x.pending[i] = x.pending[i][1:]
		x.choices, x.deviations, x.replayed = next.choices, next.deviations, 0
		x.from, x.items, x.openReason = next.point, nil, ""
		x.runOnce(do)
	}
}

// runOnce makes one run.
func (x *explorer) runOnce(do func() (outcome, bool)) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(stopped); !ok {
				panic(v)
			}
		}
	}()
	o, ok := do()
	e := &edge{from: x.from, items: x.items, open: x.openReason}
	if ok {
		x.node.addFinish(e, o)
		return
	}
	e.to = x.node.addPoint()
	x.node.addEdge(e)
}

// choose returns one of n continuations. Points with equal keys have the same continuations.
func (x *explorer) choose(n int, key func() string) int {
	if x.replayed < len(x.choices) {
		x.replayed++
		x.items, x.openReason = nil, ""
		return x.choices[x.replayed-1]
	}
	text := fmt.Sprint(key(), "\x01", n)
	point, isKnown := x.points[text]
	if !isKnown {
		point = x.node.addPoint()
		x.points[text] = point
	}
	x.node.addEdge(&edge{from: x.from, to: point, items: x.items, open: x.openReason})
	for i := 0; !isKnown && i < n; i++ {
		deviations := x.deviations + min(i, 1)
		if deviations == len(x.pending) {
			x.pending = append(x.pending, nil)
		}
		x.pending[deviations] = append(x.pending[deviations], attempt{point, append(slices.Clip(x.choices), i), deviations})
	}
	panic(stopped{})
}

// record adds an item to the current edge.
func (x *explorer) record(i item) { x.items = append(x.items, i) }
