package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// liveness finds the live variables at each point of a workflow: those that are read later before
// they are written again. The values of other variables make no difference.
type liveness struct {
	x       *paths
	effects map[*ir.Task]effect
	// first are the live variables at the beginning.
	first *big.Int
	// liveAfter are the live variables after a task has ended well, and liveAtEntry when a machine
	// enters a state. Tasks and states inside of parallel branches are absent, because a merge
	// needs all variables.
	liveAfter   map[*ir.Task]*big.Int
	liveAtEntry map[*ir.State]*big.Int
}

// effect is the effect of steps on variables: reads may be read before they are written, and writes
// are always written if the steps end well.
type effect struct{ reads, writes *big.Int }

// findLiving finds the live variables of a workflow.
func (x *paths) findLiving(w *ir.Flow) {
	x.live = &liveness{
		x: x, effects: map[*ir.Task]effect{}, liveAfter: map[*ir.Task]*big.Int{}, liveAtEntry: map[*ir.State]*big.Int{},
	}

	if len(x.variables) == 0 {
		x.live.first = new(big.Int)
		return
	}
	x.live.first = x.live.markBody(w.Body, liveAround{done: variableSet(x.variablesLeft(w)...), aside: new(big.Int)})
}

// liveAround are the live variables after steps have ended well, and aside those that are live at
// any time during the steps, which may fail or ask.
type liveAround struct{ done, aside *big.Int }

// union returns the variables of all sets.
func union(sets ...*big.Int) *big.Int {
	all := new(big.Int)
	for _, s := range sets {
		all.Or(all, s)
	}

	return all
}

// then returns the effect of e followed by next.
func (e effect) then(next effect) effect {
	return effect{union(e.reads, new(big.Int).AndNot(next.reads, e.writes)), union(e.writes, next.writes)}
}

// either returns the effect of one of both.
func (e effect) either(other effect) effect {
	return effect{union(e.reads, other.reads), new(big.Int).And(e.writes, other.writes)}
}

// liveBefore returns the live variables before steps with the effect.
func (e effect) liveBefore(behind liveAround) *big.Int {
	return union(e.reads, new(big.Int).AndNot(behind.done, e.writes), behind.aside)
}

// variableSet returns a set of variables.
func variableSet(numbers ...int) *big.Int {
	set := new(big.Int)
	for _, i := range numbers {
		set.SetBit(set, i, 1)
	}

	return set
}

// addAccess adds the variable of a name, if it is followed.
func (l *liveness) addAccess(set *big.Int, access *ir.Access) {
	if i, isKnown := l.x.byName[expr.NameOf(access)]; isKnown {
		set.SetBit(set, i, 1)
	}
}

// datumReads returns the variables that data reads.
func (l *liveness) datumReads(data ...*ir.Datum) *big.Int {
	set := new(big.Int)
	for _, d := range data {
		d.Walk(func(access *ir.Access) { l.addAccess(set, access) })
	}

	return set
}

// conditionReads returns the variables that conditions read.
func (l *liveness) conditionReads(conditions ...ir.Expression) *big.Int {
	set := new(big.Int)
	for _, condition := range conditions {
		ir.WalkAccesses(condition, func(access *ir.Access) { l.addAccess(set, access) })
	}

	return set
}

// bodyEffect returns the effect of steps.
func (l *liveness) bodyEffect(body *ir.Pipeline) effect {
	e := effect{new(big.Int), new(big.Int)}
	for _, t := range slices.Backward(body.Steps()) {
		e = l.taskEffect(t).then(e)
	}

	return e
}

// taskEffect returns the effect of a task, or of its fallback.
func (l *liveness) taskEffect(t *ir.Task) effect {
	e, isKnown := l.effects[t]
	if isKnown {
		return e
	}
	kept := l.keepEffect(t)
	e = l.operationEffect(t).then(kept)
	if t.Fallback != nil {
		e = e.either(l.taskEffect(t.Fallback).then(kept))
	}
	l.effects[t] = e

	return e
}

// keepEffect returns the effect of the writes of a task that has ended well.
func (l *liveness) keepEffect(t *ir.Task) effect {
	e := effect{variableSet(l.x.reads[t]...), new(big.Int)}
	for by := t; by != nil; by = by.Fallback {
		e.reads.Or(e.reads, variableSet(l.x.computes[by]...))
	}
	for _, w := range t.ContextWrites() {
		e.reads.Or(e.reads, l.datumReads(l.x.writtenData(t, w)))
	}
	for _, i := range l.x.byOutput[t.Output] {
		if !l.x.hasArmOutputs(t) && !l.x.collects(t, i) {
			e.writes.SetBit(e.writes, i, 1)
		}
	}
	for _, i := range l.x.contextVariables {
		if l.x.alwaysReplaces(t, l.x.variables[i]) {
			e.writes.SetBit(e.writes, i, 1)
		}
	}

	return e
}

