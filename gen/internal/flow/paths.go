package flow

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// maxPaths bounds the combinations of values that are followed. With more, fewer variables are
// followed.
const maxPaths = 4096

// maxTurns is the number of turns of a loop that are followed one by one.
const maxTurns = 64

// maxTries is the number of attempts that are followed. Further ones find nothing else.
const maxTries = 3

// paths is the domain of the values of variables in a workflow: which combinations a step can find,
// and which it leaves.
type paths struct {
	p         *Program
	variables []*variable
	byName    map[string]int
	// byOutput are the variables of what steps gave, ofContext those of the context, and ofItem
	// those of the items of maps.
	byOutput                 map[*ir.Output][]int
	contextVariables, ofItem []int
	// isEmpty is set if the context is always empty at the beginning.
	isEmpty bool
	// beginnings has, for the first steps inside of others, and their fallbacks, the step around.
	beginnings map[*ir.Task]*ir.Task
	// initial are the initial values of variables.
	initial []set
	// live has the live variables.
	live *liveness
	// given are the inputs of tasks, and data the data from which they compute their output.
	given map[*ir.Task]*ir.Datum
	data  map[*ir.Task][]*ir.Datum
	// giving are the tasks of which it is known what each of their bodies gives.
	giving map[*ir.Task]bool
	// reads are the variables that the writes of tasks read, and computes those that their data
	// reads.
	reads, computes map[*ir.Task][]int
	// copies are the variables that tasks give the value of another one.
	copies map[*ir.Task][]copied
	// first are the first step of a workflow that no other agent runs, and its fallbacks.
	first []*ir.Task
	// lists are the variables of the lists of loops that do not write them.
	lists map[*ir.Loop]int
	// collectors are the variables of their outputs.
	collectors map[*ir.Loop]*collector
	// context is the schema of the context, or nil, and rules are how its fields combine values.
	context *ir.Schema
	rules   ir.FieldRules
	// keys are the keys of conditionals, and arms the conditions of their branches.
	keys map[*ir.Branch]ir.Expression
	arms map[*ir.Branch][]ir.Expression
	// missed are the keys with which no branch of a conditional is taken; nil if they are not
	// known.
	missed map[*ir.Branch]map[string]bool
	// missing are the names in conditions without a value, because of which runs fail.
	missing map[*ir.Access]bool
	// taken are the branches of conditionals that are taken, and takenDefaults the conditionals whose
	// default branch is.
	taken         map[*ir.Arm]bool
	takenDefaults map[*ir.Branch]bool
	// exits are how the exits of loops are decided, and lengths how many items loops find.
	exits   map[*ir.Loop]loopExit
	lengths map[*ir.Loop]loopLength
	// inStates are the tasks in the states of machines, which an answer may leave.
	inStates map[*ir.Task]bool
	// leaving are the questions whose answers always leave their state, with the row that does it.
	leaving map[*ir.Task]*ir.Row
	// failing reports whether a task has avoidable failures.
	failing    failing
	hasGivenUp bool
	count      int
	// ended and entered are the tasks that have ended well, and that have begun. left are those in
	// which an answer may leave the state.
	ended, entered, left map[*ir.Task]bool
	machines             map[*ir.Machine]*machinePaths
	decisions            map[decisionKey]*decision
}

// failing reports whether a task has avoidable failures.
type failing func(*ir.Task) bool

func anyFails(*ir.Task) bool  { return true }
func noneFails(*ir.Task) bool { return false }

// runs are values with the fewest calls of models before them.
type runs map[values]int

func (r runs) add(e values, calls int) bool {
	known, isKnown := r[e]
	if !isKnown || calls < known {
		r[e] = calls
	}

	return !isKnown || calls < known
}

func (r runs) addAll(others runs, calls int) {
	for e, c := range others {
		r.add(e, min(impossible, c+calls))
	}
}

// afterCalls returns the runs after some more calls.
func (r runs) afterCalls(calls int) runs {
	all := make(runs, len(r))
	all.addAll(r, calls)

	return all
}

// sorted returns the values in a deterministic order.
func (r runs) sorted() []values { return slices.Sorted(maps.Keys(r)) }

func (p *Program) newPaths(w *ir.Flow, fails failing, without int) *paths {
	x := &paths{
		p: p, byName: map[string]int{}, byOutput: map[*ir.Output][]int{}, arms: map[*ir.Branch][]ir.Expression{}, failing: fails,
		data: map[*ir.Task][]*ir.Datum{}, giving: map[*ir.Task]bool{}, reads: map[*ir.Task][]int{}, copies: map[*ir.Task][]copied{}, computes: map[*ir.Task][]int{},
		keys: map[*ir.Branch]ir.Expression{}, lists: map[*ir.Loop]int{}, collectors: map[*ir.Loop]*collector{}, missing: map[*ir.Access]bool{}, missed: map[*ir.Branch]map[string]bool{}, taken: map[*ir.Arm]bool{},
		takenDefaults: map[*ir.Branch]bool{}, exits: map[*ir.Loop]loopExit{}, lengths: map[*ir.Loop]loopLength{},
		ended: map[*ir.Task]bool{}, entered: map[*ir.Task]bool{}, left: map[*ir.Task]bool{}, machines: map[*ir.Machine]*machinePaths{}, decisions: map[decisionKey]*decision{},
	}
	x.isEmpty, x.leaving, x.inStates = p.imports.isEmpty[w], findLeavingQuestions(w.Body), findTasksInStates(w.Body)
	if p.topLevel[w] {
		x.first = firstTasks(w.Body)
	}
	x.findVariables(w, without)

	return x
}

