package simulate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// asked is what a flow asks about the result of a run: whether its value says done, and how its key
// compares with some.
type asked struct {
	judged bool
	keys   []string
}

// askedIn returns what the tasks of a flow ask about results, those that become the flow's and
// those that are lists included.
func askedIn(body *ir.Pipeline) map[*ir.Output]*asked {
	all := map[*ir.Output]*asked{}
	of := func(o *ir.Output) *asked {
		if all[o] == nil {
			all[o] = &asked{}
		}
		return all[o]
	}
	ir.WalkTasks(body, func(t *ir.Task) {
		switch op := t.Do.(type) {
		case *ir.Branch:
			if test, isKey := ir.KeyTestOf(op.Condition()); isKey {
				of(test.Of).keys = append(of(test.Of).keys, test.Key)
			}
			if says, isSays := op.Condition().(*ir.SaysDone); isSays {
				of(ir.OutputOf(says.X)).judged = true
			}
		case *ir.Loop:
			if list, isList := op.Over.(*ir.ListOf); isList {
				of(list.Of)
			}
		case *ir.Return:
			of(ir.OutputOf(t.InputExpression()))
		}
	})

	return all
}

// patternRuns is the domain of runs of a pattern: each state is a set of runs that have reached one
// point of the program, with what decides how they go on.
type patternRuns struct {
	interp.NoMachines[runs]
	*builder
	n     *node
	agent *ir.Agent
	asked map[*ir.Output]*asked
	// loops are the steps of loops.
	loops map[*ir.Loop]*ir.Task
	// splits are how often runs have been split so far.
	splits int
}

// patternRun is a run of a pattern, or all runs that can go on as it does. It is never changed once
// another one is made of it.
type patternRun struct {
	trail
	// results are those on which something depends, and turns are the turns of loops.
	results map[*ir.Output]outcome
	turns   map[*ir.Output]int
	// group is the operation whose branches run side by side, where the run is in one of them.
	group ir.Op
	// end is the return that has ended the run; nil before.
	end *ir.Task
}

// mostSplits bounds how often the runs of a pattern are split.
const mostSplits = 50_000

// flow makes n a flow.
func (b *builder) flow(n *node, a *ir.Agent, f *ir.Flow) {
	x := &patternRuns{builder: b, n: n, agent: a, asked: askedIn(f.Body), loops: map[*ir.Loop]*ir.Task{}}
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		if loop, isLoop := t.Do.(*ir.Loop); isLoop {
			x.loops[loop] = t
		}
	})
	ends := interp.New(x, interp.Config{}).Pipeline(f.Body, []*patternRun{{}})
	for _, r := range slices.Concat(ends.Done, ends.Failed) { // nothing has ended the former
		r.fail(n)
	}
	for _, r := range ends.Returned {
		o, isEnd := x.finish(r)
		if !isEnd {
			r.fail(n)
			continue
		}
		n.finishes(&edge{from: r.from, items: r.items}, o)
	}
}

// with returns a copy of the run behind something that happens.
func (r *patternRun) with(items ...item) *patternRun {
	next := *r
	next.trail = r.trail.with(items...)

	return &next
}

// giving returns a copy of the run in which a result is known.
func (r *patternRun) giving(result *ir.Output, o outcome) *patternRun {
	next := *r
	next.results = withEntry(r.results, result, o)

	return &next
}

// inTurn returns a copy of the run in the turn of a loop.
func (r *patternRun) inTurn(loop *ir.Loop, turn int) *patternRun {
	next := *r
	if loop.Turn != nil {
		next.turns = withEntry(r.turns, loop.Turn, turn)
	}

	return &next
}

// beside returns a copy of the run in a branch of operations that run side by side.
func (r *patternRun) beside(group ir.Op, number int) *patternRun {
	next := *r
	next.group = group
	next.branch = append(slices.Clip(r.branch), number)

	return &next
}

// behind returns a copy of the run behind the branches of a group, in one of which it was.
func (r *patternRun) behind(group *patternRun) *patternRun {
	next := *r
	next.group, next.branch = group.group, group.branch

	return &next
}

// key is the same for runs that go on alike.
func (r *patternRun) key() string {
	var b strings.Builder
	for _, result := range slices.SortedFunc(maps.Keys(r.results), byName) {
		o := r.results[result]
		fmt.Fprintf(&b, "%s %q %t %d,", result.Name.Value, ir.FoldKey(o.key), o.done, o.items)
	}
	for _, turn := range slices.SortedFunc(maps.Keys(r.turns), byName) {
		fmt.Fprintf(&b, "%s %d,", turn.Name.Value, r.turns[turn])
	}

	return b.String()
}

func byName(a, b *ir.Output) int { return strings.Compare(a.Name.Value, b.Name.Value) }

// withEntry returns a copy of a map with one more entry.
func withEntry[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	changed := map[K]V{k: v}
	for known, value := range m {
		if known != k {
			changed[known] = value
		}
	}

	return changed
}

// node is what runs for a result, which is nil where nothing can ask about it.
func (x *patternRuns) node(op *ir.Run, result *ir.Output) *node {
	place := op.At.Within(x.n.place)
	var n *node
	if op.Step == nil {
		n = x.builder.agent(op.Agent.Agent, place)
	} else {
		about := cmp.Or(x.asked[result], &asked{})
		n = x.builder.node(op.Step, op.Step.Label(x.agent.Name.Value), place, func(n *node) { x.converse(n, x.agent, op.Step, about) })
	}
	x.n.cut = max(x.n.cut, n.cut)

	return n
}

// itemsOf returns how many items a list has. What is not a list is none as an array, and one step or
// claim.
func (r *patternRun) itemsOf(list *ir.ListOf) int {
	o, known := r.results[list.Of]
	if known && o.items == 0 && list.Kind != ir.ListItems {
		return 1
	}

	return o.items
}

func (r *patternRun) holds(x ir.Expression) bool {
	if says, isSays := x.(*ir.SaysDone); isSays {
		return r.results[ir.OutputOf(says.X)].done
	}
	if test, isKey := ir.KeyTestOf(x); isKey {
		o, known := r.results[test.Of]
		return known && sameKey(o.key, test.Key) != test.Not
	}
	limit, isLimit := ir.TurnTestOf(x)

	return isLimit && r.turns[limit.Turn] == limit.N
}

// finish returns the outcome of a run that a return has ended; ok is false if the flow fails there.
func (x *patternRuns) finish(r *patternRun) (o outcome, ok bool) {
	ret := r.end.Do.(*ir.Return)
	o = outcome{key: ir.DoneKey, value: unknown}
	value, known := r.results[ir.OutputOf(r.end.InputExpression())]
	_, isWhole := r.end.InputExpression().(*ir.Access)
	o.done = known && isWhole && value.done
	switch ret.Key {
	case ir.KeyOwn:
		o.key = value.key
		return o, known
	case ir.KeyExhausted, ir.KeyUnfinished:
		if slices.ContainsFunc(x.n.place.Keys, func(key string) bool { return sameKey(key, ir.ExhaustedKey) }) {
			o.key = ir.ExhaustedKey
			return o, true
		}
	}

	return o, ret.Key != ir.KeyUnfinished
}
