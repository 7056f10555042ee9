package flow

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// maxPaths bounds how many combinations of values are followed; beyond them fewer variables are.
const maxPaths = 4096

// paths follows the values of variables through a workflow: which combinations of them a step can
// find, and which it leaves.
type paths struct {
	p         *Program
	variables []*variable
	byName    map[string]int
	// initial are the values that variables have at the beginning.
	initial []set
	// arms are the conditions of the branches of conditionals.
	arms map[*ir.Branch][]ir.Expression
	// missed are the keys with which no branch of a conditional is taken; nil where that is not known.
	missed map[*ir.Branch]map[string]bool
	// broken says that agents and built-in functions may fail: without it, only that fails which has
	// no other way, and what other code does.
	broken bool
	gaveUp bool
	count  int
	// paused is what the values are where a person is asked.
	paused runs
	// ended and entered are the tasks that have ended well, and that have begun.
	ended, entered map[*ir.Task]bool
	machines       map[*ir.Machine]*machinePaths
}

// runs are values with the fewest calls of models behind which they are there.
type runs map[values]int

// result is how steps end: well, or with a failure.
type result struct{ ok, failed runs }

func nothing() result { return result{runs{}, runs{}} }

// add adds how other steps end, behind so many calls.
func (r result) add(other result, calls int) {
	r.ok.addAll(other.ok, calls)
	r.failed.addAll(other.failed, calls)
}

func (r runs) add(e values, calls int) bool {
	known, isKnown := r[e]
	if !isKnown || calls < known {
		r[e] = calls
	}

	return !isKnown || calls < known
}

func (r runs) addAll(others runs, calls int) {
	for e, c := range others {
		r.add(e, min(never, c+calls))
	}
}

func (p *Program) pathsOf(w *ir.Workflow, broken bool, without int) *paths {
	x := &paths{
		p: p, byName: map[string]int{}, arms: map[*ir.Branch][]ir.Expression{}, missed: map[*ir.Branch]map[string]bool{}, broken: broken, paused: runs{},
		ended: map[*ir.Task]bool{}, entered: map[*ir.Task]bool{}, machines: map[*ir.Machine]*machinePaths{},
	}
	x.variablesOf(w, without)

	return x
}

// start are the values at the beginning.
func (x *paths) start() values {
	e := values(make([]byte, 8*len(x.variables)))
	for i, s := range x.initial {
		e = e.with(i, s)
	}

	return e
}

func (x *paths) steps(p *ir.Pipeline, in runs) result {
	r := result{in, runs{}}
	for _, t := range p.Steps() {
		next := x.task(t, r.ok)
		next.failed.addAll(r.failed, 0)
		r = next
	}

	return r
}

// task runs a task with its fallback.
func (x *paths) task(t *ir.Task, in runs) result {
	if len(in) == 0 {
		return nothing()
	}
	x.entered[t] = true
	r := x.work(t, in)
	for range min(t.Retries, 3) {
		r.add(x.work(t, r.failed), 0)
	}
	if t.Fallback != nil {
		other := x.task(t.Fallback, r.failed)
		r.ok.addAll(other.ok, 0)
		r.failed = other.failed
	}
	if x.broken && writes(t) {
		r.failed.addAll(r.ok, 0)
	}
	ok := runs{}
	for e, calls := range r.ok {
		for _, e := range x.together(t, x.written(t, e)) {
			ok.add(e, calls)
		}
	}
	x.ended[t] = x.ended[t] || len(ok) > 0
	if x.count += len(ok); x.count > maxPaths*len(x.ended) {
		x.gaveUp = true
	}

	return result{ok, r.failed}
}

