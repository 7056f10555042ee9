package flow

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// impossible is a number of calls or steps that is never reached.
const impossible = 1 << 30

// callCount is the least number of model calls of an operation. It is impossible if the operation
// cannot end.
type callCount int

func (c callCount) add(d callCount) callCount { return min(impossible, c+d) }

func (c callCount) times(n int) callCount { return c * callCount(min(n, impossible/max(int(c), 1))) }

// callsToReturn returns the fewest calls until a flow ends with one of some returns.
func (p *Program) callsToReturn(f *ir.Flow, isCounted func(*ir.Return) bool) callCount {
	x := &leastCalls{Program: p, isCounted: isCounted, tested: ir.TestedTurns(f.Body), turns: map[*ir.Output]int{}}

	return interp.New(x, interp.Config{}).RunPipeline(f.Body, 0).Returned
}

// leastCalls is the domain of the fewest calls of models in a pattern. A state is the least number
// of calls of all runs that are at one point, and impossible without runs. Conditions may have any
// result, except those that test the number of a turn.
type leastCalls struct {
	interp.NoMachines[callCount]
	interp.NoRetries[callCount]
	*Program
	isCounted func(*ir.Return) bool
	// tested are the turns of each loop for which a condition tests the number. turns are the
	// numbers of the current turns.
	tested map[*ir.Loop][]int
	turns  map[*ir.Output]int
}

// None returns the state without runs.
func (*leastCalls) None() callCount { return impossible }

// IsNone reports whether there are no runs.
func (*leastCalls) IsNone(c callCount) bool { return c >= impossible }

// Union returns the fewest calls of both.
func (*leastCalls) Union(a, b callCount) callCount { return min(a, b) }

// Fresh returns the calls if they are fewer than before.
func (*leastCalls) Fresh(seen, c callCount) (fresh, all callCount) {
	if c >= seen {
		return impossible, seen
	}

	return c, c
}

// doneAfter returns the ends of an operation that ends well after some calls.
func doneAfter(c callCount) interp.Ends[callCount] {
	return interp.Ends[callCount]{Done: c, Failed: impossible, Paused: impossible, Returned: impossible, Noted: impossible}
}

// Give changes nothing.
func (*leastCalls) Give(_ *ir.Task, in callCount) callCount { return in }

// Keep changes nothing.
func (*leastCalls) Keep(_ *ir.Task, in callCount) interp.Ends[callCount] { return doneAfter(in) }

// Do runs a task without inner steps.
func (x *leastCalls) Do(t *ir.Task, in callCount) interp.Ends[callCount] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return doneAfter(in.add(x.runCalls(do)))
	case *ir.PassOn, *ir.Ask:
		return doneAfter(in)
	case *ir.Return:
		ends := doneAfter(impossible)
		if x.isCounted(do) {
			ends.Returned = in
		}
		return ends
	case *ir.Branch, *ir.Loop, *ir.Parallel: // they have inner steps
	case *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine: // not in patterns
	}

	panic(fmt.Sprintf("a pattern does a %T", t.Do))
}

// Enter begins a block, with the number of a turn.
func (x *leastCalls) Enter(b interp.Block, in callCount) []interp.Entry[callCount] {
	if loop, isLoop := b.Task.Do.(*ir.Loop); isLoop {
		x.turns[loop.Turn] = b.Turn
	}

	return []interp.Entry[callCount]{{Start: in}}
}

// Leave returns the ends of a block.
func (*leastCalls) Leave(
	_ interp.Block, _ callCount, _ interp.Entry[callCount], inner interp.Ends[callCount],
) interp.Ends[callCount] {
	return inner
}

// Decide panics, because a pattern has no deciding functions.
func (*leastCalls) Decide(t *ir.Task, _ callCount) interp.Ends[callCount] {
	panic(fmt.Sprintf("a function decides in a %T of a pattern", t.Do))
}

// Choose lets all runs take each case, unless the number of a turn decides.
func (x *leastCalls) Choose(c interp.Choice, in callCount) interp.Chosen[callCount] {
	chosen := interp.Chosen[callCount]{Cases: []callCount{in}, Other: in, Blocked: impossible}
	if c.Loop != nil { // it ends with its last turn, or by a return
		chosen.Cases[0] = impossible
		return chosen
	}
	test, isTurn := ir.TurnTestOf(c.Branch.Condition())
	switch {
	case isTurn && x.turns[test.Turn] == test.N:
		chosen.Other = impossible
	case isTurn:
		chosen.Cases[0] = impossible
	}

	return chosen
}

// Item begins a turn. There may be no items.
func (*leastCalls) Item(_ *ir.Loop, _ int, in callCount) (next, skipped callCount) { return in, in }

// Tolerate returns the runs that failed, of which there are none.
func (*leastCalls) Tolerate(_ *ir.Loop, _, failed callCount) callCount { return failed }

// Collect changes nothing.
func (*leastCalls) Collect(_ *ir.Loop, in callCount) interp.Ends[callCount] { return doneAfter(in) }

// Advance counts equal turns, up to one that a condition tests, or the last one.
func (x *leastCalls) Advance(p interp.Progress[callCount]) interp.Step[callCount] {
	tested := x.tested[p.Loop]
	if slices.Contains(tested, p.Round) {
		return interp.Step[callCount]{Next: p.After, GoesOn: true}
	}
	skipped, _ := p.EqualRounds(tested)
	turn := p.After - p.Before

	return interp.Step[callCount]{Next: p.After.add(turn.times(skipped)), Skipped: skipped, GoesOn: true}
}

// Fork handles all runs at once.
func (*leastCalls) Fork(_ *ir.Task, in callCount) []callCount { return []callCount{in} }

// Share returns the runs before parallel agents, which do not see each other's results.
func (*leastCalls) Share(_ *ir.Task, start callCount, _ []interp.Ends[callCount]) callCount {
	return start
}

// Merge adds the calls of parallel agents.
func (*leastCalls) Merge(
	_ *ir.Task, start callCount, arms []interp.Ends[callCount],
) interp.Ends[callCount] {
	all := start
	for _, arm := range arms {
		all = all.add(arm.Done.add(-start))
	}

	return doneAfter(all)
}

// runCalls returns the fewest calls of a step or an agent.
func (p *Program) runCalls(r *ir.Run) callCount { return callCount(p.stepOutcomes(r).Calls()) }
