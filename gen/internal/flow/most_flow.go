package flow

import "github.com/agentc-dev/agentc/gen/internal/ir"

// cost is what a body of operations costs: if what is behind it is done after it, and if it ends the flow. What is not
// possible costs nothing.
type cost struct {
	through, ended    Calls
	continues, canEnd bool
}

// flowMost adds up the calls of a flow.
type flowMost struct {
	p *Program
	// runs are by the names of their results.
	runs map[string]*ir.Run
}

func runsOf(f *ir.Flow) map[string]*ir.Run {
	runs := map[string]*ir.Run{}
	ir.Walk(f.Body, func(op ir.Op) {
		if run, ok := op.(*ir.Run); ok && run.Var != "" {
			runs[run.Var] = run
		}
	})

	return runs
}

// items returns how many items a list can have: a step may not give more, and is asked again if it does.
func (f *flowMost) items(l ir.List) (n int, known bool) {
	run := f.runs[l.Of]
	if run == nil || run.Step == nil || run.Step.List() == nil {
		return 0, false
	}

	return max(run.Step.List().Max, 1), true // a text that is no list is a plan of one step
}

// body adds up operations that are done one after another.
func (f *flowMost) body(ops []ir.Op) cost {
	sum := cost{continues: true}
	for _, op := range ops {
		c := f.op(op)
		if c.canEnd {
			sum.canEnd = true
			sum.ended = max(sum.ended, sum.through.plus(c.ended))
		}
		if !c.continues {
			return cost{ended: sum.ended, canEnd: sum.canEnd}
		}
		sum.through = sum.through.plus(c.through)
	}

	return sum
}

func (f *flowMost) op(op ir.Op) cost {
	switch op := op.(type) {
	case *ir.Run:
		return done(f.p.mostOfRun(op))
	case *ir.Group:
		return f.group(op)
	case *ir.Loop:
		return f.loop(op)
	case *ir.If:
		c := f.body(op.Then)
		c.continues = true // where the condition does not hold
		return c
	case *ir.Return:
		return cost{canEnd: true}
	}

	return done(0)
}

func (f *flowMost) group(g *ir.Group) cost {
	sum := Calls(0)
	for _, run := range g.Runs {
		sum = sum.plus(f.p.mostOfRun(run))
	}
	if g.List != nil {
		return f.repeated(*g.List, done(sum))
	}

	return done(sum.times(max(g.N, 1)))
}

func done(calls Calls) cost { return cost{through: calls, continues: true} }

func (p *Program) mostOfRun(r *ir.Run) Calls {
	if r.Step != nil {
		return mostOfConversation(r.Step.Node)
	}

	return p.MostCalls(r.Agent.Agent)
}

// repeated returns the cost of what is done for each item of a list, of which there may be none.
func (f *flowMost) repeated(l ir.List, once cost) cost {
	n, known := f.items(l)
	if !known {
		return cost{through: Most, ended: Most, continues: true, canEnd: once.canEnd}
	}
	c := again(once, n)
	c.continues = true

	return c
}

// again returns the cost of doing the same n times.
func again(once cost, n int) cost {
	if n == 0 {
		return done(0)
	}
	c := once
	if once.continues {
		c.through = once.through.times(n)
		c.ended = once.through.times(n - 1).plus(once.ended)
	}

	return c
}

// loop returns the cost of a loop. One without a number of rounds ends at its limit, which is somewhere in its body: what
// comes before it is done as often as the limit says, and what comes behind it once less.
func (f *flowMost) loop(l *ir.Loop) cost {
	whole := f.body(l.Body)
	switch {
	case l.List != nil:
		return f.repeated(*l.List, whole)
	case l.Times > 0:
		return again(whole, l.Times)
	case !whole.continues:
		return whole
	}
	for i, op := range l.Body {
		limit, isIf := op.(*ir.If)
		if !isIf {
			continue
		}
		at, counts := limit.Cond.(ir.AtLimit)
		then := f.body(limit.Then)
		if !counts || at.Counter != l.Counter || then.continues {
			continue
		}
		last := f.body(l.Body[:i])
		ended := max(last.ended, last.through.plus(then.ended))
		before := again(whole, at.N-1)

		return cost{ended: max(before.ended, before.through.plus(ended)), canEnd: true}
	}

	return cost{ended: Most, canEnd: true}
}
