package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Interp runs operations on the states of a domain. It is not safe for concurrent use.
type Interp[S any] struct {
	domain Domain[S]
	config Config
	// summaries are the ends of blocks, by the key of the entry.
	summaries map[summaryKey]Ends[S]
	tables    map[*ir.Machine]*table
}

// summaryKey is a body with the key of the entry in which it began.
type summaryKey struct {
	body *ir.Pipeline
	key  any
}

// Config is what is known of a program before it is run.
type Config struct {
	// Target returns the state that a reference means; nil if it may mean any.
	Target func(*ir.Machine, ir.Ref) *ir.State
	// IsPossible reports whether a move is worth a look; a nil function takes all.
	IsPossible func(m *ir.Machine, from *ir.State, move Move) bool
	// LooksBeyondBounds follows the rows of states that are entered beyond max_steps too. Nothing ends
	// well there.
	LooksBeyondBounds bool
	// IgnoresBounds follows machines as if they had no max_steps, for a domain in which the number of a
	// step makes no difference.
	IgnoresBounds bool
	// Retries bounds the tries of a task that are looked at one by one; 0: all.
	Retries int
	// Starts returns the states in which a machine may begin; with a nil function it is the initial one.
	Starts func(*ir.Task, *ir.Machine) []*ir.State
	// MostSteps bounds how many states a machine runs; with a nil function its own max_steps does.
	MostSteps func(*ir.Machine) int
	// Apart returns how many visits of a state in the same step of a machine are looked at one by one,
	// behind so many visits of its states. Further ones are joined. With a nil function there is one,
	// of the runs that have not been in the state in any step before: what a step leaves is
	// no reason then to look at it again. With Apart each machine needs max_steps.
	Apart func(visits int) int
}

// New returns an interpreter for a domain.
func New[S any](domain Domain[S], config Config) *Interp[S] {
	if config.Target == nil {
		config.Target = func(_ *ir.Machine, ref ir.Ref) *ir.State { return ref.State }
	}

	return &Interp[S]{domain: domain, config: config, summaries: map[summaryKey]Ends[S]{}, tables: map[*ir.Machine]*table{}}
}

// none returns the ends of what no run reaches.
func (x *Interp[S]) none() Ends[S] {
	none := x.domain.None()

	return Ends[S]{Done: none, Failed: none, Paused: none, Returned: none, Noted: none}
}

// join returns the ends of the runs of both.
func (x *Interp[S]) join(a, b Ends[S]) Ends[S] {
	return Ends[S]{
		Done:     x.domain.Join(a.Done, b.Done),
		Failed:   x.domain.Join(a.Failed, b.Failed),
		Paused:   x.domain.Join(a.Paused, b.Paused),
		Returned: x.domain.Join(a.Returned, b.Returned),
		Noted:    x.domain.Join(a.Noted, b.Noted),
	}
}

// then returns the ends of an operation that follows another: the runs that did not end well have
// ended with the first one.
func (x *Interp[S]) then(first, second Ends[S]) Ends[S] {
	first.Done = x.domain.None()

	return x.join(first, second)
}

// fail adds runs that fail.
func (x *Interp[S]) fail(ends Ends[S], failed S) Ends[S] {
	ends.Failed = x.domain.Join(ends.Failed, failed)

	return ends
}

// Pipeline runs the tasks of a pipeline one after another.
func (x *Interp[S]) Pipeline(p *ir.Pipeline, in S) Ends[S] {
	ends := x.none()
	ends.Done = in
	for _, t := range p.Steps() {
		if x.domain.IsNone(ends.Done) {
			break
		}
		ends = x.then(ends, x.task(t, ends.Done))
	}

	return ends
}

// task runs a task as often as it is tried, then its fallback, and keeps the output.
func (x *Interp[S]) task(t *ir.Task, in S) Ends[S] {
	given := x.domain.Give(t, in)
	ends := x.tries(t, given)
	if settler, settles := x.domain.(Settler[S]); settles {
		ends = settler.Settle(t, in, ends)
	}
	if t.Fallback != nil && !x.domain.IsNone(ends.Failed) {
		other := x.task(t.Fallback, x.domain.Retry(t, given, ends.Failed))
		ends.Failed = x.domain.None()
		ends = x.join(ends, other)
	}
	if x.domain.IsNone(ends.Done) {
		return ends
	}

	return x.then(ends, x.domain.Keep(t, ends.Done))
}

