package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Interp runs operations on the states of a domain. It is not safe for concurrent use.
type Interp[S any] struct {
	domain Domain[S]
	config Config
	// summaries are the ends of blocks, by the key of the entry.
	summaries map[summaryKey]Ends[S]
	tables    map[*ir.Machine]*table
	// noSteps is the body before the first turn of a loop.
	noSteps ir.Pipeline
}

// summaryKey is a body with the key of its entry.
type summaryKey struct {
	body *ir.Pipeline
	key  any
}

// Config adds facts about a program, and bounds of the search.
type Config struct {
	// Target returns the state that a reference means; nil if it may mean any.
	Target func(*ir.Machine, ir.Ref) *ir.State
	// IsPossible reports whether a move may be taken. A nil function permits all moves.
	IsPossible func(m *ir.Machine, from *ir.State, move Move) bool
	// LooksBeyondBounds also follows the rows of states that are entered after max_steps. Nothing
	// ends well there.
	LooksBeyondBounds bool
	// IgnoresBounds follows machines without their max_steps, for a domain in which the number of a
	// step makes no difference.
	IgnoresBounds bool
	// Retries bounds the attempts of a task that run separately; 0 for all.
	Retries int
	// Starts returns the possible initial states of a machine. With a nil function it is the
	// declared one.
	Starts func(*ir.Task, *ir.Machine) []*ir.State
	// MaxSteps bounds how many states a machine runs. With a nil function its max_steps does.
	MaxSteps func(*ir.Machine) int
	// MaxVisitsApart returns how many visits of a state in the same step of a machine run
	// separately, given the number of previous visits. Further ones are joined. With a nil function
	// a state is visited with the runs that have not been in it in any step, and the use of a step
	// is no reason to visit it again. With MaxVisitsApart each machine needs max_steps.
	MaxVisitsApart func(visits int) int
}

// New returns an interpreter for a domain.
func New[S any](domain Domain[S], config Config) *Interp[S] {
	if config.Target == nil {
		config.Target = func(_ *ir.Machine, ref ir.Ref) *ir.State { return ref.State }
	}

	return &Interp[S]{domain: domain, config: config, summaries: map[summaryKey]Ends[S]{}, tables: map[*ir.Machine]*table{}}
}

// noEnds returns ends without runs.
func (x *Interp[S]) noEnds() Ends[S] {
	none := x.domain.None()

	return Ends[S]{Done: none, Failed: none, Paused: none, Returned: none, Noted: none}
}

// join returns the ends of the runs of both.
func (x *Interp[S]) join(a, b Ends[S]) Ends[S] { return JoinEnds[S](x.domain, a, b) }

// followedBy returns the ends of an operation after another. The runs that did not end well have
// ended with the first one.
func (x *Interp[S]) followedBy(first, second Ends[S]) Ends[S] {
	first.Done = x.domain.None()

	return x.join(first, second)
}

// addFailed adds runs that fail.
func (x *Interp[S]) addFailed(ends Ends[S], failed S) Ends[S] {
	ends.Failed = Join(x.domain, ends.Failed, failed)

	return ends
}

// RunPipeline runs the tasks of a pipeline in sequence.
func (x *Interp[S]) RunPipeline(p *ir.Pipeline, in S) Ends[S] {
	ends := x.noEnds()
	ends.Done = in
	for _, t := range p.Steps() {
		if x.domain.IsNone(ends.Done) {
			break
		}
		ends = x.followedBy(ends, x.runTask(t, ends.Done))
	}

	return ends
}

// runTask runs the attempts of a task, then its fallback, and keeps the output.
func (x *Interp[S]) runTask(t *ir.Task, in S) Ends[S] {
	given := x.domain.Give(t, in)
	ends := x.runAttempts(t, given)
	if settler, settles := x.domain.(Settler[S]); settles {
		ends = settler.Settle(t, in, ends)
	}
	ends = x.runOutOfTime(t, given, ends)
	if fallback := t.FailureFallback(); fallback != nil && !x.domain.IsNone(ends.Failed) {
		other := x.runTask(fallback, x.domain.Retry(t, given, ends.Failed))
		other.Failed = x.undoFailure(t, given, other.Failed)
		ends.Failed = x.domain.None()
		ends = x.join(ends, other)
	}
	if x.domain.IsNone(ends.Done) {
		return ends
	}

	return x.followedBy(ends, x.domain.Keep(t, ends.Done))
}

// runOutOfTime adds the runs in which the time of a task is over: they fail, or have the output that
// the task has then.
func (x *Interp[S]) runOutOfTime(t *ir.Task, given S, ends Ends[S]) Ends[S] {
	if t.Within == 0 {
		return ends
	}
	var late S
	if keeper, keepsTime := x.domain.(Timekeeper[S]); keepsTime {
		late, ends = keeper.Expire(t, given, ends)
	} else { // it may be over at any time
		reached := Join(x.domain, given, Join(x.domain, ends.Done, ends.Failed))
		late = x.domain.Undo(t, given, reached)
	}
	output := t.TimeoutFallback()
	if output == nil || x.domain.IsNone(late) {
		return x.addFailed(ends, late)
	}

	return x.join(ends, x.runTask(output, late))
}