// findTasksInStates returns the tasks in the states of machines.
func findTasksInStates(body *ir.Pipeline) map[*ir.Task]bool {
	inside := map[*ir.Task]bool{}
	for _, m := range ir.OpsOf[*ir.Machine](body.Ops()) {
		for _, s := range m.States {
			ir.WalkTasks(s.Body, func(t *ir.Task) { inside[t] = true })
		}
	}

	return inside
}

// firstTasks returns the first step of a pipeline, and its fallbacks.
func firstTasks(body *ir.Pipeline) (ways []*ir.Task) {
	if steps := body.Steps(); len(steps) > 0 {
		for t := steps[0]; t != nil; t = t.Fallback {
			ways = append(ways, t)
		}
	}

	return ways
}

// followWorkflow follows all values through the steps of a workflow.
func (x *paths) followWorkflow(body *ir.Pipeline) interp.Ends[runs] {
	config := interp.Config{Target: x.p.guess.Target, LooksBeyondBounds: true, Retries: maxTries}

	return interp.New(x, config).RunPipeline(body, runs{x.initialValues(): 0})
}

// initialValues returns the values at the beginning.
func (x *paths) initialValues() values {
	e := values("")
	for i, s := range x.initial {
		if x.live.first.Bit(i) == 1 {
			e = e.with(i, s)
		}
	}

	return e
}

// withoutDead returns the runs without the values of variables that are not live.
func (r runs) withoutDead(live *big.Int) runs {
	left := make(runs, len(r))
	for e, calls := range r {
		left.add(e.restrict(live), calls)
	}

	return left
}

// None returns the state without runs.
func (x *paths) None() runs { return nil }

// IsNone reports whether a state has no runs. After the search was given up, no state has any.
func (x *paths) IsNone(r runs) bool { return x.hasGivenUp || len(r) == 0 }

// Union returns the runs of both states.
func (x *paths) Union(a, b runs) runs {
	all := maps.Clone(a)
	all.addAll(b, 0)

	return all
}

// Fresh returns the values that were not seen, or now have fewer calls.
func (x *paths) Fresh(seen, r runs) (fresh, all runs) {
	if seen == nil {
		seen = runs{}
	}
	fresh = runs{}
	for e, calls := range r {
		if seen.add(e, calls) {
			fresh[e] = calls
		}
	}

	return fresh, seen
}

// Give records that a task begins. Its input is not followed.
func (x *paths) Give(t *ir.Task, in runs) runs {
	x.entered[t] = true

	return in
}

// Undo returns the values before a task, with the fewest calls of all failed attempts.
func (x *paths) Undo(_ *ir.Task, given, failed runs) runs {
	least := slices.Min(slices.Collect(maps.Values(failed)))
	undone := runs{}
	for e, calls := range given {
		undone.add(e, max(calls, least))
	}

	return undone
}

// Retry continues with the values at the failure.
func (x *paths) Retry(_ *ir.Task, _, failed runs) runs { return failed }

// Do runs a task without inner steps.
func (x *paths) Do(t *ir.Task, in runs) interp.Ends[runs] {
	if x.neverEnds(t) {
		return interp.Ends[runs]{Failed: in}
	}
	ends := x.failRefused(t, interp.Ends[runs]{Done: in.afterCalls(x.fewestCalls(t))})
	if do, isImport := t.Do.(*ir.Import); isImport {
		ends.Done = x.copyAllBack(t, do, ends.Done)
	}
	if x.mayFail(t) {
		ends.Failed = in
	}

	return ends
}

// copyAllBack returns the runs after an import has copied fields of the context back.
func (x *paths) copyAllBack(t *ir.Task, do *ir.Import, in runs) runs {
	out := runs{}
	for e, calls := range in {
		out.add(x.copyBack(t, do, e), calls)
	}

	return out
}

// failRefused moves the runs in which a task cannot compute an output to those that fail.
func (x *paths) failRefused(t *ir.Task, ends interp.Ends[runs]) interp.Ends[runs] {
	done := runs{}
	for e, calls := range ends.Done {
		if x.alwaysFails(t, e) {
			ends.Failed = interp.Join(x, ends.Failed, runs{e: calls})
		} else {
			done.add(e, calls)
		}
	}
	ends.Done = done

	return ends
}

// mayFail reports whether a task without inner steps fails in some runs. A function may signal by a
// failure that there is nothing more.
func (x *paths) mayFail(t *ir.Task) bool {
	switch do := t.Do.(type) {
	case *ir.UseFunc:
		return true
	case *ir.Ask:
		return do.CanTimeOut() || x.failing(t)
	case *ir.PassOn:
		return builtin.CanTextFail(t) && x.failing(t)
	case *ir.Import:
		return x.failing(t) && x.p.ImportCanFail(t)
	case *ir.Run:
		return x.failing(t) && x.p.RunCanFail(t)
	case *ir.Receive, *ir.UseBuiltin, *ir.Machine, *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Return:
	}

	return x.failing(t)
}

// neverEnds reports whether a task runs a workflow that cannot start, or none of whose runs ends,
// and fails with it.
func (x *paths) neverEnds(t *ir.Task) bool {
	if ir.CannotStart(t.Do) {
		return true
	}
	ending := x.p.endings[calledWorkflow(t)]

	return ending == NeverEnds || ending == EndsByFailure && !x.failing(t)
}