// tries does what a task does, and does it again where it failed.
func (x *Interp[S]) tries(t *ir.Task, given S) Ends[S] {
	retries := t.Retries
	if x.config.Retries > 0 {
		retries = min(retries, x.config.Retries)
	}
	all, failed := x.repeat(nil, retries+1, given, func(in S, _ int) (Ends[S], S) {
		ends := x.work(t, in)
		failed := ends.Failed
		ends.Failed = x.domain.None()
		if x.domain.IsNone(failed) {
			return ends, failed
		}

		return ends, x.domain.Retry(t, given, failed)
	})

	return x.fail(all, failed)
}

// repeat does rounds: each begins with the runs that the one before left open. It returns how the
// others ended, and the runs that may be open behind the last round. That of a run may be any round,
// unless the domain says that it goes on.
func (x *Interp[S]) repeat(
	loop *ir.Loop, rounds int, in S, round func(in S, number int) (ended Ends[S], open S),
) (Ends[S], S) {
	all, open := x.none(), x.domain.None()
	_, seen := x.domain.Fresh(x.domain.None(), in)
	for number := 1; number <= rounds && !x.domain.IsNone(in); number++ {
		ended, after := round(in, number)
		all = x.join(all, ended)
		if x.domain.IsNone(after) || number == rounds {
			open = x.domain.Join(open, after)
			break
		}
		step := x.domain.Advance(Progress[S]{
			Loop: loop, Round: number, Seen: seen, Before: in, After: after, Left: rounds - number,
		})
		if !step.GoesOn {
			open = x.domain.Join(open, after)
		}
		in, seen = step.Next, step.Seen
		number += step.Skipped
	}

	return all, open
}

// work does what a task does, once.
func (x *Interp[S]) work(t *ir.Task, given S) Ends[S] {
	switch do := t.Do.(type) {
	case *ir.Branch:
		return x.conditional(t, do, given)
	case *ir.Loop:
		if do.IsForEach() {
			return x.each(t, do, given)
		}

		return x.loop(t, do, given)
	case *ir.Parallel:
		return x.fork(t, do, given)
	case *ir.Machine:
		return x.machine(t, do, given)
	case *ir.Run, *ir.PassOn, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no steps inside
	}

	return x.domain.Do(t, given)
}

// block runs a body inside of another operation, once for each entry that has no summary yet.
func (x *Interp[S]) block(b Block, in S) Ends[S] {
	if x.domain.IsNone(in) {
		return x.none()
	}

	return x.joinAll(ir.Map(x.domain.Enter(b, in), func(e Entry[S]) Ends[S] {
		return x.domain.Leave(b, in, e, x.summary(b, e))
	}))
}

// joinAll joins many ends, by halves: where states grow with what is joined, one after the other
// takes quadratic time.
func (x *Interp[S]) joinAll(ends []Ends[S]) Ends[S] {
	switch len(ends) {
	case 0:
		return x.none()
	case 1:
		return ends[0]
	}
	half := len(ends) / 2

	return x.join(x.joinAll(ends[:half]), x.joinAll(ends[half:]))
}

func (x *Interp[S]) summary(b Block, e Entry[S]) Ends[S] {
	if e.Key == nil {
		return x.Pipeline(b.Body, e.Start)
	}
	key := summaryKey{b.Body, e.Key}
	ends, isKnown := x.summaries[key]
	if !isKnown {
		ends = x.Pipeline(b.Body, e.Start)
		x.summaries[key] = ends
	}

	return ends
}

// conditional runs one of the branches.
func (x *Interp[S]) conditional(t *ir.Task, do *ir.Branch, given S) Ends[S] {
	all := x.decide(t, do.Func, given)
	if x.domain.IsNone(all.Done) {
		return all
	}
	chosen := x.domain.Choose(Choice{Task: t, Branch: do, Conditions: armConditions(do), Cases: len(do.Branches)}, all.Done)
	all.Done = x.domain.None()
	all = x.fail(all, chosen.Blocked)
	for i, arm := range do.Branches {
		all = x.join(all, x.block(Block{Kind: Arm, Task: t, Body: arm.Body, Arm: arm, Index: i}, chosen.Cases[i]))
	}
	if do.Default == nil {
		return x.fail(all, chosen.Other)
	}

	return x.join(all, x.block(Block{Kind: Arm, Task: t, Body: do.Default, Index: len(do.Branches)}, chosen.Other))
}

