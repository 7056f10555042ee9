package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/tree"
)

// agent resolves the agent that a field names. That there is none is a finding of the checks; that the field is missing
// one of the schema.
func (b *flowBuilder) agent(field string) *ir.AgentRef {
	name := tree.Text(b.field(field))

	return &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)}
}

// agents runs the agents that a field lists, each once: what runs side by side is distinguished by name.
func (b *flowBuilder) agents(field string, input ir.Expr) []*ir.Run {
	var runs []*ir.Run
	names := tree.Texts(b.field(field))
	for _, name := range b.loader.once("agent", names) {
		runs = append(runs, &ir.Run{Agent: &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)}, Input: input})
	}
	b.flow.Partial = b.flow.Partial || len(runs) < len(names)

	return runs
}

// withoutNameless drops the runs of agents that the file fails to name, which the schema has reported.
func withoutNameless(body []ir.Op) []ir.Op {
	return slices.DeleteFunc(body, func(op ir.Op) bool {
		if group, ok := op.(*ir.Parallel); ok && len(group.Branches) == 1 {
			op = group.Runs()[0]
		}
		run, ok := op.(*ir.Run)

		return ok && run.Agent != nil && run.Agent.Value == ""
	})
}
