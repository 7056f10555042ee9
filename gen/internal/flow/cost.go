package flow

import "github.com/agentc-dev/agentc/gen/internal/ir"

// never is a number of calls or steps that nothing takes.
const never = 1 << 30

// calls is the least number of calls of models that something makes. With the number never, it is not possible.
type calls int

func (c calls) plus(d calls) calls { return min(never, c+d) }

func (c calls) times(n int) calls { return c * calls(min(n, never/max(int(c), 1))) }

// cost is what a body of operations makes: if what is behind it is done after it, and if it ends the
// flow.
type cost struct{ through, ended calls }

// costOfBody adds up operations that are done one after another. What conditions say is not known.
func (p *Program) costOfBody(ops []ir.Op) cost {
	sum := cost{ended: never}
	for _, op := range ops {
		c := p.costOfOp(op)
		sum.ended = min(sum.ended, sum.through.plus(c.ended))
		sum.through = sum.through.plus(c.through)
	}

	return sum
}

func (p *Program) costOfOp(op ir.Op) cost {
	switch op := op.(type) {
	case *ir.Run:
		return cost{p.callsOfRun(op), never}
	case *ir.Parallel:
		sum := calls(0)
		for _, run := range op.Runs() {
			sum = sum.plus(p.callsOfRun(run))
		}
		if op.List != nil { // of which there may be no item
			sum = 0
		}
		return cost{sum.times(max(op.N, 1)), never}
	case *ir.Loop:
		return p.costOfLoop(op)
	case *ir.Branch:
		return cost{0, p.costOfBody(op.Then()).ended}
	case *ir.Return:
		return cost{never, 0}
	}

	return cost{ended: never}
}

// callsOfRun returns the fewest calls of a step or an agent.
func (p *Program) callsOfRun(r *ir.Run) calls { return calls(p.ofRun(r).Calls()) }

// costOfLoop returns the cost of a loop. One without a number of rounds ends in one of them, or at its limit, which is somewhere in its
// body.
func (p *Program) costOfLoop(l *ir.Loop) cost {
	whole := p.costOfBody(l.Body.Body)
	switch {
	case l.List != nil:
		return cost{0, whole.ended}
	case l.Times > 0:
		return cost{whole.through.times(l.Times), whole.ended}
	}
	for i, op := range l.Body.Body {
		limit, isBranch := op.(*ir.Branch)
		if !isBranch {
			continue
		}
		then := p.costOfBody(limit.Then())
		if at, counts := limit.Cond.(ir.AtLimit); counts && at.Counter == l.Counter && then.through == never {
			last := p.costOfBody(l.Body.Body[:i])
			ended := min(last.ended, last.through.plus(then.ended))

			return cost{never, min(whole.ended, whole.through.times(at.N-1).plus(ended))}
		}
	}

	return cost{never, whole.ended}
}
