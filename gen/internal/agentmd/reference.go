package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/tree"
)

// agent resolves the agent that a field names. That there is none is a finding of the checks; that the field is missing
// one of the schema.
func (b *flowBuilder) agent(field string) *ir.AgentRef {
	name := tree.Text(b.field(field))

	return &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)}
}

// agents resolves the agents that a field lists, each once: what stands side by side is told apart by name.
func (b *flowBuilder) agents(field string) []*ir.AgentRef {
	var refs []*ir.AgentRef
	for _, name := range tree.Texts(b.field(field)) {
		if slices.ContainsFunc(refs, func(r *ir.AgentRef) bool { return r.Value == name.Value }) {
			b.report(diag.New(diag.BadValue, name.Span, "agent %q is listed twice", name.Value))
			continue
		}
		refs = append(refs, &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)})
	}

	return refs
}

// withoutNameless drops the runs of agents that the file fails to name, which the schema has reported.
func withoutNameless(body []ir.Op) []ir.Op {
	return slices.DeleteFunc(body, func(op ir.Op) bool {
		if each, ok := op.(*ir.ForEach); ok {
			op = each.Run
		}
		run, ok := op.(*ir.Run)

		return ok && run.Agent != nil && run.Agent.Value == ""
	})
}