// decide calls the function by which a conditional or a loop decides, if it has one.
func (x *Interp[S]) decide(t *ir.Task, by *ir.Func, in S) Ends[S] {
	if by != nil {
		return x.domain.Decide(t, in)
	}
	ends := x.none()
	ends.Done = in

	return ends
}

// loop runs a body until its exit holds or it returns, as often as the bound allows.
func (x *Interp[S]) loop(t *ir.Task, do *ir.Loop, given S) Ends[S] {
	choice := Choice{Task: t, Loop: do, Cases: 1}
	if do.Exit != nil && do.Exit.Root != nil {
		choice.Conditions = []ir.Expression{do.Exit.Root}
	}
	all, open := x.repeat(do, turnsOf(do), given, func(in S, number int) (Ends[S], S) {
		ends := x.turn(do, Block{Kind: Turn, Task: t, Body: do.Body, Turn: number}, in)
		if !x.domain.IsNone(ends.Done) {
			ends = x.then(ends, x.decide(t, do.Func, ends.Done))
		}
		if x.domain.IsNone(ends.Done) {
			return ends, ends.Done
		}
		chosen := x.domain.Choose(choice, ends.Done)
		ends.Done = chosen.Cases[0]
		// An exit that is unknown does not end the loop.
		return ends, x.domain.Join(chosen.Other, chosen.Blocked)
	})
	switch {
	case do.Max == 0:
		return all
	case do.OnBound == ir.BoundDone:
		all.Done = x.domain.Join(all.Done, open)
		return all
	}

	return x.fail(all, open)
}

// turnsOf returns how many turns a loop has at most.
func turnsOf(do *ir.Loop) int {
	if do.Max == 0 {
		return Endless
	}

	return do.Max
}

// turn runs the body of a loop once. A turn that fails need not fail the loop.
func (x *Interp[S]) turn(do *ir.Loop, b Block, in S) Ends[S] {
	ends := x.block(b, in)
	if do.Failed == ir.FailureCounts || x.domain.IsNone(ends.Failed) {
		return ends
	}
	ends.Done = x.domain.Join(ends.Done, x.domain.Tolerate(do, ends.Failed))
	if do.Failed == ir.FailureIgnored {
		ends.Failed = x.domain.None() // else the loop fails where all turns do
	}

	return ends
}

// each runs a body for each item of a list.
func (x *Interp[S]) each(t *ir.Task, do *ir.Loop, given S) Ends[S] {
	first, over := x.domain.Item(do, 1, given)
	all, _ := x.repeat(do, turnsOf(do), first, func(in S, number int) (Ends[S], S) {
		ends := x.turn(do, Block{Kind: Item, Task: t, Body: do.Body, Turn: number}, in)
		next := ends.Done
		ends.Done = x.domain.None()
		if x.domain.IsNone(next) {
			return ends, next
		}
		next, last := x.domain.Item(do, number+1, next)
		over = x.domain.Join(over, last)

		return ends, next
	})
	if x.domain.IsNone(over) {
		return all
	}

	return x.join(all, x.domain.Collect(do, over))
}

// fork runs branches side by side.
func (x *Interp[S]) fork(t *ir.Task, do *ir.Parallel, given S) Ends[S] {
	all := x.none()
	for _, start := range x.domain.Fork(t, given) {
		all = x.join(all, x.forkOnce(t, do, start))
	}

	return all
}

// forkOnce runs branches side by side until they find nothing new of each other.
func (x *Interp[S]) forkOnce(t *ir.Task, do *ir.Parallel, start S) Ends[S] {
	arms := make([]Ends[S], len(do.Branches))
	for i := range arms {
		arms[i] = x.none()
	}
	_, found := x.domain.Fresh(x.domain.None(), start)
	for {
		for i, arm := range do.Branches {
			arms[i] = x.join(arms[i], x.block(Block{Kind: Branch, Task: t, Body: arm.Body, Arm: arm, Index: i}, found))
		}
		var fresh S
		fresh, found = x.domain.Fresh(found, x.domain.Share(t, start, arms))
		if x.domain.IsNone(fresh) {
			break
		}
	}
	ends := x.domain.Merge(t, start, arms)
	for _, arm := range arms {
		ends.Returned = x.domain.Join(ends.Returned, arm.Returned)
		ends.Noted = x.domain.Join(ends.Noted, arm.Noted)
	}

	return ends
}