// alwaysReplaces reports whether a task that ended well gives a field of the context a value that
// does not depend on the previous one.
func (x *paths) alwaysReplaces(t *ir.Task, field *variable) bool {
	replaces := func(w ir.ContextWrite) bool {
		isDone := w.IsOutput || t.Fallback == nil
		isReplaced := !w.Merge && (w.Replaces || !x.isCombined(field))
		return isDone && isReplaced && mayChange(w, field.access)
	}
	if slices.ContainsFunc(t.ContextWrites(), replaces) {
		return !isSkippable(t)
	}
	_, isGiven := outputField(t, field)

	return isGiven && t.Fallback == nil && len(x.outputData(t)) == 0 && !x.isCombined(field)
}

// operationEffect returns the effect of a task's operation, without its writes.
func (l *liveness) operationEffect(t *ir.Task) effect {
	nothing := effect{new(big.Int), new(big.Int)}
	switch do := t.Do.(type) {
	case *ir.Branch:
		return l.conditionalEffect(t, do)
	case *ir.Loop:
		turn := l.bodyEffect(do.Body).then(effect{l.turnReads(do), new(big.Int)})
		switch {
		case do.ExitFirst:
			return effect{l.turnReads(do), new(big.Int)}.then(nothing.either(turn))
		case do.IsForEach(), do.Failed != ir.FailureCounts:
			return nothing.either(turn)
		}
		return turn
	case *ir.Parallel:
		e := effect{variableSet(l.x.writtenIn(t)...), new(big.Int)}
		for _, arm := range do.Branches {
			e = e.either(l.bodyEffect(arm.Body))
		}
		return e
	case *ir.Machine:
		return l.machineEffect(do).either(effect{l.readByOutputs(t), new(big.Int)})
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no inner steps
	}

	return nothing
}

// readByOutputs returns the variables with which the bodies of a machine or of a loop over a list
// make its output.
func (l *liveness) readByOutputs(t *ir.Task) *big.Int {
	read := l.datumReads(itemOutput(t)...)
	if l.x.hasArmOutputs(t) {
		for _, body := range outputBodies(t) {
			read.Or(read, l.datumReads(l.x.findArmOutput(t, body)))
		}
	}

	return read
}

// turnReads returns the variables that a loop itself reads after a turn.
func (l *liveness) turnReads(do *ir.Loop) *big.Int {
	read := new(big.Int)
	if do.Exit != nil {
		read = l.conditionReads(do.Exit.Root)
	}
	if list, isKnown := l.x.lists[do]; isKnown {
		read.SetBit(read, list, 1)
	}

	return read
}

// conditionalEffect returns the effect of the branch that is taken.
func (l *liveness) conditionalEffect(t *ir.Task, do *ir.Branch) effect {
	var arms []effect
	for _, body := range t.Pipelines() {
		arms = append(arms, l.bodyEffect(body).then(l.armEffect(t, body)))
	}
	chosen := effect{l.conditionReads(l.x.arms[do]...), new(big.Int)}
	if len(arms) == 0 {
		return chosen
	}
	taken := arms[0]
	for _, arm := range arms[1:] {
		taken = taken.either(arm)
	}

	return chosen.then(taken)
}

// armEffect returns the effect of the output of a branch, which is the output of the conditional.
func (l *liveness) armEffect(t *ir.Task, body *ir.Pipeline) effect {
	if !l.x.hasArmOutputs(t) {
		return effect{new(big.Int), new(big.Int)}
	}

	return effect{l.datumReads(l.x.findArmOutput(t, body)), variableSet(l.x.byOutput[t.Output]...)}
}

// markBody records the live variables in steps, and returns those before them.
func (l *liveness) markBody(body *ir.Pipeline, behind liveAround) (before *big.Int) {
	before = union(behind.done, behind.aside)
	for _, t := range slices.Backward(body.Steps()) {
		before = l.markTask(t, liveAround{before, behind.aside})
	}

	return before
}

// markTask records the live variables after a task and inside of it, and returns those before it.
func (l *liveness) markTask(t *ir.Task, behind liveAround) (before *big.Int) {
	l.liveAfter[t] = behind.done
	before = l.taskEffect(t).liveBefore(behind)
	inside := liveAround{done: l.keepEffect(t).liveBefore(behind), aside: behind.aside}
	if t.Fallback != nil {
		inside.aside = union(inside.aside, l.markTask(t.Fallback, inside))
	}
	if t.Retries > 0 {
		inside.aside = union(inside.aside, before)
	}
	switch do := t.Do.(type) {
	case *ir.Branch:
		for _, body := range t.Pipelines() {
			l.markBody(body, liveAround{l.armEffect(t, body).liveBefore(inside), inside.aside})
		}
	case *ir.Loop:
		inside.done = union(inside.done, l.readByOutputs(t))
		l.markTurn(do, inside)
	case *ir.Machine:
		inside.done = union(inside.done, l.readByOutputs(t))
		l.markMachine(do, inside)
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no inner steps
	case *ir.Parallel: // all variables are needed inside
	}

	return before
}

// markTurn records the live variables in the body of a loop. Another turn may follow, or the task
// after the loop.
func (l *liveness) markTurn(do *ir.Loop, behind liveAround) {
	behind.done = union(behind.done, l.turnReads(do))
	behind.done = union(behind.done, l.bodyEffect(do.Body).liveBefore(behind))
	if do.Failed != ir.FailureCounts {
		behind.aside = union(behind.aside, behind.done)
	}
	l.markBody(do.Body, behind)
}
