package check

import "github.com/agentc-dev/agentc/gen/internal/ir"

// reads are what the expressions and templates of a workflow name.
type reads struct {
	outputs map[*ir.Output]bool
	roots   map[ir.Root]bool
}

// reads returns what a workflow names; it is computed once.
func (u *unit) reads(a *ir.Agent) *reads {
	r := u.workReads[a]
	if r != nil {
		return r
	}
	r = &reads{outputs: map[*ir.Output]bool{}, roots: map[ir.Root]bool{}}
	u.workReads[a] = r
	w, isWorkflow := a.Node.(*ir.Workflow)
	if !isWorkflow {
		return r
	}
	for _, agent := range w.Agents {
		agent.Template.Walk(r.expression)
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) { t.WalkExpressions(r.expression) })

	return r
}

func (r *reads) expression(x ir.Expression) {
	access, isAccess := x.(*ir.Access)
	if !isAccess {
		return
	}
	r.roots[access.Root] = true
	if access.Output != nil {
		r.outputs[access.Output] = true
	}
}