// runAttempts runs the operation of a task, and retries it after a failure.
func (x *Interp[S]) runAttempts(t *ir.Task, given S) Ends[S] {
	retries := t.Retries
	if x.config.Retries > 0 {
		retries = min(retries, x.config.Retries)
	}
	all, failed := x.repeat(nil, retries+1, given, func(in S, _ int) (Ends[S], S) {
		ends := x.runOperation(t, in)
		failed := ends.Failed
		ends.Failed = x.domain.None()
		if x.domain.IsNone(failed) {
			return ends, failed
		}

		failed = x.undoFailure(t, given, failed)
		if keeper, keepsTime := x.domain.(Timekeeper[S]); keepsTime {
			var late S
			failed, late = keeper.WaitBetween(t, failed)
			ends.Returned = Join(x.domain, ends.Returned, late)
		}

		return ends, x.domain.Retry(t, given, failed)
	})

	return x.addFailed(all, failed)
}

// undoFailure returns the runs that failed in an attempt of a task, or in its fallback, without what
// they have written there, if the task undoes that.
func (x *Interp[S]) undoFailure(t *ir.Task, given, failed S) S {
	if !t.UndoesFailures() || x.domain.IsNone(failed) {
		return failed
	}

	return x.domain.Undo(t, given, failed)
}

// repeat runs rounds. Each begins with the runs that the previous one left open. It returns the
// ends of the other runs, and the runs that may be open after the last round. A run may be in its
// last round at any time, unless the domain reports that it goes on.
func (x *Interp[S]) repeat(
	loop *ir.Loop, rounds int, in S, round func(in S, number int) (ended Ends[S], open S),
) (Ends[S], S) {
	all, open := x.noEnds(), x.domain.None()
	_, seen := x.domain.Fresh(x.domain.None(), in)
	for number := 1; number <= rounds && !x.domain.IsNone(in); number++ {
		ended, after := round(in, number)
		all = x.join(all, ended)
		if x.domain.IsNone(after) || number == rounds {
			open = Join(x.domain, open, after)
			break
		}
		step := x.domain.Advance(Progress[S]{
			Loop: loop, Round: number, Seen: seen, Before: in, After: after, Left: rounds - number,
		})
		if !step.GoesOn {
			open = Join(x.domain, open, after)
		}
		in, seen = step.Next, step.Seen
		number += step.Skipped
	}

	return all, open
}

// runOperation runs the operation of a task once.
func (x *Interp[S]) runOperation(t *ir.Task, given S) Ends[S] {
	switch do := t.Do.(type) {
	case *ir.Branch:
		return x.runBranch(t, do, given)
	case *ir.Loop:
		switch {
		case do.IsForEach():
			return x.runForEach(t, do, given)
		case do.Wraps:
			return x.runBlock(Block{Kind: Arm, Task: t, Body: do.Body}, given)
		}

		return x.runLoop(t, do, given)
	case *ir.Parallel:
		return x.runParallel(t, do, given)
	case *ir.Machine:
		return x.runMachine(&machineRun[S]{task: t, machine: do}, given)
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no inner steps
	}

	return x.domain.Do(t, given)
}

// runBlock runs a body inside of another operation, once for each entry without a summary.
func (x *Interp[S]) runBlock(b Block, in S) Ends[S] {
	if x.domain.IsNone(in) {
		return x.noEnds()
	}

	return x.joinAll(ir.Map(x.domain.Enter(b, in), func(e Entry[S]) Ends[S] {
		return x.domain.Leave(b, in, e, x.summarize(b, e))
	}))
}

// joinAll joins many ends by halves. If states grow by joins, a sequential join takes quadratic
// time.
func (x *Interp[S]) joinAll(ends []Ends[S]) Ends[S] {
	switch len(ends) {
	case 0:
		return x.noEnds()
	case 1:
		return ends[0]
	}
	half := len(ends) / 2

	return x.join(x.joinAll(ends[:half]), x.joinAll(ends[half:]))
}

func (x *Interp[S]) summarize(b Block, e Entry[S]) Ends[S] {
	if e.Key == nil {
		return x.RunPipeline(b.Body, e.Start)
	}
	key := summaryKey{b.Body, e.Key}
	ends, isKnown := x.summaries[key]
	if !isKnown {
		ends = x.RunPipeline(b.Body, e.Start)
		x.summaries[key] = ends
	}

	return ends
}

// runBranch runs one of the branches.
func (x *Interp[S]) runBranch(t *ir.Task, do *ir.Branch, given S) Ends[S] {
	all := x.callDecider(t, do.Func, given)
	if x.domain.IsNone(all.Done) {
		return all
	}
	chosen := x.domain.Choose(Choice{Task: t, Branch: do, Conditions: branchConditions(do), Cases: len(do.Branches)}, all.Done)
	all.Done = x.domain.None()
	all = x.addFailed(all, chosen.Blocked)
	for i, arm := range do.Branches {
		all = x.join(all, x.runBlock(Block{Kind: Arm, Task: t, Body: arm.Body, Arm: arm, Index: i}, chosen.Cases[i]))
	}
	if do.Default == nil {
		return x.addFailed(all, chosen.Other)
	}

	return x.join(all, x.runBlock(Block{Kind: Arm, Task: t, Body: do.Default, Index: len(do.Branches)}, chosen.Other))
}

