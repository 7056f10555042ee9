package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Enter begins a block with the values that decide what happens there. Nothing is spent before.
func (x *workCosts) Enter(b interp.Block, in *runs) []interp.Entry[*runs] {
	start := &runs{inside: in.inside, input: in.given, previous: in.given}
	if b.Kind == interp.State {
		start.data = x.machines[b.Machine].dataInState(b.Turn, b.State, in.data)
	}

	return []interp.Entry[*runs]{{Start: start, Key: start.inside}}
}

// Leave adds the spending before a block, whose output is the output of its last step. The spending
// of parallel branches is added after all of them have ended.
func (x *workCosts) Leave(b interp.Block, in *runs, _ interp.Entry[*runs], inner interp.Ends[*runs]) interp.Ends[*runs] {
	if b.Kind == interp.State {
		x.machines[b.Machine].recordSpending(b.State, inner)
	}

	ends := mapEnds(inner, func(behind *runs) *runs {
		out := *in
		out.data, out.value, out.spent = behind.data, behind.previous, behind.spent
		if b.Kind != interp.Branch {
			out.spent = in.spent.then(behind.spent)
		}
		return &out
	})
	if ends.Failed != nil {
		ends.Failed.value = builtin.SizeOfJSON(builtin.SizeOfNull)
	}

	return ends
}

// Decide calls a function, which spends nothing.
func (*workCosts) Decide(_ *ir.Task, in *runs) interp.Ends[*runs] {
	return interp.Ends[*runs]{Done: in, Failed: in}
}

// Choose lets all runs take each case, up to one that is always taken.
func (*workCosts) Choose(c interp.Choice, in *runs) interp.Chosen[*runs] {
	chosen := interp.Chosen[*runs]{Cases: make([]*runs, c.Cases), Other: in}
	if c.Loop != nil && c.Conditions == nil && c.Loop.Func == nil {
		return chosen
	}
	for i := range chosen.Cases {
		chosen.Cases[i] = in
		if c.Rows != nil && c.Rows[i].When == nil {
			chosen.Other = nil
			break
		}
	}

	return chosen
}

// Fork handles all runs at once.
func (*workCosts) Fork(_ *ir.Task, in *runs) []*runs { return []*runs{in} }

// Share returns the runs before the branches, which do not see each other's writes.
func (*workCosts) Share(_ *ir.Task, start *runs, _ []interp.Ends[*runs]) *runs { return start }

// Merge adds the spending of parallel branches. All of them run, even if one fails.
func (x *workCosts) Merge(t *ir.Task, start *runs, arms []interp.Ends[*runs]) interp.Ends[*runs] {
	do := t.Do.(*ir.Parallel)
	done, failed := *start, *start
	done.spent, failed.spent = spending{}, spending{}
	outputs := make([]extent, len(arms))
	var paused *runs
	endsWell := true
	for i, arm := range arms {
		all := interp.Join(x, arm.Done, arm.Failed)
		ended := arm.Done
		if do.Failed != ir.FailureCounts {
			ended = all
		}
		paused = interp.Join(x, paused, arm.Paused)
		failed = failed.addBranch(all)
		if ended == nil {
			endsWell = false
			continue
		}
		done = done.addBranch(ended)
		outputs[i] = ended.value
	}
	done.value = reducedOutput(do, outputs)
	done.spent, failed.spent = start.spent.then(done.spent), start.spent.then(failed.spent)
	ends := interp.Ends[*runs]{Failed: &failed}
	if endsWell {
		ends.Done = &done
	}
	if paused != nil { // while others run
		ends.Paused = &failed
	}

	return ends
}

// addBranch adds the spending and the writes of a branch.
func (in runs) addBranch(branch *runs) runs {
	if branch != nil {
		in.data, in.spent = in.data.union(branch.data), in.spent.inParallel(branch.spent)
	}

	return in
}

// reducedOutput returns the output of parallel branches.
func reducedOutput(do *ir.Parallel, outputs []extent) extent {
	all, names := builtin.SizeOfJSON(2), builtin.SizeOfJSON(2)
	for i, arm := range do.Branches {
		name := builtin.QuotedSize(size(arm.Name.Value)).Plus(2)
		all, names = builtin.SizeOfJSON(amount.Sum(all.JSON, outputs[i].JSON, name)), builtin.SizeOfJSON(names.JSON.Plus(name))
	}
	switch do.Reduce {
	case ir.ReduceKeys:
		return names
	case ir.ReduceObject, ir.ReduceValues, ir.ReduceUnion, ir.ReduceConcat:
		return all
	}
	switch {
	case do.Failed == ir.FailureIgnored: // any may be the first or the last one
	case do.Reduce == ir.ReduceFirst:
		outputs = outputs[:1]
	case do.Reduce == ir.ReduceLast:
		outputs = outputs[len(outputs)-1:]
	}
	value := extent{}
	for _, output := range outputs {
		value = value.Or(output)
	}

	return value
}

// Advance continues while sizes grow. Rounds with equal sizes are counted without another visit,
// except the last one.
func (x *workCosts) Advance(p interp.Progress[*runs]) interp.Step[*runs] {
	switch {
	case p.Loop != nil && p.Loop.IsForEach():
		return interp.Step[*runs]{Next: x.nextItem(p)}
	case p.Loop != nil:
		next := *p.After
		next.given = p.After.value
		return countRounds(p, &next)
	}

	return countRounds(p, p.After)
}

// countRounds counts rounds with equal sizes, which spend as much as the last one.
func countRounds(p interp.Progress[*runs], after *runs) interp.Step[*runs] {
	next, round := *after, after.spent.subtract(p.Before.spent)
	switch {
	case next.inside == p.Before.inside && round.isNothing():
		return interp.Step[*runs]{}
	case next.inside == p.Before.inside:
		next.spent = next.spent.then(round.times(amount.Of(p.Left - 1)))
		return interp.Step[*runs]{Next: &next, Skipped: p.Left - 1}
	case p.Round > exactRounds+1:
		next.inside = next.inside.unboundGrowth(p.Before.inside)
	}

	return interp.Step[*runs]{Next: &next}
}

// unboundGrowth makes values unbounded that are larger than before.
func (in inside) unboundGrowth(before inside) inside {
	in.data = in.data.unboundGrowth(before.data)
	if in.given != before.given {
		in.given = unboundedExtent
	}

	return in
}