// mayFailItself reports whether a task itself can fail. One that only passes on its data fails if
// that does not fit the context.
func mayFailItself(t *ir.Task) bool {
	_, passesOn := t.Do.(*ir.PassOn)

	return !passesOn || writesContext(t) || builtin.CanTextFail(t)
}

// writesContext reports whether a task writes its output to the context, which it may not fit.
func writesContext(t *ir.Task) bool { return t.UpdatesContext || t.SinkTo != nil }

// fewestCalls returns the fewest calls of a task without inner steps that ends well.
func (x *paths) fewestCalls(t *ir.Task) int {
	switch do := t.Do.(type) {
	case *ir.Run:
		return int(x.p.runCalls(do))
	case *ir.Import:
		if do.OnFailure == ir.FailureAbort {
			return x.p.Outcomes(do.Agent.Agent).Calls()
		}
	}

	return 0
}

// Keep writes the output of a task, which the task or one of its fallbacks has returned.
func (x *paths) Keep(t *ir.Task, in runs) interp.Ends[runs] {
	done := runs{}
	for by := t; by != nil; by = by.Fallback {
		if by == t || x.entered[by] {
			x.writeOutput(t, by, in, done)
		}
	}
	if live, isKnown := x.live.liveAfter[t]; isKnown {
		done = done.withoutDead(live)
	}
	x.ended[t] = x.ended[t] || len(done) > 0
	x.count += len(done)
	x.hasGivenUp = x.hasGivenUp || x.count > maxPaths*len(x.ended)
	ends := interp.Ends[runs]{Done: done}
	if writesContext(t) && x.failing(t) {
		ends.Failed = in
	}
	if _, asks := t.Do.(*ir.Ask); asks {
		ends.Paused = done
	}
	if x.leaving[t] != nil {
		ends.Done = nil
	}

	return ends
}

// writeOutput adds to done the values after a task has written the output of by.
func (x *paths) writeOutput(t, by *ir.Task, in, done runs) {
	for e, calls := range in {
		for _, e := range x.split(e, x.reads[t]) {
			for _, e := range x.unifyOutputs(t, x.valuesAfter(t, by, e)) {
				done.add(e, calls)
			}
		}
	}
}

// Enter begins a block once for each combination of values, without the calls before it.
func (x *paths) Enter(b interp.Block, in runs) []interp.Entry[runs] {
	return ir.Map(in.sorted(), func(e values) interp.Entry[runs] {
		start := e
		if b.Kind == interp.Item {
			start = x.withItem(b.Task.Do.(*ir.Loop), e)
		}
		return interp.Entry[runs]{Start: runs{start: 0}, Key: start, Before: e}
	})
}

// Leave adds the calls before a block.
func (x *paths) Leave(b interp.Block, in runs, entry interp.Entry[runs], inner interp.Ends[runs]) interp.Ends[runs] {
	before := entry.Before.(values)
	calls := in[before]
	isOutput := b.Kind == interp.Arm || b.Kind == interp.State
	switch {
	case isOutput && x.hasArmOutputs(b.Task):
		inner.Done, inner.Failed = x.writeArm(b, inner.Done), x.writeFailure(b, inner.Failed)
	case b.Kind == interp.Item:
		inner.Done = x.restoreItem(x.collectItem(b, inner.Done), before)
		inner.Failed = x.restoreItem(inner.Failed, before)
		inner.Paused = x.restoreItem(inner.Paused, before)
		inner.Returned = x.restoreItem(inner.Returned, before)
		inner.Done = x.joinItems(b.Task, inner.Done)
		if loop := b.Task.Do.(*ir.Loop); loop.Failed != ir.FailureCounts {
			inner.Done = x.tolerateItem(before, inner)
		}
	}

	return interp.Ends[runs]{
		Done: inner.Done.afterCalls(calls), Failed: inner.Failed.afterCalls(calls),
		Paused: inner.Paused.afterCalls(calls), Returned: inner.Returned.afterCalls(calls),
	}
}

// hasArmOutputs reports whether it is known of all branches of a conditional, or of all states of a
// machine, what the output is.
func (x *paths) hasArmOutputs(t *ir.Task) bool {
	gives, isKnown := x.giving[t]
	if !isKnown {
		bodies := outputBodies(t)
		isOpen := func(body *ir.Pipeline) bool { return x.findArmOutput(t, body) == nil }
		gives = len(bodies) > 0 && t.Fallback == nil && !slices.ContainsFunc(bodies, isOpen)
		x.giving[t] = gives
	}

	return gives
}

// outputBodies returns the bodies of a task whose output is that of the last one that runs: the
// branches of a conditional, or the states of a machine that is not left for a person's answer.
func outputBodies(t *ir.Task) []*ir.Pipeline {
	switch do := t.Do.(type) {
	case *ir.Branch:
		return t.Pipelines()
	case *ir.Machine:
		if slices.ContainsFunc(do.Rows(), isOnPause) {
			return nil
		}
		running := ir.Where(do.States, func(s *ir.State) bool { return !s.End })
		return ir.Map(running, func(s *ir.State) *ir.Pipeline { return s.Body })
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return, *ir.Loop, *ir.Parallel:
	}

	return nil
}

func isOnPause(row *ir.Row) bool { return row.Key.Value == ir.OnPause }