// work does what a task does, but for what it writes itself.
func (x *paths) work(t *ir.Task, in runs) result {
	r := nothing()
	if x.gaveUp {
		return r
	}
	switch do := t.Do.(type) {
	case *ir.Branch:
		return x.conditional(do, in)
	case *ir.Loop:
		if !do.Each() {
			return x.repeat(do, in)
		}
		r.ok.addAll(in, 0)
		for turn := in; len(turn) > 0; {
			next := x.steps(do.Body, turn)
			r.failed.addAll(next.failed, 0)
			turn = r.ok.fresh(next.ok)
		}
	case *ir.Parallel:
		return x.fork(do, in)
	case *ir.Machine:
		for _, e := range in.sorted() {
			r.add(x.machine(do, e), in[e])
		}
	default:
		r.ok.addAll(in, x.calls(t))
		if x.mayFail(t) {
			r.failed.addAll(in, 0)
		}
		if taskAsks(t) {
			x.paused.addAll(in, 0)
		}
	}

	return r
}

// mayFail reports whether a task may fail that has no steps inside.
func (x *paths) mayFail(t *ir.Task) bool {
	switch do := t.Do.(type) {
	case *ir.UseFunc, *ir.Import:
		return true
	case *ir.PassOn:
		return false
	case *ir.Run:
		return x.broken || do.Agent != nil
	}

	return x.broken
}

// mayFailItself reports whether a task itself can fail: one that only passes its data on does where these do not fit the context.
func mayFailItself(t *ir.Task) bool {
	_, passesOn := t.Do.(*ir.PassOn)

	return !passesOn || writes(t)
}

// writes reports whether a task puts its output into the context, which that need not fit.
func writes(t *ir.Task) bool { return t.UpdatesContext || t.SinkTo != nil }

// calls returns the fewest calls of a task that has no steps inside, if it ends well.
func (x *paths) calls(t *ir.Task) int {
	switch do := t.Do.(type) {
	case *ir.Run:
		return int(x.p.callsOfRun(do))
	case *ir.Import:
		if do.OnFailure == ir.FailureAbort {
			return x.p.Outcomes(do.Agent.Agent).Calls()
		}
	}

	return 0
}

// sorted returns the values in an order that does not depend on how they were found.
func (r runs) sorted() []values { return slices.Sorted(maps.Keys(r)) }

// fresh adds runs to r and returns those that were not there.
func (r runs) fresh(others runs) runs {
	found := runs{}
	for e, calls := range others {
		if r.add(e, calls) {
			found[e] = calls
		}
	}

	return found
}

func (x *paths) conditional(do *ir.Branch, in runs) result {
	r := nothing()
	arms := make([]runs, len(do.Branches)+1)
	for i := range arms {
		arms[i] = runs{}
	}
	for e, calls := range in {
		if x.arms[do] == nil {
			for _, arm := range arms {
				arm.add(e, calls)
			}
			if do.Key != nil && isMissable(do.Key.Root) {
				r.failed.add(e, calls)
			}
			continue
		}
		x.choose(e, x.arms[do], func(i int, e values) {
			if i == 0 {
				r.failed.add(e, calls) // there is no key
				return
			}
			if arms[i-1].add(e, calls); i > len(do.Branches) {
				x.miss(do, e)
			}
		})
	}
	for i, arm := range do.Branches {
		r.add(x.steps(arm.Body, arms[i]), 0)
	}
	if rest := arms[len(do.Branches)]; do.Default == nil {
		r.failed.addAll(rest, 0)
	} else {
		r.add(x.steps(do.Default, rest), 0)
	}

	return r
}

// isMissable reports whether a key of branches can be missing.
func isMissable(x ir.Expression) bool { return builtin.KindsOfExpression(x)&builtin.None != 0 }

// miss notes with which key no branch is taken.
func (x *paths) miss(do *ir.Branch, e values) {
	i, known := x.byName[expr.NameOf(do.Key.Root.(*ir.Access))]
	if known {
		x.missed[do][x.value(e, i).BranchKey()] = true
	} else {
		x.missed[do] = nil
	}
}

