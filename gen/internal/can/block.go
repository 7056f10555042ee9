package can

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Enter begins a block once for each fact that its steps touch, with an empty path, and once for all
// others together.
func (w *workTexts) Enter(b interp.Block, in facts) []interp.Entry[facts] {
	var entries []interp.Entry[facts]
	others := facts{}
	for _, name := range in.sorted() {
		path, start := w.into(b, in[name]), w.startOf(b, name)
		switch {
		case len(start) == 0:
		case len(start) == 1 && start[around] != nil:
			others[name] = path
		default:
			entry := interp.Entry[facts]{Start: start, Key: name, Before: facts{name: path}}
			entries = append(entries, entry)
		}
	}
	if len(others) > 0 {
		start := facts{around: new(trace)}
		entries = append(entries, interp.Entry[facts]{Start: start, Key: around, Before: others})
	}

	return entries
}

// into adds to a path that a block begins.
func (w *workTexts) into(b interp.Block, path *trace) *trace {
	switch b.Kind {
	case interp.Branch:
		return path.then(Step{Do: "choose", Agent: w.nameOf(b.Task), Branch: b.Index + 1, beside: true})
	case interp.State:
		return path.then(Step{Do: "enter", Agent: w.nameOf(b.Task), State: b.State.Name.Value})
	}

	return path
}

// nameOf is what a task of the workflow is called.
func (w *workTexts) nameOf(t *ir.Task) string { return w.agent.Name.Value + "/" + t.Name.Value }

// startOf returns the facts inside of a block that begins with a fact: what the block is given is
// the output of the step before its first one, too.
func (w *workTexts) startOf(b interp.Block, name fact) facts {
	begin, start := new(trace), facts{}
	switch {
	case name.isOf(previous), name == value: // they are not read
	case isHidden(b, name), !w.touchedIn(b.Body).isTouched(name):
		start[around] = begin
	default:
		start[name] = begin
	}
	isGiven := name == argument
	if b.Kind == interp.Item {
		items := pathReads(b.Task.Do.(*ir.Loop).ItemsPath())
		if isGiven = slices.ContainsFunc(items, name.touches); isGiven {
			start[item] = begin
		}
	}
	if isGiven {
		start[given], start[previous] = begin, begin
	}

	return start
}

// isHidden reports whether a block has another value of the same name.
func isHidden(b interp.Block, name fact) bool {
	return name == given || name == argument || name == item && b.Kind == interp.Item
}

// Leave adds what was before a block. The output of its last step is that of the block.
func (*workTexts) Leave(
	b interp.Block, _ facts, e interp.Entry[facts], inner interp.Ends[facts],
) interp.Ends[facts] {
	before := e.Before.(facts)
	ends := interp.Ends[facts]{
		Done: before.behind(b, inner.Done), Failed: before.behind(b, inner.Failed),
		Paused: before.behind(b, inner.Paused), Noted: before.behind(b, inner.Noted),
	}
	if output := inner.Done.best([]fact{previous}); output != nil {
		for _, path := range before {
			ends.Done.add(value, path.sub(output))
		}
	}

	return ends
}

// behind returns facts that were before a block, or that derive from one of these, without those
// that the block had for itself.
func (f facts) behind(b interp.Block, inner facts) facts {
	out, found := facts{}, inner.sorted()
	for name, path := range f {
		for _, within := range found {
			at := path.sub(inner[within])
			switch {
			case within == around:
				out.add(name, at)
			case isHidden(b, within), within == value, within.isOf(previous):
			default:
				out.add(within, at)
			}
		}
	}

	return out
}

// Item returns the facts with which the next item of a list begins. How many a list has is not
// known.
func (*workTexts) Item(_ *ir.Loop, _ int, in facts) (next, skipped facts) {
	return in.without(value), in
}

// Tolerate goes on with the facts behind a turn that failed.
func (*workTexts) Tolerate(_ *ir.Loop, failed facts) facts { return failed }

// Collect makes the outputs of all items the output of the loop.
func (*workTexts) Collect(loop *ir.Loop, in facts) interp.Ends[facts] {
	done := in
	if loop.Result != nil {
		list := in.write(previous, nil, in[value])
		done = in.without(value).gives(list.best(datumReads(loop.Result)))
	}

	return interp.Ends[facts]{Done: done, Failed: in.without(value)}
}

// Merge brings together the facts behind branches that ran side by side.
func (w *workTexts) Merge(t *ir.Task, start facts, arms []interp.Ends[facts]) interp.Ends[facts] {
	do := t.Do.(*ir.Parallel)
	ends := interp.Ends[facts]{Done: facts{}, Failed: maps.Clone(start)}
	for i, arm := range arms {
		begin := start.with(Step{Do: "choose", Agent: w.nameOf(t), Branch: i + 1, beside: true})
		ends.Done.addAll(joined(do, i, begin, arm.Done))
		ends.Failed.addAll(arm.Failed)
		ends.Failed.addAll(arm.Done.stored(failedReason))
		ends.Paused = w.Join(ends.Paused, arm.Paused)
		if do.Failed == ir.FailureIgnored {
			ends.Done.addAll(arm.Failed.stored(failedReason))
		}
	}

	return ends
}

// joined returns the facts behind a branch that runs beside others: those about its context come
// back as the step says, and what it does not bring back is still what it was before.
func joined(do *ir.Parallel, branch int, in, behind facts) facts {
	arm := do.Branches[branch]
	brings := func(name fact) bool {
		within := func(path *ir.ContextPath) bool { return name.touches(pathReads(path)[0]) }
		return do.Merge != ir.MergeNone && (!arm.Only || slices.ContainsFunc(arm.Fields, within))
	}
	out := facts{}
	for name, t := range behind {
		if !name.isOf(context) || brings(name) {
			out.add(name, t)
		}
	}
	isIgnored := do.Failed == ir.FailureIgnored
	for name, t := range in {
		isLeft := isIgnored || name.isOf(context) && (do.Merge == ir.MergeNone || arm.Only)
		if isLeft && out[name] == nil {
			out.add(name, t)
		}
	}
	if !isIgnored && !givesOutput(do, branch) {
		delete(out, value) // the output is that of another branch
	}

	return out
}

// givesOutput reports whether the output of a branch may be in that of all branches.
func givesOutput(do *ir.Parallel, branch int) bool {
	switch do.Reduce {
	case ir.ReduceFirst:
		return branch == 0
	case ir.ReduceLast:
		return branch == len(do.Branches)-1
	}

	return true
}
