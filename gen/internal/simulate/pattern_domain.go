package simulate

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// runs are runs of a pattern at one point of the program.
type runs = []*patternRun

// None returns no runs.
func (*patternRuns) None() runs { return nil }

// IsNone reports whether there is no run.
func (*patternRuns) IsNone(s runs) bool { return len(s) == 0 }

// Union returns the runs of both.
func (*patternRuns) Union(a, b runs) runs { return slices.Concat(a, b) }

// Fresh returns the runs that have not been seen.
func (*patternRuns) Fresh(seen, s runs) (fresh, all runs) {
	fresh = ir.Where(s, func(r *patternRun) bool { return !slices.Contains(seen, r) })

	return fresh, slices.Concat(seen, fresh)
}

// Give changes nothing, because inputs make no difference.
func (*patternRuns) Give(_ *ir.Task, in runs) runs { return in }

// Keep changes nothing, because results are kept where a node runs.
func (*patternRuns) Keep(_ *ir.Task, in runs) interp.Ends[runs] {
	return interp.Ends[runs]{Done: in}
}

// Do runs a step without inner steps.
func (x *patternRuns) Do(t *ir.Task, in runs) interp.Ends[runs] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return interp.Ends[runs]{Done: x.runStep(t, do, in)}
	case *ir.PassOn:
		return interp.Ends[runs]{Done: in}
	case *ir.Ask:
		asks := item{kind: kindAnswer, name: x.agent.Name.Value, turn: Turn{Say: yesAnswer}}
		return interp.Ends[runs]{Done: ir.Map(in, func(r *patternRun) *patternRun { return r.withItems(asks) })}
	case *ir.Return:
		return interp.Ends[runs]{Returned: ir.Map(in, func(r *patternRun) *patternRun {
			ended := *r
			ended.endedBy = t
			return &ended
		})}
	case *ir.Branch, *ir.Loop, *ir.Parallel: // they have inner steps
	case *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine: // not in patterns
	}

	panic(fmt.Sprintf("a pattern does a %T", t.Do))
}

// runStep runs a conversation or an agent, with a run for each of its outcomes if something tests
// the result.
func (x *patternRuns) runStep(t *ir.Task, do *ir.Run, in runs) runs {
	if len(in) > 0 && in[0].group != nil { // nothing tests how it ends
		n := x.runNode(do, nil)
		return ir.Map(in, func(r *patternRun) *patternRun {
			return r.withItems(item{kind: kindRun, node: n, outcomes: n.allOutcomes(), group: r.group})
		})
	}
	n := x.runNode(do, t.Output)
	all := item{kind: kindRun, node: n, outcomes: n.allOutcomes()}
	if x.questions[t.Output] == nil {
		return ir.Map(in, func(r *patternRun) *patternRun { return r.withItems(all) })
	}
	var behind runs
	for _, r := range x.mergeAlike(in) {
		if len(n.outcomes) == 0 {
			r.withItems(all).endInFailure(x.node)
		}
		for i, o := range n.outcomes {
			behind = append(behind, r.withResult(t.Output, o).withItems(item{kind: kindRun, node: n, outcomes: []int{i}}))
		}
	}

	return behind
}

// mergeAlike leads runs that continue alike to one point each, before they are split. It returns no
// runs after too many splits.
func (x *patternRuns) mergeAlike(in runs) runs {
	var merged runs
	points := map[string]int{}
	for _, r := range in {
		x.splits++
		if x.splits > maxSplits {
			x.node.cut = tooMany
			return nil
		}
		at := *r
		point, known := points[r.mergeKey()]
		if !known {
			point = x.node.addPoint()
			points[r.mergeKey()] = point
			merged = append(merged, &at)
		}
		at.leadTo(x.node, point)
	}

	return merged
}

// Enter begins a turn or a parallel branch.
func (*patternRuns) Enter(b interp.Block, in runs) []interp.Entry[runs] {
	start := in
	loop, isLoop := b.Task.Do.(*ir.Loop)
	if isLoop {
		start = ir.Map(start, func(r *patternRun) *patternRun { return r.withTurn(loop, b.Turn) })
	}
	if number, isParallel := parallelNumber(b); isParallel {
		start = ir.Map(start, func(r *patternRun) *patternRun { return r.inBranch(b.Task.Do, number) })
	}

	return []interp.Entry[runs]{{Start: start}}
}

