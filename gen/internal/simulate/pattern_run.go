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

// resultQuestion is what a flow tests of the result of a run: whether its value starts with done,
// and keys with which it compares the key.
type resultQuestion struct {
	isJudged bool
	keys     []string
}

// findResultQuestions returns what the tasks of a flow test of results. It includes results that
// the flow returns and results that are lists.
func findResultQuestions(body *ir.Pipeline) map[*ir.Output]*resultQuestion {
	all := map[*ir.Output]*resultQuestion{}
	of := func(o *ir.Output) *resultQuestion {
		if all[o] == nil {
			all[o] = &resultQuestion{}
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
				of(ir.OutputOf(says.X)).isJudged = true
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

// patternRuns is the domain of runs of a pattern. Each state is a set of runs at one point of the
// program.
type patternRuns struct {
	interp.NoMachines[runs]
	interp.NoRetries[runs]
	*builder
	node      *node
	agent     *ir.Agent
	questions map[*ir.Output]*resultQuestion
	// loopTasks are the tasks of loops.
	loopTasks map[*ir.Loop]*ir.Task
	// splits counts the splits of runs.
	splits int
}

// patternRun is a run of a pattern, or all runs that continue alike. It does not change after it
// was copied.
type patternRun struct {
	trail
	// results are the results on which something depends, and turns are the turns of loops.
	results map[*ir.Output]outcome
	turns   map[*ir.Output]int
	// group is the operation whose branches run in parallel, if the run is in one of them.
	group ir.Op
	// endedBy is the return that ended the run; nil before.
	endedBy *ir.Task
}

// maxSplits bounds how often the runs of a pattern are split.
const maxSplits = 50_000

// buildFlow makes n a flow.
func (b *builder) buildFlow(n *node, a *ir.Agent, f *ir.Flow) {
	x := &patternRuns{builder: b, node: n, agent: a, questions: findResultQuestions(f.Body), loopTasks: map[*ir.Loop]*ir.Task{}}
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		if loop, isLoop := t.Do.(*ir.Loop); isLoop {
			x.loopTasks[loop] = t
		}
	})
	ends := interp.New(x, interp.Config{}).RunPipeline(f.Body, []*patternRun{{}})
	for _, r := range slices.Concat(ends.Done, ends.Failed) { // runs in Done did not return
		r.endInFailure(n)
	}
	for _, r := range ends.Returned {
		o, isEnd := x.finishOutcome(r)
		if !isEnd {
			r.endInFailure(n)
			continue
		}
		n.addFinish(&edge{from: r.from, items: r.items}, o)
	}
}

// withItems returns a copy of the run after some items.
func (r *patternRun) withItems(items ...item) *patternRun {
	next := *r
	next.trail = r.trail.withItems(items...)

	return &next
}

// withResult returns a copy of the run with a known result.
func (r *patternRun) withResult(result *ir.Output, o outcome) *patternRun {
	next := *r
	next.results = withEntry(r.results, result, o)

	return &next
}

// withTurn returns a copy of the run in the turn of a loop.
func (r *patternRun) withTurn(loop *ir.Loop, turn int) *patternRun {
	next := *r
	if loop.Turn != nil {
		next.turns = withEntry(r.turns, loop.Turn, turn)
	}

	return &next
}

// inBranch returns a copy of the run in a parallel branch.
func (r *patternRun) inBranch(group ir.Op, number int) *patternRun {
	next := *r
	next.group = group
	next.branch = append(slices.Clip(r.branch), number)

	return &next
}

// leaveGroup returns a copy of the run after the branches of a group. outside is a run before them.
func (r *patternRun) leaveGroup(outside *patternRun) *patternRun {
	next := *r
	next.group, next.branch = outside.group, outside.branch

	return &next
}

// mergeKey is equal for runs that continue alike.
func (r *patternRun) mergeKey() string {
	var b strings.Builder
	for _, result := range slices.SortedFunc(maps.Keys(r.results), compareNames) {
		o := r.results[result]
		fmt.Fprintf(&b, "%s %q %t %d,", result.Name.Value, ir.FoldKey(o.key), o.startsWithDone, o.items)
	}
	for _, turn := range slices.SortedFunc(maps.Keys(r.turns), compareNames) {
		fmt.Fprintf(&b, "%s %d,", turn.Name.Value, r.turns[turn])
	}

	return b.String()
}

func compareNames(a, b *ir.Output) int { return strings.Compare(a.Name.Value, b.Name.Value) }

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

// runNode returns the node of a run with a result. The result is nil if nothing can test it.
func (x *patternRuns) runNode(op *ir.Run, result *ir.Output) *node {
	place := op.At.Within(x.node.place)
	var n *node
	if op.Step == nil {
		n = x.builder.agentNode(op.Agent.Agent, place)
	} else {
		about := cmp.Or(x.questions[result], &resultQuestion{})
		n = x.builder.ensureNode(op.Step, op.Step.Label(x.agent.Name.Value), place, func(n *node) { x.buildConversation(n, x.agent, op.Step, about) })
	}
	x.node.cut = max(x.node.cut, n.cut)

	return n
}

// listLength returns how many items a list has. A value that is not a list has no items as an
// array, and is one step or claim.
func (r *patternRun) listLength(list *ir.ListOf) int {
	o, known := r.results[list.Of]
	if known && o.items == 0 && list.Kind != ir.ListItems {
		return 1
	}

	return o.items
}

func (r *patternRun) holds(x ir.Expression) bool {
	if says, isSays := x.(*ir.SaysDone); isSays {
		return r.results[ir.OutputOf(says.X)].startsWithDone
	}
	if test, isKey := ir.KeyTestOf(x); isKey {
		o, known := r.results[test.Of]
		return known && equalKeys(o.key, test.Key) != test.Not
	}
	limit, isLimit := ir.TurnTestOf(x)

	return isLimit && r.turns[limit.Turn] == limit.N
}

// finishOutcome returns the outcome of a run that returned; ok is false if the flow fails there.
func (x *patternRuns) finishOutcome(r *patternRun) (o outcome, ok bool) {
	ret := r.endedBy.Do.(*ir.Return)
	o = outcome{key: ir.DoneKey, value: unknown}
	value, known := r.results[ir.OutputOf(r.endedBy.InputExpression())]
	_, isWhole := r.endedBy.InputExpression().(*ir.Access)
	o.startsWithDone = known && isWhole && value.startsWithDone
	switch ret.Key {
	case ir.KeyOwn:
		o.key = value.key
		return o, known
	case ir.KeyExhausted, ir.KeyUnfinished:
		if slices.ContainsFunc(x.node.place.Keys, func(key string) bool { return equalKeys(key, ir.ExhaustedKey) }) {
			o.key = ir.ExhaustedKey
			return o, true
		}
	}

	return o, ret.Key != ir.KeyUnfinished
}