// callDecider calls the function that decides a conditional or a loop, if it has one.
func (x *Interp[S]) callDecider(t *ir.Task, by *ir.Func, in S) Ends[S] {
	if by != nil {
		return x.domain.Decide(t, in)
	}
	ends := x.noEnds()
	ends.Done = in

	return ends
}

// runLoop runs a body until its exit holds or it returns, within its bound. An exit that is tested
// first may hold before the first turn.
func (x *Interp[S]) runLoop(t *ir.Task, do *ir.Loop, given S) Ends[S] {
	choice := Choice{Task: t, Loop: do, Cases: 1}
	if do.Exit != nil && do.Exit.Root != nil {
		choice.Conditions = []ir.Expression{do.Exit.Root}
	}
	ended := x.noEnds()
	if do.ExitFirst {
		ended = x.runBlock(Block{Kind: Turn, Task: t, Body: &x.noSteps}, given)
		if x.domain.IsNone(ended.Done) {
			return ended
		}
		chosen := x.domain.Choose(choice, ended.Done)
		ended.Done = chosen.Cases[0]
		given = Join(x.domain, chosen.Other, chosen.Blocked)
	}
	all, open := x.repeat(do, maxTurns(do), given, func(in S, number int) (Ends[S], S) {
		ends := x.runTurn(do, Block{Kind: Turn, Task: t, Body: do.Body, Turn: number}, in)
		if !x.domain.IsNone(ends.Done) {
			ends = x.followedBy(ends, x.callDecider(t, do.Func, ends.Done))
		}
		if x.domain.IsNone(ends.Done) {
			return ends, ends.Done
		}
		chosen := x.domain.Choose(choice, ends.Done)
		ends.Done = chosen.Cases[0]
		// An unknown exit does not end the loop.
		return ends, Join(x.domain, chosen.Other, chosen.Blocked)
	})
	all = x.join(ended, all)
	switch {
	case do.Max == 0:
		return all
	case do.OnBound == ir.BoundDone:
		all.Done = Join(x.domain, all.Done, open)
		return all
	}

	return x.addFailed(all, open)
}

// maxTurns returns the maximal number of turns of a loop.
func maxTurns(do *ir.Loop) int {
	if do.Max == 0 {
		return Endless
	}

	return do.Max
}

// runTurn runs the body of a loop once. A failed turn need not fail the loop.
func (x *Interp[S]) runTurn(do *ir.Loop, b Block, in S) Ends[S] {
	ends := x.runBlock(b, in)
	if do.Failed == ir.FailureCounts || x.domain.IsNone(ends.Failed) {
		return ends
	}
	ends.Done = Join(x.domain, ends.Done, x.domain.Tolerate(do, in, ends.Failed))

	return ends // the loop fails if all turns do
}

// runForEach runs a body for each item of a list.
func (x *Interp[S]) runForEach(t *ir.Task, do *ir.Loop, given S) Ends[S] {
	first, over := x.domain.Item(do, 1, given)
	all, _ := x.repeat(do, maxTurns(do), first, func(in S, number int) (Ends[S], S) {
		ends := x.runTurn(do, Block{Kind: Item, Task: t, Body: do.Body, Turn: number}, in)
		next := ends.Done
		ends.Done = x.domain.None()
		if x.domain.IsNone(next) {
			return ends, next
		}
		next, last := x.domain.Item(do, number+1, next)
		over = Join(x.domain, over, last)

		return ends, next
	})
	if x.domain.IsNone(over) {
		return all
	}

	return x.join(all, x.domain.Collect(do, over))
}

// runParallel runs branches in parallel.
func (x *Interp[S]) runParallel(t *ir.Task, do *ir.Parallel, given S) Ends[S] {
	all := x.noEnds()
	for _, start := range x.domain.Fork(t, given) {
		all = x.join(all, x.runBranches(t, do, start))
	}

	return all
}

// runBranches runs parallel branches until they see nothing new of each other.
func (x *Interp[S]) runBranches(t *ir.Task, do *ir.Parallel, start S) Ends[S] {
	arms := make([]Ends[S], len(do.Branches))
	for i := range arms {
		arms[i] = x.noEnds()
	}
	_, found := x.domain.Fresh(x.domain.None(), start)
	for {
		for i, arm := range do.Branches {
			arms[i] = x.join(arms[i], x.runBlock(Block{Kind: Branch, Task: t, Body: arm.Body, Arm: arm, Index: i}, found))
		}
		var fresh S
		fresh, found = x.domain.Fresh(found, x.domain.Share(t, start, arms))
		if x.domain.IsNone(fresh) {
			break
		}
	}
	ends := x.domain.Merge(t, start, arms)
	for _, arm := range arms {
		ends.Returned = Join(x.domain, ends.Returned, arm.Returned)
		ends.Noted = Join(x.domain, ends.Noted, arm.Noted)
	}

	return ends
}