// parallelNumber returns the number of a block among its parallel blocks; isParallel is false if it
// runs alone.
func parallelNumber(b interp.Block) (number int, isParallel bool) {
	loop, isLoop := b.Task.Do.(*ir.Loop)
	switch {
	case b.Kind == interp.Branch:
		return b.Index, true
	case isLoop && loop.Reduce == ir.ReduceResults:
		return b.Turn - 1, true
	}

	return 0, false
}

// Leave ends a turn or a parallel branch.
func (x *patternRuns) Leave(b interp.Block, in runs, _ interp.Entry[runs], inner interp.Ends[runs]) interp.Ends[runs] {
	if _, isParallel := parallelNumber(b); isParallel {
		inner.Done = ir.Map(inner.Done, func(r *patternRun) *patternRun { return r.leaveGroup(in[0]) })
	}
	if b.Kind == interp.Turn {
		inner.Returned = x.withCase(inner.Returned, b.Task, turnEndCase(b.Turn), "")
	}

	return inner
}

// withCase returns runs that take a case of a step, if the step has it.
func (x *patternRuns) withCase(in runs, t *ir.Task, kind CaseKind, name string) runs {
	c := x.cases[caseKey{t, kind, name}]
	if c == nil {
		return in
	}

	return ir.Map(in, func(r *patternRun) *patternRun { return r.withItems(item{kind: kindCase, takes: c}) })
}

// Decide does nothing, because a pattern has no deciding functions.
func (*patternRuns) Decide(_ *ir.Task, in runs) interp.Ends[runs] {
	return interp.Ends[runs]{Done: in}
}

// Choose returns the runs that take each case.
func (x *patternRuns) Choose(c interp.Choice, in runs) interp.Chosen[runs] {
	if c.Branch == nil {
		return interp.Chosen[runs]{Cases: make([]runs, c.Cases), Other: in} // the loop continues
	}
	holds := func(r *patternRun) bool { return r.holds(c.Branch.Condition()) }
	isOther := func(r *patternRun) bool { return !holds(r) }

	return interp.Chosen[runs]{
		Cases: []runs{x.withCase(ir.Where(in, holds), c.Task, CaseBranch, ir.TrueKey)},
		Other: x.withCase(ir.Where(in, isOther), c.Task, CaseDefault, ""),
	}
}

// Item returns the runs whose list has an item for a turn.
func (x *patternRuns) Item(loop *ir.Loop, turn int, in runs) (next, skipped runs) {
	list := loop.Over.(*ir.ListOf)
	for _, r := range in {
		items := r.listLength(list)
		if turn == 1 {
			r = x.withCase(runs{r}, x.loopTasks[loop], itemCountCase(items), "")[0]
		}
		if turn <= items {
			next = append(next, r)
		} else {
			skipped = append(skipped, r)
		}
	}

	return next, skipped
}

// Tolerate returns the runs that failed. They end there.
func (*patternRuns) Tolerate(_ *ir.Loop, _, failed runs) runs { return failed }

// Collect changes nothing.
func (*patternRuns) Collect(_ *ir.Loop, in runs) interp.Ends[runs] {
	return interp.Ends[runs]{Done: in}
}

// Advance continues with all runs while a loop has rounds to search.
func (x *patternRuns) Advance(p interp.Progress[runs]) interp.Step[runs] {
	if p.Loop.EndsByReturn() && p.Round >= x.maxRounds {
		x.node.cut = max(x.node.cut, tooLong)
		return interp.Step[runs]{GoesOn: true}
	}

	return interp.Step[runs]{Next: p.After, GoesOn: true}
}

// Fork handles each run alone.
func (*patternRuns) Fork(_ *ir.Task, in runs) []runs {
	return ir.Map(in, func(r *patternRun) runs { return runs{r} })
}

// Share returns the runs before the branches, which do not see each other's results.
func (*patternRuns) Share(_ *ir.Task, start runs, _ []interp.Ends[runs]) runs { return start }

// Merge returns the run before the branches with the items of all of them.
func (*patternRuns) Merge(_ *ir.Task, start runs, arms []interp.Ends[runs]) interp.Ends[runs] {
	behind := *start[0]
	before := len(behind.items)
	for _, arm := range arms {
		behind.items = slices.Concat(behind.items, arm.Done[0].items[before:])
	}

	return interp.Ends[runs]{Done: runs{&behind}}
}
