package stats

import "github.com/agentc-dev/agentc/gen/internal/ir"

// cost is what a body of operations costs: if what stands behind it is done after it, and if it ends the flow. What is not
// possible costs nothing.
type cost struct {
	through, ended Calls
	goesOn, canEnd bool
}

// ofFlow returns the bound of a flow.
func (b *bounds) ofFlow(f *ir.Flow) Calls {
	c := b.body(&namedRuns{runs: runsOf(f)}, f.Body)

	return max(c.through, c.ended)
}

// namedRuns is what the operations of a flow refer to.
type namedRuns struct {
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
func (f *namedRuns) items(l ir.List) (n int, known bool) {
	run := f.runs[l.Of]
	if run == nil || run.Step == nil || run.Step.List() == nil {
		return 0, false
	}

	return max(run.Step.List().Max, 1), true // a text that is no list is a plan of one step
}

// body adds up operations that are done one after another.
func (b *bounds) body(f *namedRuns, ops []ir.Op) cost {
	sum := cost{goesOn: true}
	for _, op := range ops {
		c := b.op(f, op)
		if c.canEnd {
			sum.canEnd = true
			sum.ended = max(sum.ended, sum.through.plus(c.ended))
		}
		if !c.goesOn {
			return cost{ended: sum.ended, canEnd: sum.canEnd}
		}
		sum.through = sum.through.plus(c.through)
	}

	return sum
}

func (b *bounds) op(f *namedRuns, op ir.Op) cost {
	switch op := op.(type) {
	case *ir.Run:
		return done(b.run(op))
	case *ir.Group:
		return b.group(f, op)
	case *ir.Loop:
		return b.loop(f, op)
	case *ir.If:
		c := b.body(f, op.Then)
		c.goesOn = true // where the condition does not hold
		return c
	case *ir.Return:
		return cost{canEnd: true}
	}

	return done(0)
}

func (b *bounds) group(f *namedRuns, g *ir.Group) cost {
	sum := Calls(0)
	for _, run := range g.Runs {
		sum = sum.plus(b.run(run))
	}
	if g.List != nil {
		return repeated(f, *g.List, done(sum))
	}

	return done(sum.times(max(g.N, 1)))
}

func done(calls Calls) cost { return cost{through: calls, goesOn: true} }

func (b *bounds) run(r *ir.Run) Calls {
	if r.Step != nil {
		return ofConversation(r.Step.Node)
	}

	return b.agent(r.Agent.Agent)
}

// repeated returns the cost of what is done for each item of a list, of which there may be none.
func repeated(f *namedRuns, l ir.List, once cost) cost {
	n, known := f.items(l)
	if !known {
		return cost{through: Most, ended: Most, goesOn: true, canEnd: once.canEnd}
	}
	c := again(once, n)
	c.goesOn = true

	return c
}

// again returns the cost of doing the same n times.
func again(once cost, n int) cost {
	if n == 0 {
		return done(0)
	}
	c := once
	if once.goesOn {
		c.through = once.through.times(n)
		c.ended = once.through.times(n - 1).plus(once.ended)
	}

	return c
}

// loop returns the cost of a loop. One without a number of rounds ends at its limit, which stands somewhere in its body: what
// comes before it is done as often as the limit says, and what comes behind it once less.
func (b *bounds) loop(f *namedRuns, l *ir.Loop) cost {
	whole := b.body(f, l.Body)
	switch {
	case l.List != nil:
		return repeated(f, *l.List, whole)
	case l.Times > 0:
		return again(whole, l.Times)
	case !whole.goesOn:
		return whole
	}
	for i, op := range l.Body {
		limit, isIf := op.(*ir.If)
		if !isIf {
			continue
		}
		at, counts := limit.Cond.(ir.AtLimit)
		then := b.body(f, limit.Then)
		if !counts || at.Counter != l.Counter || then.goesOn {
			continue
		}
		last := b.body(f, l.Body[:i])
		ended := max(last.ended, last.through.plus(then.ended))
		before := again(whole, at.N-1)

		return cost{ended: max(before.ended, before.through.plus(ended)), canEnd: true}
	}

	return cost{ended: Most, canEnd: true}
}
