package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// liveness says which variables live at a point of a workflow: those that are read behind it before
// they are written again. The values of all others make no difference there.
type liveness struct {
	x       *paths
	effects map[*ir.Task]effect
	// first are the variables that live at the beginning.
	first *big.Int
	// behind are the variables that live when a task has ended well, and entered those that live when
	// a machine enters a state. Tasks and states inside of branches side by side are not there: what
	// is brought together of these needs all variables.
	behind  map[*ir.Task]*big.Int
	entered map[*ir.State]*big.Int
}

// effect is what a task or its steps do to variables: reads are those that may be read before they
// are written, and writes those that are always written when it ends well.
type effect struct{ reads, writes *big.Int }

// findLiving finds the variables that live in a workflow.
func (x *paths) findLiving(w *ir.Flow) {
	x.live = &liveness{
		x: x, effects: map[*ir.Task]effect{}, behind: map[*ir.Task]*big.Int{}, entered: map[*ir.State]*big.Int{},
	}

	if len(x.variables) == 0 {
		x.live.first = new(big.Int)
		return
	}
	x.live.first = x.live.mark(w.Body, around{done: setOf(x.leftIn(w)...), aside: new(big.Int)})
}

// around are the variables that live when steps have ended well, and those that live aside: at any
// time while they are done, because they may fail or ask then.
type around struct{ done, aside *big.Int }

// union returns the variables of all sets.
func union(sets ...*big.Int) *big.Int {
	all := new(big.Int)
	for _, s := range sets {
		all.Or(all, s)
	}

	return all
}

// then returns the effect of both, one behind the other.
func (e effect) then(next effect) effect {
	return effect{union(e.reads, new(big.Int).AndNot(next.reads, e.writes)), union(e.writes, next.writes)}
}

// either returns the effect of one of both.
func (e effect) either(other effect) effect {
	return effect{union(e.reads, other.reads), new(big.Int).And(e.writes, other.writes)}
}

// before returns what lives before something with the effect.
func (e effect) before(behind around) *big.Int {
	return union(e.reads, new(big.Int).AndNot(behind.done, e.writes), behind.aside)
}

