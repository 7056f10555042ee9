package flow

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// impossible is a number of calls or steps that is never reached.
const impossible = 1 << 30

// callCount is the least number of model calls of an operation. It is impossible if the operation
// cannot end.
type callCount int

func (c callCount) add(d callCount) callCount { return min(impossible, c+d) }

func (c callCount) times(n int) callCount { return c * callCount(min(n, impossible/max(int(c), 1))) }

// bodyCalls is the fewest calls of a body: through counts runs that continue after it, ended runs
// that end the flow.
type bodyCalls struct{ through, ended callCount }

// callCounter counts the calls of a flow that ends with one of some returns.
type callCounter struct {
	*Program
	isCounted func(*ir.Return) bool
}

// callsToReturn returns the fewest calls until a flow ends with one of some returns.
func (p *Program) callsToReturn(f *ir.Flow, isCounted func(*ir.Return) bool) callCount {
	return callCounter{p, isCounted}.bodyCalls(f.Body.Steps()).ended
}

// bodyCalls adds up sequential tasks. Conditions may have any result.
func (c callCounter) bodyCalls(tasks []*ir.Task) bodyCalls {
	sum := bodyCalls{ended: impossible}
	for _, t := range tasks {
		of := c.taskCalls(t)
		sum.ended = min(sum.ended, sum.through.add(of.ended))
		sum.through = sum.through.add(of.through)
	}

	return sum
}

func (c callCounter) taskCalls(t *ir.Task) bodyCalls {
	switch op := t.Do.(type) {
	case *ir.Run:
		return bodyCalls{c.runCalls(op), impossible}
	case *ir.Parallel:
		sum := callCount(0)
		for _, arm := range op.Branches {
			sum = sum.add(c.bodyCalls(arm.Body.Tasks).through)
		}
		return bodyCalls{sum, impossible}
	case *ir.Loop:
		return c.loopCalls(op)
	case *ir.Branch:
		return bodyCalls{0, c.bodyCalls(op.ThenBody().Tasks).ended}
	case *ir.Return:
		if c.isCounted(op) {
			return bodyCalls{impossible, 0}
		}
		return bodyCalls{impossible, impossible}
	case *ir.Ask, *ir.PassOn:
		return bodyCalls{ended: impossible}
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
	}

	panic(fmt.Sprintf("no pattern has a %T", t.Do))
}

// runCalls returns the fewest calls of a step or an agent.
func (p *Program) runCalls(r *ir.Run) callCount { return callCount(p.stepOutcomes(r).Calls()) }

// loopCalls returns the fewest calls of a loop. A loop without a number of rounds ends in one of
// them, or at its limit, which is a branch in its body.
func (c callCounter) loopCalls(l *ir.Loop) bodyCalls {
	whole := c.bodyCalls(l.Body.Tasks)
	switch {
	case l.Over != nil:
		return bodyCalls{0, whole.ended} // there may be no items
	case l.Max > 0:
		return bodyCalls{whole.through.times(l.Max), whole.ended}
	}
	for i, t := range l.Body.Tasks {
		limit, isBranch := t.Do.(*ir.Branch)
		if !isBranch {
			continue
		}
		then := c.bodyCalls(limit.ThenBody().Tasks)
		at, counts := ir.TurnTestOf(limit.Condition())
		if !counts || at.Turn != l.Turn || then.through != impossible {
			continue
		}
		last := c.bodyCalls(l.Body.Tasks[:i])
		ended := min(last.ended, last.through.add(then.ended))
		if at.N > 1 {
			earlier := c.bodyCalls(slices.Concat(l.Body.Tasks[:i], l.Body.Tasks[i+1:]))
			ended = min(earlier.ended, earlier.through.times(at.N-1).add(ended))
		}

		return bodyCalls{impossible, ended}
	}

	return bodyCalls{impossible, whole.ended}
}
