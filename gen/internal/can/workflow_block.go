package can

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Enter begins a block once for each fact that its steps touch, with an empty path, and once for
// all other facts together.
func (w *workTexts) Enter(b interp.Block, in facts) []interp.Entry[facts] {
	var entries []interp.Entry[facts]
	others := facts{}
	for _, name := range in.sortedFacts() {
		path, start := w.enterBlock(b, in[name]), w.startFacts(b, name)
		switch {
		case len(start) == 0:
		case len(start) == 1 && start[outsideFact] != nil:
			others[name] = path
		default:
			entry := interp.Entry[facts]{Start: start, Key: name, Before: facts{name: path}}
			entries = append(entries, entry)
		}
	}
	if len(others) > 0 {
		start := facts{outsideFact: new(trace)}
		entries = append(entries, interp.Entry[facts]{Start: start, Key: outsideFact, Before: others})
	}

	return entries
}

// enterBlock adds the beginning of a block to a path.
func (w *workTexts) enterBlock(b interp.Block, path *trace) *trace {
	switch b.Kind {
	case interp.Branch:
		return path.withStep(Step{Do: "choose", Agent: w.taskName(b.Task), Branch: b.Index + 1, isParallel: true})
	case interp.State:
		return path.withStep(Step{Do: "enter", Agent: w.taskName(b.Task), State: b.State.Name.Value})
	}

	return path
}

// taskName returns the name of a task of the workflow.
func (w *workTexts) taskName(t *ir.Task) string { return w.agent.Name.Value + "/" + t.Name.Value }

// startFacts returns the facts inside of a block that begins with a fact. The input of the block is
// also the previous output of its first step.
func (w *workTexts) startFacts(b interp.Block, name fact) facts {
	begin, start := new(trace), facts{}
	switch {
	case name.isPartOf(previousFact), name == valueFact: // the block does not read them
	case isHidden(b, name), !w.touchedBy(b.Body).isTouched(name):
		start[outsideFact] = begin
	default:
		start[name] = begin
	}
	isGiven := name == argumentFact
	if b.Kind == interp.Item {
		items := pathReads(b.Task.Do.(*ir.Loop).ItemsPath())
		isGiven = slices.ContainsFunc(items, name.overlaps)
		if isGiven {
			start[itemFact] = begin
		}
	}
	if isGiven {
		start[givenFact], start[previousFact] = begin, begin
	}

	return start
}

// isHidden reports whether a block has another value of the same name.
func isHidden(b interp.Block, name fact) bool {
	return name == givenFact || name == argumentFact || name == itemFact && b.Kind == interp.Item
}

// Leave adds the paths before a block. The output of its last step is the output of the block.
func (*workTexts) Leave(
	b interp.Block, _ facts, e interp.Entry[facts], inner interp.Ends[facts],
) interp.Ends[facts] {
	before := e.Before.(facts)
	ends := interp.Ends[facts]{
		Done: before.afterBlock(b, inner.Done), Failed: before.afterBlock(b, inner.Failed),
		Paused: before.afterBlock(b, inner.Paused), Noted: before.afterBlock(b, inner.Noted),
	}
	if output := inner.Done.bestPath([]fact{previousFact}); output != nil {
		for _, path := range before {
			ends.Done.addFact(valueFact, path.withTrace(output))
		}
	}

	return ends
}

// afterBlock returns facts before a block, and facts that derive from them, without the block's own
// values.
func (f facts) afterBlock(b interp.Block, inner facts) facts {
	out, found := facts{}, inner.sortedFacts()
	for name, path := range f {
		for _, within := range found {
			at := path.withTrace(inner[within])
			switch {
			case within == outsideFact:
				out.addFact(name, at)
			case isHidden(b, within), within == valueFact, within.isPartOf(previousFact):
			default:
				out.addFact(within, at)
			}
		}
	}

	return out
}

// Item returns the facts at the next item of a list. The length of a list is not known.
func (*workTexts) Item(_ *ir.Loop, _ int, in facts) (next, skipped facts) {
	return in.withoutValues(valueFact), in
}

// Tolerate continues with the facts before and after a failed turn.
func (w *workTexts) Tolerate(_ *ir.Loop, before, failed facts) facts {
	return interp.Join(w, before.withoutValues(valueFact), failed)
}

// Collect makes the outputs of all items the output of the loop.
func (*workTexts) Collect(loop *ir.Loop, in facts) interp.Ends[facts] {
	done := in
	if loop.Result != nil {
		list := in.writeValue(previousFact, nil, in[valueFact])
		done = in.withoutValues(valueFact).withOutput(list.bestPath(datumReads(loop.Result)))
	}

	return interp.Ends[facts]{Done: done, Failed: in.withoutValues(valueFact)}
}

// Merge merges the facts after parallel branches.
func (w *workTexts) Merge(t *ir.Task, start facts, arms []interp.Ends[facts]) interp.Ends[facts] {
	do := t.Do.(*ir.Parallel)
	ends := interp.Ends[facts]{Done: facts{}, Failed: maps.Clone(start)}
	for i, arm := range arms {
		begin := start.withStep(Step{Do: "choose", Agent: w.taskName(t), Branch: i + 1, isParallel: true})
		ends.Done.addFacts(joinedFacts(do, i, begin, arm.Done))
		ends.Failed.addFacts(arm.Failed)
		ends.Failed.addFacts(arm.Done.storedFacts(failedReason))
		ends.Paused = interp.Join(w, ends.Paused, arm.Paused)
		if do.Failed == ir.FailureIgnored {
			ends.Done.addFacts(arm.Failed.storedFacts(failedReason))
		}
	}

	return ends
}

// joinedFacts returns the facts after a parallel branch. Facts about its context are copied back as
// the step directs. Fields that it does not copy back keep their facts.
func joinedFacts(do *ir.Parallel, branch int, in, behind facts) facts {
	arm := do.Branches[branch]
	brings := func(name fact) bool {
		within := func(path *ir.ContextPath) bool { return name.overlaps(pathReads(path)[0]) }
		return do.Merge != ir.MergeNone && (!arm.Only || slices.ContainsFunc(arm.Fields, within))
	}
	out := facts{}
	for name, t := range behind {
		if !name.isPartOf(contextFact) || brings(name) {
			out.addFact(name, t)
		}
	}
	isIgnored := do.Failed == ir.FailureIgnored
	for name, t := range in {
		isLeft := isIgnored || name.isPartOf(contextFact) && (do.Merge == ir.MergeNone || arm.Only)
		if isLeft && out[name] == nil {
			out.addFact(name, t)
		}
	}
	if !isIgnored && !givesOutput(do, branch) {
		delete(out, valueFact) // the output is another branch's
	}

	return out
}

// givesOutput reports whether the output of a branch may be in the output of all branches.
func givesOutput(do *ir.Parallel, branch int) bool {
	switch do.Reduce {
	case ir.ReduceFirst:
		return branch == 0
	case ir.ReduceLast:
		return branch == len(do.Branches)-1
	}

	return true
}
