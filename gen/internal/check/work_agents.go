package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unaskedAgents finds agents that a workflow declares and that none of its steps asks.
func (u *unit) unaskedAgents() {
	for _, a := range u.program.Agents {
		w, isWorkflow := a.Node.(*ir.Workflow)
		if !isWorkflow || w.Partial {
			continue
		}
		asked := map[*ir.Step]bool{}
		ir.Walk(a.Body(), func(op ir.Op) {
			if run, isRun := op.(*ir.Run); isRun {
				asked[run.Step] = true
			}
		})
		for _, agent := range w.Agents {
			if !asked[agent] {
				u.report(diag.New(diag.UnusedAgent, agent.Name.Span, "agent %q is not used: no step of workflow %q asks it",
					agent.Name.Value, a.Name.Value).WithHint("remove it, or ask it in a step: uses: agents.%s", agent.Name.Value))
			}
		}
	}
}
