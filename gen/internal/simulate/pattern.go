package simulate

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// runs are runs of a pattern at one point of the program.
type runs = []*patternRun

// None is no run.
func (*patternRuns) None() runs { return nil }

// IsNone reports whether there is no run.
func (*patternRuns) IsNone(s runs) bool { return len(s) == 0 }

// Join returns the runs of both.
func (*patternRuns) Join(a, b runs) runs { return slices.Concat(a, b) }

// Fresh returns the runs that have not been seen.
func (*patternRuns) Fresh(seen, s runs) (fresh, all runs) {
	fresh = ir.Where(s, func(r *patternRun) bool { return !slices.Contains(seen, r) })

	return fresh, slices.Concat(seen, fresh)
}

// Give changes nothing: what a step is given makes no difference.
func (*patternRuns) Give(_ *ir.Task, in runs) runs { return in }

// Keep changes nothing: results are kept where something runs.
func (*patternRuns) Keep(_ *ir.Task, in runs) interp.Ends[runs] {
	return interp.Ends[runs]{Done: in}
}

// Retry returns the runs that failed. No step of a pattern is tried again.
func (*patternRuns) Retry(_ *ir.Task, _, failed runs) runs { return failed }

// Do does what a step does that has no steps inside.
func (x *patternRuns) Do(t *ir.Task, in runs) interp.Ends[runs] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return interp.Ends[runs]{Done: x.run(t, do, in)}
	case *ir.PassOn:
		return interp.Ends[runs]{Done: in}
	case *ir.Ask:
		asks := item{kind: kindAnswer, name: x.agent.Name.Value, turn: Turn{Say: saidYes}}
		return interp.Ends[runs]{Done: ir.Map(in, func(r *patternRun) *patternRun { return r.with(asks) })}
	case *ir.Return:
		return interp.Ends[runs]{Returned: ir.Map(in, func(r *patternRun) *patternRun {
			ended := *r
			ended.end = t
			return &ended
		})}
	case *ir.Branch, *ir.Loop, *ir.Parallel: // they have steps inside
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine: // no pattern has one
	}

	panic(fmt.Sprintf("a pattern does a %T", t.Do))
}

// run runs a conversation or an agent, with each of its outcomes if something is asked about the
// result.
func (x *patternRuns) run(t *ir.Task, do *ir.Run, in runs) runs {
	if len(in) > 0 && in[0].group != nil { // nothing asks how it ends
		n := x.node(do, nil)
		return ir.Map(in, func(r *patternRun) *patternRun {
			return r.with(item{kind: kindRun, runs: n, outcomes: n.all(), group: r.group})
		})
	}
	n := x.node(do, t.Output)
	all := item{kind: kindRun, runs: n, outcomes: n.all()}
	if x.asked[t.Output] == nil {
		return ir.Map(in, func(r *patternRun) *patternRun { return r.with(all) })
	}
	var behind runs
	for _, r := range x.merge(in) {
		if len(n.outcomes) == 0 {
			r.with(all).fail(x.n)
		}
		for i, o := range n.outcomes {
			behind = append(behind, r.giving(t.Output, o).with(item{kind: kindRun, runs: n, outcomes: []int{i}}))
		}
	}

	return behind
}

// merge leads runs that go on alike to one point each, before they are split. There are none where
// the search has ended.
func (x *patternRuns) merge(in runs) runs {
	var merged runs
	points := map[string]int{}
	for _, r := range in {
		x.splits++
		if x.splits > mostSplits {
			x.n.cut = tooMany
			return nil
		}
		at := *r
		point, known := points[r.key()]
		if !known {
			point = x.n.point()
			points[r.key()] = point
			merged = append(merged, &at)
		}
		at.lead(x.n, point)
	}

	return merged
}

// Enter begins a turn, or a branch of operations that run side by side.
func (*patternRuns) Enter(b interp.Block, in runs) []interp.Entry[runs] {
	start := in
	loop, isLoop := b.Task.Do.(*ir.Loop)
	if isLoop {
		start = ir.Map(start, func(r *patternRun) *patternRun { return r.inTurn(loop, b.Turn) })
	}
	if number, isBeside := numberBeside(b); isBeside {
		start = ir.Map(start, func(r *patternRun) *patternRun { return r.beside(b.Task.Do, number) })
	}

	return []interp.Entry[runs]{{Start: start}}
}