// findArmOutput returns the output of a branch of a conditional, or of a state, as data; or nil.
func (x *paths) findArmOutput(t *ir.Task, body *ir.Pipeline) *ir.Datum {
	last := body.LastTasks()
	switch len(last) {
	case 0:
		return x.given[t]
	case 1:
		return outputDatum(last[0])
	}

	return nil
}

// writeArm writes the output of a branch, which is the output of the conditional.
func (x *paths) writeArm(b interp.Block, done runs) runs {
	output := x.findArmOutput(b.Task, b.Body)
	var read []int
	output.Walk(func(access *ir.Access) { read = x.appendRead(read, access) })
	written := runs{}
	for _, e := range done.sorted() {
		for _, split := range x.split(e, read) {
			schema := cmp.Or(x.datumSchema(output, split), b.Task.Type.Schema)
			for _, i := range x.byOutput[b.Task.Output] {
				v := x.variables[i]
				split = split.with(i, v.valuesAt(schema, v.access.Path))
			}
			written.add(split, done[e])
		}
	}

	return written
}

// writeFailure writes the output of a state that failed, which is none.
func (x *paths) writeFailure(b interp.Block, failed runs) runs {
	if b.Kind != interp.State {
		return failed
	}
	written := runs{}
	for e, calls := range failed {
		for _, i := range x.byOutput[b.Task.Output] {
			v := x.variables[i]
			e = e.with(i, v.valuesAt(exactSchema(workflow.Value{}), v.access.Path))
		}
		written.add(e, calls)
	}

	return written
}

// tolerateItem returns the runs after an item, given the values before it. Where it may fail, the
// loop continues with those, unless no item ends well there: then all items fail, and so does the
// loop.
func (x *paths) tolerateItem(before values, ends interp.Ends[runs]) runs {
	if x.IsNone(ends.Done) || x.IsNone(ends.Failed) {
		return ends.Done
	}

	return interp.Join(x, ends.Done, runs{before: 0})
}

// Tolerate returns no runs, because [paths.Leave] has those that continue after a failed item.
func (x *paths) Tolerate(_ *ir.Loop, _, _ runs) runs { return nil }

// Collect ends a loop over a list. Its output is not followed. It fails without a list.
func (x *paths) Collect(loop *ir.Loop, in runs) interp.Ends[runs] {
	ends := interp.Ends[runs]{Done: runs{}, Failed: runs{}}
	list, isKnown := x.lists[loop]
	for e, calls := range in {
		if isKnown && x.hasNoList(e, list) {
			ends.Failed.add(e, calls)
			x.recordNoList(loop, e, list)
		} else {
			ends.Done.add(e, calls)
		}
	}
	if isKnown {
		x.recordUnwritten(loop.Over.(*ir.Access), ends.Failed)
	}

	return ends
}

// recordNoList records the value that a loop over a list finds instead of a list.
func (x *paths) recordNoList(loop *ir.Loop, e values, list int) {
	length := x.lengths[loop]
	if x.isExact(e, list) && length.noList == "" {
		length.noList = x.onlyValue(e, list).JSON()
		x.lengths[loop] = length
	}
}

// hasNoList reports whether all values of a list's variable are known to be something else.
func (x *paths) hasNoList(e values, list int) bool {
	v := x.variables[list]
	for rest := e.at(list) &^ (none | v.unwritten); rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(uint64(rest))
		if v.exact&(1<<i) == 0 || v.values[i].IsList() {
			return false
		}
	}

	return true
}

// Advance continues with the values that no round has begun with. The turns of a loop that has all
// of them are followed one by one.
func (x *paths) Advance(p interp.Progress[runs]) interp.Step[runs] {
	if p.Loop != nil && p.Loop.HasAllTurns() {
		return x.advanceAll(p)
	}
	fresh, all := x.Fresh(p.Seen, p.After)

	return interp.Step[runs]{Next: fresh, Seen: all}
}

// advanceAll continues a loop that has all of its turns, so that the calls of each of them count. When
// a turn changes no value, all later ones take the same calls. If that does not happen for maxTurns
// turns, the calls of later turns do not count.
func (x *paths) advanceAll(p interp.Progress[runs]) interp.Step[runs] {
	calls, isSteady := callsOfSteadyTurn(p.Before, p.After)
	switch {
	case isSteady:
		left := p.Left - 1
		all := int(callCount(calls).times(left))
		return interp.Step[runs]{Next: p.After.afterCalls(all), Skipped: left, GoesOn: true}
	case p.Round < maxTurns:
		return interp.Step[runs]{Next: p.After, GoesOn: true}
	case p.Round == maxTurns:
		return interp.Step[runs]{Next: p.After, Seen: maps.Clone(p.After)}
	}
	fresh, all := x.Fresh(p.Seen, p.After)

	return interp.Step[runs]{Next: fresh, Seen: all}
}

// callsOfSteadyTurn returns the calls of a turn that has left the values as they were, after the same
// calls in each run.
func callsOfSteadyTurn(before, after runs) (calls int, isSteady bool) {
	if len(before) != len(after) {
		return 0, false
	}
	isFirst := true
	for e, callsBefore := range before {
		callsAfter, isThere := after[e]
		if !isThere || !isFirst && callsAfter-callsBefore != calls {
			return 0, false
		}
		calls, isFirst = callsAfter-callsBefore, false
	}

	return calls, true
}

