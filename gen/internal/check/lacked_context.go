package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// lackedContexts finds places where a workflow is run without an initial context although its context has required fields: it
// fails there before its first step. It is an error where each run fails with it, else a warning.
func (u *unit) lackedContexts() {
	for _, x := range u.machines {
		for _, s := range x.flow.States {
			if s.Reached && s.Agent != nil {
				u.lacksContext(ir.AgentRef{Text: s.Name, Agent: s.Agent}, s == x.flow.Start)
			}
		}
	}
	for _, a := range u.program.Agents {
		w, isWorkflow := ir.WorkflowOf(a.Node)
		for _, t := range ir.OpsOf[*ir.Task](a.Body()) {
			if ir.CannotStart(t.Do) {
				u.lacksContext(*ir.AgentOf(t.Do), isWorkflow && u.flow.NeverEnds(t) && u.failsAll(w, t))
			}
		}
	}
}

// lacksContext reports a reference to a workflow whose context has required fields; a reference to any other agent is right.
func (u *unit) lacksContext(ref ir.AgentRef, failsAll bool) {
	needed := ref.Agent.RequiredContext()
	if len(needed) == 0 {
		return
	}
	d := diag.New(diag.ContextMismatch, ref.Span, "workflow %q cannot begin here: its context is empty, and requires %s",
		ref.Agent.Name.Value, quoted(needed))
	if !failsAll {
		d.Warn()
	}
	context := ref.Agent.Node.(*ir.Flow).Context
	d.Note(context.Span, "the context is declared here")
	u.report(d.WithHint("do not require %s, or import the workflow with inherit_context: true into one that has %s",
		plural(len(needed), "the field", "the fields"), plural(len(needed), "it", "them")))
}
