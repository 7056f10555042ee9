package flow

import "github.com/agentc-dev/agentc/gen/internal/ir"

// never is a number of calls or steps that nothing takes.
const never = 1 << 30

// span is how many calls of models something makes, at least and at most. With the least number
// never, it is not possible.
type span struct {
	least int
	most  Calls
}

var impossible = span{least: never}

func (s span) plus(t span) span {
	if s == impossible || t == impossible {
		return impossible
	}

	return span{min(never-1, s.least+t.least), s.most.plus(t.most)}
}

func (s span) times(n int) span {
	if s == impossible && n > 0 {
		return impossible
	}

	return span{s.least * min(n, never/max(s.least, 1)), s.most.times(n)}
}

// or is what one of two makes, it is not known which.
func (s span) or(t span) span { return span{min(s.least, t.least), max(s.most, t.most)} }

// cost is what a body of operations makes: if what is behind it is done after it, and if it ends the
// flow.
type cost struct{ through, ended span }

// flowCost adds up the calls of a flow. What conditions say is not known.
type flowCost struct {
	p *Program
	// runs are by the names of their results.
	runs map[string]*ir.Run
	// most says that the most calls are asked for, too.
	most bool
}

func (p *Program) costOf(f *ir.Flow, most bool) cost {
	x := &flowCost{p: p, runs: map[string]*ir.Run{}, most: most}
	ir.Walk(f.Body, func(op ir.Op) {
		if run, ok := op.(*ir.Run); ok && run.Var != "" {
			x.runs[run.Var] = run
		}
	})

	return x.body(f.Body)
}

// body adds up operations that are done one after another.
func (x *flowCost) body(ops []ir.Op) cost {
	sum := cost{ended: impossible}
	for _, op := range ops {
		c := x.op(op)
		sum.ended = sum.ended.or(sum.through.plus(c.ended))
		sum.through = sum.through.plus(c.through)
	}

	return sum
}

func (x *flowCost) op(op ir.Op) cost {
	switch op := op.(type) {
	case *ir.Run:
		return cost{x.run(op), impossible}
	case *ir.Group:
		sum := span{}
		for _, run := range op.Runs {
			sum = sum.plus(x.run(run))
		}
		if op.List != nil {
			return x.repeated(*op.List, cost{sum, impossible})
		}
		return cost{sum.times(max(op.N, 1)), impossible}
	case *ir.Loop:
		return x.loop(op)
	case *ir.If:
		c := x.body(op.Then)
		return cost{c.through.or(span{}), c.ended}
	case *ir.Return:
		return cost{impossible, span{}}
	}

	return cost{ended: impossible}
}

func (x *flowCost) run(r *ir.Run) span {
	s := span{least: x.p.callsOfRun(r)}
	if x.most {
		s.most = x.p.mostOfRun(r)
	}

	return s
}

// callsOfRun returns the fewest calls of a step or an agent.
func (p *Program) callsOfRun(r *ir.Run) int {
	if r.Step != nil {
		return p.ofConversation(r.Step.Node).Calls()
	}

	return p.Outcomes(r.Agent.Agent).Calls()
}

// repeated returns the cost of what is done for each item of a list, of which there may be none. A
// step may not give more items than it says, and is asked again if it does.
func (x *flowCost) repeated(l ir.List, once cost) cost {
	c := again(once, 1)
	run := x.runs[l.Of]
	switch {
	case run != nil && run.Step != nil && run.Step.List() != nil:
		c = again(once, max(run.Step.List().Max, 1)) // a text that is no list is a plan of one step
	default:
		c.through.most = Most
	}

	return cost{c.through.or(span{}), c.ended}
}

// again returns the cost of doing the same n times.
func again(once cost, n int) cost {
	if n == 0 {
		return cost{ended: impossible}
	}

	return cost{once.through.times(n), once.ended.or(once.through.times(n - 1).plus(once.ended))}
}

// loop returns the cost of a loop. One without a number of rounds ends at its limit, which is somewhere
// in its body: what comes before it is done as often as the limit says, and what comes behind it once
// less.
func (x *flowCost) loop(l *ir.Loop) cost {
	whole := x.body(l.Body)
	switch {
	case l.List != nil:
		return x.repeated(*l.List, whole)
	case l.Times > 0:
		return again(whole, l.Times)
	case whole.through == impossible:
		return whole
	}
	for i, op := range l.Body {
		limit, isIf := op.(*ir.If)
		if !isIf {
			continue
		}
		at, counts := limit.Cond.(ir.AtLimit)
		then := x.body(limit.Then)
		if !counts || at.Counter != l.Counter || then.through != impossible {
			continue
		}
		last := x.body(l.Body[:i])
		ended := last.ended.or(last.through.plus(then.ended))
		before := again(whole, at.N-1)

		return cost{impossible, whole.ended.or(before.ended).or(before.through.plus(ended))}
	}

	return cost{impossible, span{whole.ended.least, Most}}
}
