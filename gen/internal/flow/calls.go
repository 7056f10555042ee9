package flow

import "github.com/agentc-dev/agentc/gen/internal/ir"

// never is a number of calls or steps that nothing takes.
const never = 1 << 30

// bodyCalls are the fewest calls of models that a list of operations makes before it returns, and
// those that it makes when it does not; never where it cannot.
type bodyCalls struct{ toReturn, toEnd int }

// callsOf returns the fewest calls of some operations. A list may be empty, and what a condition
// says is not known.
func (p *Program) callsOf(body []ir.Op) bodyCalls {
	sum := bodyCalls{toReturn: never}
	for _, op := range body {
		c := p.callsOfOp(op)
		sum.toReturn = min(sum.toReturn, sum.toEnd+c.toReturn)
		sum.toEnd = min(never, sum.toEnd+c.toEnd)
	}
	return sum
}

func (p *Program) callsOfOp(op ir.Op) bodyCalls {
	c := bodyCalls{toReturn: never}
	switch op := op.(type) {
	case *ir.Run:
		c.toEnd = p.callsOfRun(op)
	case *ir.Group:
		for _, run := range op.Runs {
			c.toEnd += p.callsOfRun(run)
		}
		switch {
		case op.List != nil:
			c.toEnd = 0
		case op.N > 0:
			c.toEnd *= op.N
		}
	case *ir.Loop:
		inside := p.callsOf(op.Body)
		c.toReturn = inside.toReturn
		switch {
		case op.List != nil:
		case op.Times > 0:
			c.toEnd = min(never, op.Times*min(inside.toEnd, never/op.Times))
		default:
			c.toEnd = never
		}
	case *ir.If:
		c.toReturn = p.callsOf(op.Then).toReturn
	case *ir.Return:
		return bodyCalls{toEnd: never}
	}

	return c
}

func (p *Program) callsOfRun(run *ir.Run) int {
	if run.Step != nil {
		return p.ofConversation(run.Step.Node).Calls()
	}

	return p.Outcomes(run.Agent.Agent).Calls()
}

// callsOfSteps returns the fewest calls of the steps of a workflow that end well. A step that fails
// at once has made none, and what a fallback or a branch does is not known.
func (p *Program) callsOfSteps(body *ir.Pipeline) int {
	sum := 0
	if body != nil {
		for _, t := range body.Tasks {
			sum = min(never, sum+p.callsOfStep(t))
		}
	}

	return sum
}

func (p *Program) callsOfStep(t *ir.Task) int {
	calls := 0
	switch do := t.Do.(type) {
	case *ir.Run:
		calls = p.callsOfRun(do)
	case *ir.Import:
		if do.OnFailure == ir.FailureAbort {
			calls = p.Outcomes(do.Agent.Agent).Calls()
		}
	case *ir.Conditional:
		calls = never
		for _, branch := range t.Pipelines() {
			calls = min(calls, p.callsOfSteps(branch))
		}
	case *ir.Repeat:
		calls = p.callsOfSteps(do.Body)
	case *ir.Fork:
		for _, arm := range do.Branches {
			if !do.Ignore {
				calls = min(never, calls+p.callsOfSteps(arm.Body))
			}
		}
	case *ir.Machine:
		calls = p.machines[do].Calls
	}
	if t.Fallback != nil {
		calls = min(calls, p.callsOfStep(t.Fallback))
	}

	return calls
}