// setOf returns the variables of some numbers.
func setOf(numbers ...int) *big.Int {
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

// readBy returns the variables that data reads.
func (l *liveness) readBy(data ...*ir.Datum) *big.Int {
	set := new(big.Int)
	for _, d := range data {
		d.Walk(func(access *ir.Access) { l.addAccess(set, access) })
	}

	return set
}

// readIn returns the variables that conditions read.
func (l *liveness) readIn(conditions ...ir.Expression) *big.Int {
	set := new(big.Int)
	for _, condition := range conditions {
		ir.WalkAccesses(condition, func(access *ir.Access) { l.addAccess(set, access) })
	}

	return set
}

// ofBody returns the effect of steps.
func (l *liveness) ofBody(body *ir.Pipeline) effect {
	e := effect{new(big.Int), new(big.Int)}
	for _, t := range slices.Backward(body.Steps()) {
		e = l.ofTask(t).then(e)
	}

	return e
}

// ofTask returns the effect of a task, or of its fallback.
func (l *liveness) ofTask(t *ir.Task) effect {
	e, isKnown := l.effects[t]
	if isKnown {
		return e
	}
	kept := l.ofKeep(t)
	e = l.ofWork(t).then(kept)
	if t.Fallback != nil {
		e = e.either(l.ofTask(t.Fallback).then(kept))
	}
	l.effects[t] = e

	return e
}

// ofKeep returns the effect of the writes of a task that has ended well.
func (l *liveness) ofKeep(t *ir.Task) effect {
	e := effect{setOf(l.x.reads[t]...), new(big.Int)}
	for by := t; by != nil; by = by.Fallback {
		e.reads.Or(e.reads, setOf(l.x.computes[by]...))
	}
	for _, w := range t.ContextWrites() {
		e.reads.Or(e.reads, l.readBy(l.x.dataOf(t, w)))
	}
	for _, i := range l.x.ofOutput[t.Output] {
		if !l.x.armsGive(t) && !l.x.collects(t, i) {
			e.writes.SetBit(e.writes, i, 1)
		}
	}
	for _, i := range l.x.ofContext {
		if l.x.alwaysReplaces(t, l.x.variables[i]) {
			e.writes.SetBit(e.writes, i, 1)
		}
	}

	return e
}

// alwaysReplaces reports whether a task that is kept gives a field of the context a value that does
// not depend on what it was before.
func (x *paths) alwaysReplaces(t *ir.Task, field *variable) bool {
	replaces := func(w ir.ContextWrite) bool { return !w.Merge && mayChange(w, field.access) }
	if slices.ContainsFunc(t.ContextWrites(), replaces) {
		return !isSkippable(t)
	}
	_, isGiven := givenBy(t, field)

	return isGiven && t.Fallback == nil && len(x.computedOf(t)) == 0
}

// ofWork returns the effect of what a task does, without its writes.
func (l *liveness) ofWork(t *ir.Task) effect {
	nothing := effect{new(big.Int), new(big.Int)}
	switch do := t.Do.(type) {
	case *ir.Branch:
		return l.ofConditional(t, do)
	case *ir.Loop:
		turn := l.ofBody(do.Body).then(effect{l.readBehindTurn(do), new(big.Int)})
		if do.IsForEach() || do.Failed != ir.FailureCounts {
			return nothing.either(turn)
		}
		return turn
	case *ir.Parallel:
		e := effect{setOf(l.x.writtenIn(t)...), new(big.Int)}
		for _, arm := range do.Branches {
			e = e.either(l.ofBody(arm.Body))
		}
		return e
	case *ir.Machine:
		return l.ofMachine(do).either(effect{l.readByOutputs(t), new(big.Int)})
	case *ir.Run, *ir.PassOn, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no steps
	}

	return nothing
}

// readByOutputs returns the variables with which the bodies of a machine or of a loop over a list make
// its output.
func (l *liveness) readByOutputs(t *ir.Task) *big.Int {
	read := l.readBy(itemOutput(t)...)
	if l.x.armsGive(t) {
		for _, body := range outputBodies(t) {
			read.Or(read, l.readBy(l.x.findArmOutput(t, body)))
		}
	}

	return read
}

// readBehindTurn returns the variables that a loop reads itself when a turn is over.
func (l *liveness) readBehindTurn(do *ir.Loop) *big.Int {
	read := new(big.Int)
	if do.Exit != nil {
		read = l.readIn(do.Exit.Root)
	}
	if list, isKnown := l.x.lists[do]; isKnown {
		read.SetBit(read, list, 1)
	}

	return read
}

// ofConditional returns the effect of the branch that is taken.
func (l *liveness) ofConditional(t *ir.Task, do *ir.Branch) effect {
	var arms []effect
	for _, body := range t.Pipelines() {
		arms = append(arms, l.ofBody(body).then(l.ofArm(t, body)))
	}
	chosen := effect{l.readIn(l.x.arms[do]...), new(big.Int)}
	if len(arms) == 0 {
		return chosen
	}
	taken := arms[0]
	for _, arm := range arms[1:] {
		taken = taken.either(arm)
	}

	return chosen.then(taken)
}

// ofArm returns the effect of the output of a branch, which is that of the conditional.
func (l *liveness) ofArm(t *ir.Task, body *ir.Pipeline) effect {
	if !l.x.armsGive(t) {
		return effect{new(big.Int), new(big.Int)}
	}

	return effect{l.readBy(l.x.findArmOutput(t, body)), setOf(l.x.ofOutput[t.Output]...)}
}

// mark notes what lives in steps, and returns what lives before them.
func (l *liveness) mark(body *ir.Pipeline, behind around) (before *big.Int) {
	before = union(behind.done, behind.aside)
	for _, t := range slices.Backward(body.Steps()) {
		before = l.markTask(t, around{before, behind.aside})
	}

	return before
}

// markTask notes what lives behind a task and inside of it, and returns what lives before it.
func (l *liveness) markTask(t *ir.Task, behind around) (before *big.Int) {
	l.behind[t] = behind.done
	before = l.ofTask(t).before(behind)
	inside := around{done: l.ofKeep(t).before(behind), aside: behind.aside}
	if t.Fallback != nil {
		inside.aside = union(inside.aside, l.markTask(t.Fallback, inside))
	}
	if t.Retries > 0 {
		inside.aside = union(inside.aside, before)
	}
	switch do := t.Do.(type) {
	case *ir.Branch:
		for _, body := range t.Pipelines() {
			l.mark(body, around{l.ofArm(t, body).before(inside), inside.aside})
		}
	case *ir.Loop:
		inside.done = union(inside.done, l.readByOutputs(t))
		l.markTurn(do, inside)
	case *ir.Machine:
		inside.done = union(inside.done, l.readByOutputs(t))
		l.markMachine(do, inside)
	case *ir.Run, *ir.PassOn, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no steps
	case *ir.Parallel: // all variables are needed inside
	}

	return before
}

// markTurn notes what lives in the body of a loop: another turn may follow, or what is behind it.
func (l *liveness) markTurn(do *ir.Loop, behind around) {
	behind.done = union(behind.done, l.readBehindTurn(do))
	behind.done = union(behind.done, l.ofBody(do.Body).before(behind))
	if do.Failed != ir.FailureCounts {
		behind.aside = union(behind.aside, behind.done)
	}
	l.mark(do.Body, behind)
}