// Decide lets a function decide, which may fail. Its result is not followed.
func (x *paths) Decide(t *ir.Task, in runs) interp.Ends[runs] {
	ends := interp.Ends[runs]{Done: in}
	if x.failing(t) {
		ends.Failed = in
	}

	return ends
}

// Settle adds the failures of a loop over something that may be no list. It records the tasks in
// which an answer may leave the state.
func (x *paths) Settle(t *ir.Task, in runs, ends interp.Ends[runs]) interp.Ends[runs] {
	x.left[t] = x.left[t] || x.inStates[t] && len(ends.Paused) > 0
	loop, isLoop := t.Do.(*ir.Loop)
	if isLoop && loop.IsForEach() && x.failing(t) && !x.alwaysHasList(loop, in) {
		ends.Failed = interp.Join(x, ends.Failed, in)
	}

	return ends
}

// alwaysHasList reports whether a loop is known to find a list.
func (x *paths) alwaysHasList(loop *ir.Loop, in runs) bool {
	list, isKnown := x.lists[loop]
	if !isKnown {
		return false
	}
	v := x.variables[list]
	for e := range in {
		for rest := e.at(list); rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(uint64(rest))
			if v.exact&(1<<i) == 0 || !v.values[i].IsList() {
				return false
			}
		}
	}

	return true
}

// Choose returns the combinations of values that take each case.
func (x *paths) Choose(c interp.Choice, in runs) interp.Chosen[runs] {
	switch {
	case c.Branch != nil:
		return x.chooseArm(c, in)
	case c.Conditions == nil && c.Loop.Func == nil:
		return interp.Chosen[runs]{Cases: make([]runs, 1), Other: in}
	case c.Conditions == nil:
		return interp.Chosen[runs]{Cases: []runs{in}, Other: in}
	}

	chosen := x.chooseCase(in, x.decisionOf(c, c.Conditions))
	if c.Machine != nil {
		x.recordMissing(c.Conditions, chosen.Blocked)
	} else {
		x.recordExit(c.Loop, chosen)
	}

	return chosen
}

// loopExit is how the exit of a loop is decided behind some turn: it may hold, or not.
type loopExit struct{ holds, fails bool }

// recordExit records how the exit of a loop is decided.
func (x *paths) recordExit(loop *ir.Loop, chosen interp.Chosen[runs]) {
	exit := x.exits[loop]
	exit.holds = exit.holds || len(chosen.Cases[0]) > 0
	exit.fails = exit.fails || len(chosen.Other)+len(chosen.Blocked) > 0
	x.exits[loop] = exit
}

// recordMissing records the unwritten names in conditions that are therefore unknown, so that runs
// fail.
func (x *paths) recordMissing(conditions []ir.Expression, failed runs) {
	for _, condition := range conditions {
		if !builtin.CanBeUnknown(condition) {
			continue
		}
		unknown := runs{}
		for e, calls := range failed {
			if expr.Choose([]ir.Expression{condition, &ir.Literal{Value: true}}, x.knownIn(e)).Blocked {
				unknown.add(e, calls)
			}
		}
		for _, leaf := range expr.Parts(condition) {
			if builtin.CanBeUnknown(leaf) {
				ir.WalkAccesses(leaf, func(access *ir.Access) { x.recordUnwritten(access, unknown) })
			}
		}
	}
}

// recordUnwritten records an unwritten name because of which runs fail.
func (x *paths) recordUnwritten(access *ir.Access, failed runs) {
	i, isKnown := x.byName[expr.NameOf(access)]
	if !isKnown || access.Default != nil {
		return
	}
	for e := range failed {
		x.missing[access] = x.missing[access] || e.at(i) == x.variables[i].unwritten
	}
}

// chooseCase returns the combinations of values that take each of some cases.
func (x *paths) chooseCase(in runs, d *decision) interp.Chosen[runs] {
	chosen := interp.Chosen[runs]{Cases: make([]runs, len(d.conditions)), Other: runs{}, Blocked: runs{}}
	for i := range chosen.Cases {
		chosen.Cases[i] = runs{}
	}
	for _, e := range in.sorted() {
		calls := in[e]
		for _, e := range x.split(e, d.read) {
			outcomes := x.outcomesOf(d, e)
			for i, isFirst := range outcomes.First {
				if isFirst {
					chosen.Cases[i].add(e, calls)
				}
			}
			if outcomes.None {
				chosen.Other.add(e, calls)
			}
			if outcomes.Blocked {
				chosen.Blocked.add(e, calls)
			}
		}
	}

	return chosen
}

// decision is a point at which the first of some conditions that holds decides.
type decision struct {
	conditions []ir.Expression
	// read are the variables that the conditions read, and outcomes the results by their values.
	read     []int
	outcomes map[string]expr.Outcomes
}

// decisionKey is a conditional, a loop, or a state with an event.
type decisionKey struct {
	of    any
	event string
}

// decisionOf returns the decision of a choice.
func (x *paths) decisionOf(c interp.Choice, conditions []ir.Expression) *decision {
	key := decisionKey{c.State, c.Event}
	switch {
	case c.Branch != nil:
		key.of = c.Branch
	case c.Loop != nil:
		key.of = c.Loop
	}
	d := x.decisions[key]
	if d == nil {
		d = &decision{conditions: conditions, outcomes: map[string]expr.Outcomes{}}
		for _, condition := range conditions {
			ir.WalkAccesses(condition, func(access *ir.Access) {
				i, isFollowed := x.byName[expr.NameOf(access)]
				if isFollowed && !slices.Contains(d.read, i) {
					d.read = append(d.read, i)
				}
			})
		}
		x.decisions[key] = d
	}

	return d
}

