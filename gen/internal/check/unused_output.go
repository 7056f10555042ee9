package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unusedOutput finds outputs of steps that nothing can come of: texts that are to be merged into the context, and replies of
// models that no step is given and that no expression and no template names.
var unusedOutput = Pass{Name: "unused-output", run: func(u *unit) {
	u.eachTask(func(_ *ir.Flow, t *ir.Task) { u.unmerged(t) })
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
			for i := 1; i < len(p.Tasks); i++ {
				u.unread(a, p.Tasks[i-1], p.Tasks[i])
			}
		})
	})
}}

// unmerged finds an output that is to be merged into the context, which has no place for it.
func (u *unit) unmerged(t *ir.Task) {
	if _, copies := t.Do.(*ir.Import); copies || !t.UpdatesContext || t.Merges() {
		return
	}
	u.report(diag.New(diag.UnusedOutput, t.UpdatesAt,
		"the output of step %q is %s, but only an object can be merged into the context", t.Name.Value, kindWords[t.Type.Schema.Kind]).
		WithHint("store it in a field of the context: sink_to: NAME"))
}

var kindWords = map[ir.SchemaKind]string{
	ir.SchemaArray: "a list", ir.SchemaString: "a text", ir.SchemaNumber: "a number", ir.SchemaInteger: "a whole number",
	ir.SchemaBoolean: "true or false",
}

// unread finds a reply of a model that nothing reads; next is the step behind it.
func (u *unit) unread(a *ir.Agent, t, next *ir.Task) {
	if ask, asks := t.Do.(*ir.Run); !asks || ask.Step == nil || t.UpdatesContext || t.SinkTo != nil || t.Fallback != nil || takesData(next) {
		return
	}
	read := u.reads(a)
	if read.outputs[t.Output] || read.roots[ir.RootSteps] || mayName(t.Type.Schema, ir.NextState) {
		return
	}
	u.report(diag.New(diag.UnusedOutput, t.Name.Span,
		"nothing reads the output of step %q: no expression and no template names it, and step %q has an input of its own",
		t.Name.Value, next.Name.Value).WithHint("write {{ steps.%s }} where it is needed, or remove the step", t.Name.Value))
}

// takesData reports whether a step may do something with the output of the step before it that nothing names.
func takesData(t *ir.Task) bool {
	if t.Input != nil {
		return false
	}
	ask, asks := t.Do.(*ir.Ask)

	return !asks || ask.Message == nil
}

// mayName reports whether a value that fits the schema can have the field; a text has none.
func mayName(s *ir.Schema, field string) bool {
	s = s.Followed()
	if s == nil {
		return true
	}
	if s.Kind != ir.SchemaObject {
		return s.Kind == ir.SchemaAny || s.Kind == ir.SchemaUnion
	}

	return s.Additional != nil || s.Property(field) != nil
}

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
	r = newReads()
	u.workReads[a] = r
	if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
		for _, agent := range w.Conversations {
			agent.Template.Walk(r.read)
		}
		ir.WalkTasks(w.Body, func(t *ir.Task) { t.WalkReads(r.read) })
	}

	return r
}

func newReads() *reads { return &reads{outputs: map[*ir.Output]bool{}, roots: map[ir.Root]bool{}} }

func (r *reads) read(access *ir.Access) {
	r.roots[access.Root] = true
	if access.Output != nil {
		r.outputs[access.Output] = true
	}
}
