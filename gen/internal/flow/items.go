package flow

import (
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Item returns the state of the next item. How many items a list has is only followed where their
// outputs are; of any other list it is known whether it has items.
func (x *paths) Item(loop *ir.Loop, turn int, in runs) (next, skipped runs) {
	list, isKnown := x.lists[loop]
	if !isKnown || turn > 1 && x.collectors[loop] == nil {
		return in, in
	}
	next, skipped = runs{}, runs{}
	for _, e := range in.sorted() {
		for _, split := range x.split(e, []int{list}) {
			if turn == 1 {
				split = x.beginItems(loop, split)
			}
			hasNext, isOver := x.hasItem(loop, split, turn)
			if hasNext {
				next.add(split, in[e])
			}
			if isOver {
				skipped.add(split, in[e])
			}
		}
	}

	if turn == 1 {
		x.recordLength(loop, next, skipped)
	}

	return next, skipped
}

// loopLength is how many items a loop over a list finds: there may be some, or none. noList, unless
// it is empty, is a value that it finds instead of a list.
type loopLength struct {
	some, none bool
	noList     string
}

// recordLength records whether a loop finds items.
func (x *paths) recordLength(loop *ir.Loop, next, skipped runs) {
	length := x.lengths[loop]
	length.some = length.some || len(next) > 0
	length.none = length.none || len(skipped) > 0
	x.lengths[loop] = length
}

// hasItem reports whether a list has an item for a turn, and whether it may be over. The turns of a
// known list differ in what was collected.
func (x *paths) hasItem(loop *ir.Loop, e values, turn int) (hasNext, isOver bool) {
	list := x.lists[loop]
	if turn == 1 {
		hasNext = x.onlyValue(e, list).True() && !x.hasNoList(e, list)
		return hasNext, !hasNext
	}
	if !x.isExact(e, list) || !x.isExact(e, x.collectors[loop].variable) {
		return true, true
	}
	hasNext = turn <= x.onlyValue(e, list).Len()

	return hasNext, !hasNext
}

// withItem returns the values that a turn of a loop over a list finds. Its item is any one of the
// list.
func (x *paths) withItem(loop *ir.Loop, e values) values {
	list, isKnown := x.lists[loop]
	for _, i := range x.ofItem {
		v := x.variables[i]
		if !isKnown || !x.isExact(e, list) {
			e = e.with(i, v.all())
			continue
		}
		found := set(0)
		for _, item := range x.onlyValue(e, list).Items() {
			found |= v.valuesAt(exactSchema(item), v.access.Path)
		}
		e = e.with(i, found)
	}

	return e
}

// restoreItem returns runs after a turn of a loop over a list. The item is again the one of the loop
// around it.
func (x *paths) restoreItem(r runs, before values) runs {
	if len(x.ofItem) == 0 {
		return r
	}
	behind := runs{}
	for e, calls := range r {
		for _, i := range x.ofItem {
			e = e.with(i, before.at(i))
		}
		behind.add(e, calls)
	}

	return behind
}

// collector is the variable of the outputs of a loop over a list.
type collector struct {
	variable int
	// output is what a turn gives.
	output *ir.Datum
	// read are the variables that the output reads.
	read []int
}

// itemOutput returns the output of a turn of a loop over a list, or nil where it is not known.
func itemOutput(t *ir.Task) []*ir.Datum {
	do, isLoop := t.Do.(*ir.Loop)
	if !isLoop || !do.IsForEach() || !collectsOutputs(t, do) {
		return nil
	}
	last := do.Body.LastTasks()
	if len(last) != 1 {
		return nil
	}
	if output := outputDatum(last[0]); output != nil {
		return []*ir.Datum{output}
	}

	return nil
}

// collectsOutputs reports whether the output of a task that repeats steps has the output of each turn.
func collectsOutputs(t *ir.Task, do *ir.Loop) bool {
	return do.Result == nil && do.Failed == ir.FailureCounts && t.Fallback == nil
}

// findCollector notes the variable that follows the outputs of a loop over a list.
func (x *paths) findCollector(t *ir.Task) {
	loop, isLoop := t.Do.(*ir.Loop)
	output := itemOutput(t)
	if !isLoop || output == nil || loop.RunsApart() { // items in branches do not follow each other
		return
	}
	if _, isFollowed := x.lists[loop]; !isFollowed {
		return
	}
	for _, i := range x.byOutput[t.Output] {
		if len(x.variables[i].access.Path) == 0 {
			c := &collector{variable: i, output: output[0]}
			c.output.Walk(func(access *ir.Access) { c.read = x.appendRead(c.read, access) })
			x.collectors[loop] = c
		}
	}
}

// collects reports whether a variable follows the outputs of a loop over a list.
func (x *paths) collects(t *ir.Task, variable int) bool {
	loop, isLoop := t.Do.(*ir.Loop)

	return isLoop && x.collectors[loop] != nil && x.collectors[loop].variable == variable
}

// beginItems returns the values before the first turn of a loop over a list.
func (x *paths) beginItems(loop *ir.Loop, e values) values {
	c := x.collectors[loop]
	switch {
	case c == nil:
		return e
	case !x.isExact(e, x.lists[loop]):
		return e.with(c.variable, x.variables[c.variable].all())
	}

	return e.with(c.variable, x.variables[c.variable].addValues(workflow.List()))
}

// collectItem adds the output of a turn to those of the turns before.
func (x *paths) collectItem(b interp.Block, done runs) runs {
	c := x.collectors[b.Task.Do.(*ir.Loop)]
	if c == nil {
		return done
	}
	collected := runs{}
	for _, e := range done.sorted() {
		for _, split := range x.split(e, c.read) {
			v := x.variables[c.variable]
			all := v.all()
			output, isKnown := x.datumValue(c.output, split)
			if isKnown && x.isExact(split, c.variable) {
				all = v.addValues(workflow.List(append(itemsOf(x.onlyValue(split, c.variable)), output)...))
			}
			collected.add(split.with(c.variable, all), done[e])
		}
	}

	return collected
}

// itemsOf returns the items of a list.
func itemsOf(list workflow.Value) (items []workflow.Value) {
	for _, item := range list.Items() {
		items = append(items, item)
	}

	return items
}