// outcomesOf returns the result of a decision. Each variable that it reads has one value.
func (x *paths) outcomesOf(d *decision, e values) expr.Outcomes {
	key := make([]byte, 0, 8*len(d.read))
	for _, i := range d.read {
		key = binary.BigEndian.AppendUint64(key, uint64(e.at(i)))
	}
	outcomes, isKnown := d.outcomes[string(key)]
	if !isKnown {
		outcomes = expr.Choose(d.conditions, x.knownIn(e))
		d.outcomes[string(key)] = outcomes
	}

	return outcomes
}

// knownIn returns the values of names that have one. A value that represents others is known only
// to conditions that do not distinguish them.
func (x *paths) knownIn(e values) expr.Known {
	return func(access *ir.Access) (any, bool) {
		i, isFollowed := x.byName[expr.NameOf(access)]
		hasOne := isFollowed && bits.OnesCount64(uint64(e.at(i))) == 1
		if !hasOne || x.variables[i].sample == nil && !x.isExact(e, i) {
			return nil, false
		}
		return x.onlyValue(e, i), true
	}
}

// chooseArm returns the combinations of values that take each branch of a conditional.
func (x *paths) chooseArm(c interp.Choice, in runs) interp.Chosen[runs] {
	do := c.Branch
	conditions := x.arms[do]
	if conditions == nil {
		chosen := interp.Chosen[runs]{Cases: slices.Repeat([]runs{in}, len(do.Branches)), Other: in}
		if do.Key != nil && isMissable(do.Key.Root) {
			chosen.Blocked = in
		}
		return chosen
	}
	chosen := x.chooseCase(in, x.decisionOf(c, conditions))
	chosen.Blocked = interp.Join(x, chosen.Blocked, chosen.Cases[0]) // there is no key
	key := x.keys[do]
	if name, isName := key.(*ir.Access); isName {
		x.recordUnwritten(name, chosen.Cases[0])
	} else {
		x.recordMissing([]ir.Expression{key}, chosen.Other)
	}
	if isTruth(key) {
		unknown, others := x.splitByUnknown(do, chosen.Other)
		chosen.Other, chosen.Blocked = others, interp.Join(x, chosen.Blocked, unknown)
	}
	chosen.Cases = chosen.Cases[1:]
	for i, arm := range do.Branches {
		x.taken[arm] = x.taken[arm] || len(chosen.Cases[i]) > 0
	}
	x.takenDefaults[do] = x.takenDefaults[do] || len(chosen.Other) > 0
	for _, e := range chosen.Other.sorted() {
		x.recordMissed(do, e)
	}

	return chosen
}

// isMissable reports whether a key of branches can be missing.
func isMissable(x ir.Expression) bool { return builtin.KindsOfExpression(x)&builtin.None != 0 }

// recordMissed records the key with which no branch is taken. A value that represents others is not
// known.
func (x *paths) recordMissed(do *ir.Branch, e values) {
	key, isName := x.keys[do].(*ir.Access)
	if !isName {
		x.recordMissedTruth(do, e)
		return
	}
	i, known := x.byName[expr.NameOf(key)]
	switch {
	case !known:
		x.missed[do] = nil
	case x.isExact(e, i) && x.missed[do] != nil:
		x.missed[do][x.onlyValue(e, i).BranchKey()] = true
	}
}

// recordMissedTruth records whether a key that is true or false takes no branch.
func (x *paths) recordMissedTruth(do *ir.Branch, e values) {
	missed, _ := x.missedTruths(do, e)
	for _, name := range missed {
		x.missed[do][name] = true
	}
}

// missedTruths returns which of true and false a key can be without taking a branch. canBeUnknown
// reports whether it can also be neither.
func (x *paths) missedTruths(do *ir.Branch, e values) (missed []string, canBeUnknown bool) {
	key := x.keys[do]
	outcomes := expr.Choose([]ir.Expression{key, &ir.Not{X: key}}, x.knownIn(e))
	for i, name := range []string{"true", "false"} {
		if outcomes.First[i] && do.ArmBody(name) == nil {
			missed = append(missed, name)
		}
	}

	return missed, outcomes.None
}

// splitByUnknown splits runs that take no branch of a conditional whose key is true or false. Those
// in which the key is unknown do not take the default branch either.
func (x *paths) splitByUnknown(do *ir.Branch, in runs) (unknown, others runs) {
	unknown, others = runs{}, runs{}
	for e, calls := range in {
		missed, canBeUnknown := x.missedTruths(do, e)
		if canBeUnknown {
			unknown.add(e, calls)
		}
		if len(missed) > 0 {
			others.add(e, calls)
		}
	}

	return unknown, others
}

// Fork splits the values that branches may write, so that the change of each is known for one
// combination.
func (x *paths) Fork(t *ir.Task, in runs) []runs {
	written := x.writtenIn(t)
	var all []runs
	for _, e := range in.sorted() {
		for _, split := range x.split(e, written) {
			all = append(all, runs{split: in[e]})
		}
	}

	return all
}

// Share returns the runs before the branches, which do not see each other's writes.
func (x *paths) Share(_ *ir.Task, start runs, _ []interp.Ends[runs]) runs { return start }