func (x *paths) repeat(do *ir.Loop, in runs) result {
	r := nothing()
	seen := runs{}
	turn := in
	for n := 0; n < do.Max && len(turn) > 0; n++ {
		body := x.steps(do.Body, turn)
		r.failed.addAll(body.failed, 0)
		turn = runs{}
		for e, calls := range body.ok {
			if do.Exit == nil || do.Exit.Root == nil {
				turn.add(e, calls)
				if do.Func != nil {
					r.ok.add(e, calls)
				}
				continue
			}
			x.choose(e, []ir.Expression{do.Exit.Root}, func(i int, e values) {
				[]runs{r.ok, turn}[i].add(e, calls)
			})
		}
		r.failed.addAll(turn, 0)
		turn = seen.fresh(turn)
	}

	return r
}

// fork runs branches side by side: each finds what was there before, and what each changes is merged.
func (x *paths) fork(do *ir.Parallel, in runs) result {
	r := nothing()
	written := x.writtenIn(do)
	for e, calls := range in {
		for _, e := range x.split(e, written) {
			all := runs{e: calls}
			for _, arm := range do.Branches {
				branch := x.steps(arm.Body, runs{e: 0})
				r.failed.addAll(branch.failed, calls)
				if do.Ignore {
					branch.ok.addAll(branch.failed, 0)
				}
				merged := runs{}
				for before, calls := range all {
					for after, more := range branch.ok {
						if both, isPossible := x.mergeBranch(e, before, after, do.Merge, written); isPossible {
							merged.add(both, min(never, calls+more))
						}
					}
				}
				all = merged
			}
			r.ok.addAll(all, 0)
		}
	}

	return r
}

// writtenIn returns the variables of the context that the branches of a fork may write.
func (x *paths) writtenIn(do *ir.Parallel) []int {
	nothing := values(make([]byte, 8*len(x.variables)))
	var found []int
	for _, arm := range do.Branches {
		ir.WalkTasks(arm.Body, func(t *ir.Task) {
			e := x.written(t, nothing)
			for i, v := range x.variables {
				if v.access.Root == ir.RootContext && e.at(i) != 0 && !slices.Contains(found, i) {
					found = append(found, i)
				}
			}
		})
	}

	return found
}

// mergeBranch returns the values behind a branch that has left others than it found, where branches
// before it have left some too. Of what branches write it is known what they found; what none writes is the same in all of them: no run has
// branches that find different values of it.
func (x *paths) mergeBranch(found, before, after values, merge ir.Merge, written []int) (both values, isPossible bool) {
	for i, v := range x.variables {
		was, first, second := found.at(i), before.at(i), after.at(i)
		switch {
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
			before = before.with(i, changed(was, first, second))
		case merge == ir.MergeConflict:
			before = before.with(i, first|second)
		default:
			before = before.with(i, changed(was, second, first))
		}
	}

	return before, true
}

// changed returns what one branch leaves or, where it leaves what was there, what the other one does.
func changed(was, wins, other set) set {
	if wins&was != 0 {
		return wins&^was | other
	}

	return wins
}

// blocked is the number of no condition: one that is always true is not chosen, because one before it is unknown.
const blocked = -1

// choose says which of some conditions, tried one after the other, is the first that holds: found is
// called with its number, with their number if none holds, or with blocked, and with the values with which it is
// so.
func (x *paths) choose(e values, conditions []ir.Expression, found func(i int, e values)) {
	var read []int
	for _, condition := range conditions {
		ir.WalkAccesses(condition, func(access *ir.Access) {
			if i, known := x.byName[expr.NameOf(access)]; known && !slices.Contains(read, i) {
				read = append(read, i)
			}
		})
	}
	for _, e := range x.split(e, read) {
		known := func(access *ir.Access) (any, bool) {
			i, isKnown := x.byName[expr.NameOf(access)]
			if !isKnown {
				return nil, false
			}
			return x.value(e, i), true
		}
		outcomes := expr.Choose(conditions, known)
		for i := range conditions {
			if outcomes.First[i] {
				found(i, e)
			}
		}
		if outcomes.None {
			found(len(conditions), e)
		}
		if outcomes.Blocked {
			found(blocked, e)
		}
	}
}

// split returns values with one value of each of some variables.
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
	if x.count += len(all); len(all) > maxPaths {
		x.gaveUp = true
		return nil
	}

	return all
}