// numberBeside returns the number of a block among those that run beside it; isBeside is false where
// it runs alone.
func numberBeside(b interp.Block) (number int, isBeside bool) {
	loop, isLoop := b.Task.Do.(*ir.Loop)
	switch {
	case b.Kind == interp.Branch:
		return b.Index, true
	case isLoop && loop.Reduce == ir.ReduceResults:
		return b.Turn - 1, true
	}

	return 0, false
}

// Leave ends a turn, or a branch of operations that run side by side.
func (x *patternRuns) Leave(b interp.Block, in runs, _ interp.Entry[runs], inner interp.Ends[runs]) interp.Ends[runs] {
	if _, isBeside := numberBeside(b); isBeside {
		inner.Done = ir.Map(inner.Done, func(r *patternRun) *patternRun { return r.behind(in[0]) })
	}
	if b.Kind == interp.Turn {
		inner.Returned = x.taking(inner.Returned, b.Task, endOfTurn(b.Turn), "")
	}

	return inner
}

// taking returns runs that take a case of a step, if the step has it.
func (x *patternRuns) taking(in runs, t *ir.Task, kind CaseKind, name string) runs {
	c := x.cases[caseKey{t, kind, name}]
	if c == nil {
		return in
	}

	return ir.Map(in, func(r *patternRun) *patternRun { return r.with(item{kind: kindCase, of: c}) })
}

// Decide does nothing: no function decides in a pattern.
func (*patternRuns) Decide(_ *ir.Task, in runs) interp.Ends[runs] {
	return interp.Ends[runs]{Done: in}
}

// Choose returns which runs take which case.
func (x *patternRuns) Choose(c interp.Choice, in runs) interp.Chosen[runs] {
	if c.Branch == nil {
		return interp.Chosen[runs]{Cases: make([]runs, c.Cases), Other: in} // a loop that goes on
	}
	holds := func(r *patternRun) bool { return r.holds(c.Branch.Condition()) }
	isOther := func(r *patternRun) bool { return !holds(r) }

	return interp.Chosen[runs]{
		Cases: []runs{x.taking(ir.Where(in, holds), c.Task, CaseBranch, ir.TrueKey)},
		Other: x.taking(ir.Where(in, isOther), c.Task, CaseDefault, ""),
	}
}

// Item returns the runs whose list has an item for a turn.
func (x *patternRuns) Item(loop *ir.Loop, turn int, in runs) (next, skipped runs) {
	list := loop.Over.(*ir.ListOf)
	for _, r := range in {
		items := r.itemsOf(list)
		if turn == 1 {
			r = x.taking(runs{r}, x.loops[loop], caseOfItems(items), "")[0]
		}
		if turn <= items {
			next = append(next, r)
		} else {
			skipped = append(skipped, r)
		}
	}

	return next, skipped
}

// Tolerate returns the runs that failed: those of a pattern end there.
func (*patternRuns) Tolerate(_ *ir.Loop, failed runs) runs { return failed }

// Collect changes nothing.
func (*patternRuns) Collect(_ *ir.Loop, in runs) interp.Ends[runs] {
	return interp.Ends[runs]{Done: in}
}

// Advance goes on with all runs, as long as a loop has rounds that are looked at.
func (x *patternRuns) Advance(p interp.Progress[runs]) interp.Step[runs] {
	if p.Loop.EndsByReturn() && p.Round >= x.rounds {
		x.n.cut = max(x.n.cut, tooLong)
		return interp.Step[runs]{GoesOn: true}
	}

	return interp.Step[runs]{Next: p.After, GoesOn: true}
}

// Fork looks at each run by itself.
func (*patternRuns) Fork(_ *ir.Task, in runs) []runs {
	return ir.Map(in, func(r *patternRun) runs { return runs{r} })
}

// Share returns the runs before the branches: these find nothing of each other.
func (*patternRuns) Share(_ *ir.Task, start runs, _ []interp.Ends[runs]) runs { return start }

// Merge returns the run before the branches behind what happens in all of them.
func (*patternRuns) Merge(_ *ir.Task, start runs, arms []interp.Ends[runs]) interp.Ends[runs] {
	behind := *start[0]
	before := len(behind.items)
	for _, arm := range arms {
		behind.items = slices.Concat(behind.items, arm.Done[0].items[before:])
	}

	return interp.Ends[runs]{Done: runs{&behind}}
}