// Merge merges the changes of parallel branches. Where failures are ignored, the step only fails if
// each branch does.
func (x *paths) Merge(t *ir.Task, start runs, arms []interp.Ends[runs]) interp.Ends[runs] {
	do := t.Do.(*ir.Parallel)
	isIgnored := do.Failed == ir.FailureIgnored && len(arms) > 0
	written := x.writtenIn(t)
	ends := interp.Ends[runs]{Done: start}
	if slices.ContainsFunc(arms, func(arm interp.Ends[runs]) bool { return len(arm.Paused) > 0 }) {
		ends.Paused = start // an answer that leaves the state undoes what the branches have written
	}
	allFailed := runs(nil)
	if isIgnored { // no branch has ended well so far
		ends.Done, allFailed = nil, start
	}
	for found, calls := range start {
		for i, arm := range arms {
			merge := branchMerge{do, do.Branches[i], found, calls, written}
			merged := x.mergeArm(merge, interp.Join(x, ends.Done, allFailed), arm.Done)
			ends.Failed = interp.Join(x, ends.Failed, merged.Failed)
			if isIgnored {
				merged.Done = interp.Join(x, merged.Done, leaveOutArm(ends.Done, arm.Failed, calls))
				allFailed = leaveOutArm(allFailed, arm.Failed, calls)
			} else {
				ends.Failed = interp.Join(x, ends.Failed, arm.Failed)
			}
			ends.Done = merged.Done
		}
	}
	ends.Failed = interp.Join(x, ends.Failed, allFailed)
	if arm := x.findUnfitArm(t, do, arms); arm != nil {
		x.p.unfit[t] = arm
		return interp.Ends[runs]{Failed: interp.Join(x, ends.Failed, ends.Done), Paused: ends.Paused}
	}
	if x.failing(t) && x.mayBeUnfit(t, do) {
		ends.Failed = interp.Join(x, ends.Failed, ends.Done)
	}

	return x.failRefused(t, ends)
}

// branchMerge is a branch that is merged with the branches before it. found are the values before all
// of them, with the calls until then. written are the variables that they may write.
type branchMerge struct {
	do      *ir.Parallel
	arm     *ir.Arm
	found   values
	calls   int
	written []int
}

// mergeArm merges the runs after a branch with those after the branches before it. A conflict fails.
func (x *paths) mergeArm(m branchMerge, others, done runs) interp.Ends[runs] {
	ends := interp.Ends[runs]{Done: runs{}, Failed: runs{}}
	for before, callsBefore := range others {
		for after, callsAfter := range done {
			left := x.writeBack(m.arm, m.found, after)
			both, isPossible := x.mergeBranch(m.found, before, left, m.do.Merge, m.written)
			switch spent := min(impossible, callsBefore+callsAfter-m.calls); {
			case !isPossible:
			case x.isConflict(m.do.Merge, m.found, before, left):
				ends.Failed.add(m.found, spent)
			default:
				ends.Done.add(both, spent)
			}
		}
	}

	return ends
}

// leaveOutArm returns the runs after other branches, if one more fails and leaves nothing. Of its
// calls it has those since the fork, before which there were some.
func leaveOutArm(others, failed runs, callsBefore int) runs {
	if len(failed) == 0 {
		return nil
	}

	return others.afterCalls(slices.Min(slices.Collect(maps.Values(failed))) - callsBefore)
}

// writeBack returns the values after a branch that copies back only some fields of the context.
func (x *paths) writeBack(arm *ir.Arm, found, after values) values {
	if !arm.Only {
		return after
	}
	for i, v := range x.variables {
		names := v.access.PathNames()
		isPart := func(p *ir.ContextPath) bool { return len(p.Path) > len(names) }
		switch {
		case v.access.Root != ir.RootContext:
		case !arm.WritesBack(names):
			after = after.with(i, found.at(i))
		case slices.ContainsFunc(arm.Fields, isPart):
			after = after.with(i, v.all())
		}
	}

	return after
}

// findUnfitArm returns a branch of a fork whose output cannot be reduced with others, so that the
// step fails; nil if there is none. A branch that may fail is left out if failures are ignored. It
// only counts if the outputs of all other branches are unfit too, because one of them is there.
func (x *paths) findUnfitArm(t *ir.Task, do *ir.Parallel, arms []interp.Ends[runs]) *ir.Arm {
	takes := builtin.FindReduction(do.Reduce).Takes
	var leftOut *ir.Arm
	isOneFit := false
	for i, kinds := range x.kindsOfArms(t, do) {
		isLeftOut := do.Failed == ir.FailureIgnored && !x.IsNone(arms[i].Failed)
		isUnfit := kinds&takes == 0
		switch {
		case isUnfit && !isLeftOut:
			return do.Branches[i]
		case x.IsNone(arms[i].Done): // it is never there
		case isUnfit:
			leftOut = cmp.Or(leftOut, do.Branches[i])
		default:
			isOneFit = true
		}
	}
	if isOneFit {
		return nil
	}

	return leftOut
}

// kindsOfArms returns the kinds of the outputs of branches side by side.
func (x *paths) kindsOfArms(t *ir.Task, do *ir.Parallel) []builtin.Kind {
	var all []builtin.Kind
	for i, output := range x.findArmOutputs(t, do) {
		all = append(all, x.kindsOfArm(t, do.Branches[i].Body, output))
	}

	return all
}

