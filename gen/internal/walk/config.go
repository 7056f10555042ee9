package walk

import "github.com/agentc-dev/agentc/gen/internal/ir"

// config is a point in a run of a flow: before an instruction that runs something, or at the end.
type config struct {
	at int
	// slots are what is known: of a result the number of its outcome, from 1; of a counter its value.
	slots []int
	edges []edge
	// ahead are the turns of the shortest way from the beginning, last the edge with which it ends.
	ahead int
	last  step
	// outcome is the flow's at the end; -1 before.
	outcome int
	// behind are the turns of the shortest way on, to where the walks around the flow end, and next the edge with
	// which it begins.
	behind int
	next   int
}

// step is an edge of a configuration.
type step struct{ config, edge int }

// edge is what an instruction can do.
type edge struct {
	// option is the outcome of what a run runs.
	option int
	// items are those of the list.
	items int
	turns int
	to    int
}

// of returns the outcome of a result; nil if it is not known.
func (x *flow) of(name string, slots []int) *outcome {
	asked := x.results[name]
	if asked == nil || asked.runs == nil || slots[x.slots[name]] == 0 {
		return nil
	}

	return &asked.runs.outcomes[slots[x.slots[name]]-1]
}

func (x *flow) holds(cond ir.Cond, slots []int) bool {
	switch cond := cond.(type) {
	case ir.KeyIs:
		o := x.of(cond.Var, slots)
		return o != nil && o.is(cond.Key) != cond.Not
	case ir.SaysDone:
		o := x.of(cond.Var, slots)
		return o != nil && o.done
	case ir.AtLimit:
		return slots[x.slots[cond.Counter]] == cond.N
	}

	return false
}

// items returns how many items a list has. What is no list is none as an array, and one step or claim.
func (x *flow) items(list *ir.List, slots []int) int {
	if o := x.of(list.Of, slots); o != nil && (o.list || list.Kind != ir.ListItems) {
		return 1
	}

	return 0
}
