package flow

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// never is a number of calls or steps that nothing takes.
const never = 1 << 30

// calls is the least number of calls of models that something makes. With the number never, it is not possible.
type calls int

func (c calls) plus(d calls) calls { return min(never, c+d) }

func (c calls) times(n int) calls { return c * calls(min(n, never/max(int(c), 1))) }

// cost is what a body of operations makes: if what is behind it is done after it, and if it ends the
// flow.
type cost struct{ through, ended calls }

// costOfBody adds up tasks that are done one after another. What conditions say is not known.
func (p *Program) costOfBody(tasks []*ir.Task) cost {
	sum := cost{ended: never}
	for _, t := range tasks {
		c := p.costOfTask(t)
		sum.ended = min(sum.ended, sum.through.plus(c.ended))
		sum.through = sum.through.plus(c.through)
	}

	return sum
}

func (p *Program) costOfTask(t *ir.Task) cost {
	switch op := t.Do.(type) {
	case *ir.Run:
		return cost{p.callsOfRun(op), never}
	case *ir.Parallel:
		sum := calls(0)
		for _, arm := range op.Branches {
			sum = sum.plus(p.costOfBody(arm.Body.Tasks).through)
		}
		return cost{sum, never}
	case *ir.Loop:
		return p.costOfLoop(op)
	case *ir.Branch:
		return cost{0, p.costOfBody(op.ThenBody().Tasks).ended}
	case *ir.Return:
		return cost{never, 0}
	case *ir.Ask, *ir.PassOn:
		return cost{ended: never}
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
	}

	panic(fmt.Sprintf("no pattern has a %T", t.Do))
}

// callsOfRun returns the fewest calls of a step or an agent.
func (p *Program) callsOfRun(r *ir.Run) calls { return calls(p.ofRun(r).Calls()) }

// costOfLoop returns the cost of a loop. One without a number of rounds ends in one of them, or at its limit, which is somewhere in its
// body.
func (p *Program) costOfLoop(l *ir.Loop) cost {
	whole := p.costOfBody(l.Body.Tasks)
	switch {
	case l.Over != nil:
		return cost{0, whole.ended} // there may be no item
	case l.Max > 0:
		return cost{whole.through.times(l.Max), whole.ended}
	}
	for i, t := range l.Body.Tasks {
		limit, isBranch := t.Do.(*ir.Branch)
		if !isBranch {
			continue
		}
		then := p.costOfBody(limit.ThenBody().Tasks)
		at, counts := ir.TurnTestOf(limit.Condition())
		if counts && at.Turn == l.Turn && then.through == never {
			last := p.costOfBody(l.Body.Tasks[:i])
			ended := min(last.ended, last.through.plus(then.ended))

			return cost{never, min(whole.ended, whole.through.times(at.N-1).plus(ended))}
		}
	}

	return cost{never, whole.ended}
}