// kindsOfArm returns the kinds of the output of one of the branches of a task.
func (x *paths) kindsOfArm(t *ir.Task, body *ir.Pipeline, output *ir.Datum) builtin.Kind {
	last := body.LastTasks()
	switch {
	case len(last) == 0:
		return x.kindsGiven(t)
	case len(last) == 1 && output != nil:
		return x.kindsOfOutput(last[0])
	}

	return builtin.KindsOfDatum(output)
}

// kindsOfOutput returns the kinds of the output of a task, which may be that of one of its branches.
func (x *paths) kindsOfOutput(t *ir.Task) builtin.Kind {
	do, isFork := t.Do.(*ir.Parallel)
	if isFork && do.Failed != ir.FailureIgnored && len(do.Branches) > 0 {
		switch all := x.kindsOfArms(t, do); do.Reduce {
		case ir.ReduceFirst:
			return all[0]
		case ir.ReduceLast:
			return all[len(all)-1]
		}
	}

	return builtin.KindsOfDatum(outputDatum(t))
}

// mayBeUnfit reports whether the output of a branch may be nothing that can be reduced with others.
func (x *paths) mayBeUnfit(t *ir.Task, do *ir.Parallel) bool {
	takes := builtin.FindReduction(do.Reduce).Takes

	return slices.ContainsFunc(x.kindsOfArms(t, do), func(kinds builtin.Kind) bool { return kinds&^takes != 0 })
}

// findBeginnings returns the first steps inside of others, and their fallbacks, with the step
// around.
func findBeginnings(body *ir.Pipeline) map[*ir.Task]*ir.Task {
	beginnings := map[*ir.Task]*ir.Task{}
	ir.WalkTasks(body, func(around *ir.Task) {
		for _, inside := range around.Pipelines() {
			for _, t := range firstTasks(inside) {
				beginnings[t] = around
			}
		}
	})

	return beginnings
}

// kindsGiven returns the kinds of what a task is given. That is a text for the first step of a
// workflow that no other agent runs.
func (x *paths) kindsGiven(t *ir.Task) builtin.Kind {
	around := x.beginnings[t]
	switch {
	case x.given[t] != nil:
		return builtin.KindsOfDatum(x.given[t])
	case slices.Contains(x.first, t):
		return builtin.Text
	case around == nil:
		return builtin.Any
	}
	switch do := around.Do.(type) {
	case *ir.Branch, *ir.Parallel:
		return x.kindsGiven(around)
	case *ir.Loop:
		if do.IsForEach() {
			return builtin.Any
		}
		kinds := x.kindsGiven(around)
		for _, last := range do.Body.LastTasks() {
			kinds |= builtin.KindsOfDatum(outputDatum(last))
		}
		return kinds
	case *ir.Machine:
		if !slices.ContainsFunc(do.Rows(), isOnPause) {
			return x.kindsGiven(around)
		}
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // not known
	}

	return builtin.Any
}

// writtenIn returns the variables of the context that the bodies of a task may write.
func (x *paths) writtenIn(t *ir.Task) []int {
	var found []int
	for _, body := range t.Pipelines() {
		ir.WalkTasks(body, func(t *ir.Task) {
			e := x.valuesAfter(t, nil, "")
			if do, isImport := t.Do.(*ir.Import); isImport {
				e = x.copyBack(t, do, e)
			}
			for _, i := range x.contextVariables {
				if e.at(i) != 0 && !slices.Contains(found, i) {
					found = append(found, i)
				}
			}
		})
	}

	return found
}

// mergeBranch returns the values after a branch that changed found to after, where earlier branches
// have changed it to before. Written variables have one value in found. Other variables are equal
// in all branches, so a combination with different values is impossible.
func (x *paths) mergeBranch(found, before, after values, merge ir.Merge, written []int) (both values, isPossible bool) {
	for i, v := range x.variables {
		was, first, second := found.at(i), before.at(i), after.at(i)
		isCombined := merge != ir.MergeNone && slices.Contains(written, i) && x.isCombined(v)
		switch {
		case isCombined:
			before = before.with(i, x.joinValues(v, was, first, second))
		case first == was && second == was:
		case v.access.Root == ir.RootStep:
			if second != was {
				before = before.with(i, second)
			}
		case !slices.Contains(written, i):
			if first&second == 0 {
				return before, false
			}
			before = before.with(i, first&second)
		case merge == ir.MergeNone:
		case merge == ir.MergeKeepFirst:
			before = before.with(i, v.mergeValues(was, first, second))
		default:
			before = before.with(i, v.mergeValues(was, second, first))
		}
	}

	return before, true
}

// mergeValues returns the value of the winning branch or, if that left the variable unchanged, of
// the other one.
func (v *variable) mergeValues(was, wins, other set) set {
	switch {
	case wins&was != 0:
		return wins&^was | other
	case was&^v.exact != 0: // the previous value may be the written one
		return wins | other
	}

	return wins
}

// split returns combinations with one value of each of some variables.
func (x *paths) split(e values, variables []int) []values {
	all := []values{e}
	for _, i := range variables {
		var next []values
		for _, e := range all {
			for rest := e.at(i); rest != 0; rest &= rest - 1 {
				next = append(next, e.with(i, rest&-rest))
			}
		}
		all = next
	}
	x.count += len(all)
	if len(all) > maxPaths {
		x.hasGivenUp = true
		return nil
	}

	return all
}
