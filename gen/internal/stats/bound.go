package stats

import (
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// bounds computes the bound of each agent once.
type bounds struct {
	facts *flow.Program
	known map[*ir.Agent]Calls
}

func (b *bounds) agent(a *ir.Agent) Calls {
	if a == nil {
		return 0
	}
	calls, known := b.known[a]
	if known {
		return calls
	}
	switch node := a.Node.(type) {
	case *ir.Machine:
		calls = b.machine(node)
	case *ir.Flow:
		calls = b.ofFlow(node)
	case *ir.Workflow:
		calls = b.workflow(node)
	default:
		calls = ofConversation(node)
	}
	calls = calls.within(a.Budget)
	b.known[a] = calls

	return calls
}

// within is the number that a budget lets pass.
func (c Calls) within(b *ir.Budget) Calls {
	if b == nil || b.Calls <= 0 {
		return c
	}

	return min(c, Calls(b.Calls))
}

func ofConversation(node ir.Node) Calls {
	switch node := node.(type) {
	case *ir.React:
		return Calls(1).times(node.MaxIter)
	case *ir.Oneshot:
		return Calls(1).plus(Calls(1).times(node.Repair))
	}

	return 0
}
