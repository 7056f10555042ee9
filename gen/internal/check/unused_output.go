package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unusedOutput finds outputs of steps that have no effect: texts that are to be merged into the
// context, and model replies that no step, expression or template uses.
var unusedOutput = Pass{Name: "unused-output", run: func(u *unit) {
	u.eachTask(func(_ *ir.Flow, t *ir.Task) { u.checkUnmerged(t) })
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
			for i := 1; i < len(p.Tasks); i++ {
				u.checkUnread(a, p.Tasks[i-1], p.Tasks[i])
			}
		})
	})
}}

// checkUnmerged reports an output that is not an object and is to be merged into the context.
func (u *unit) checkUnmerged(t *ir.Task) {
	if _, copies := t.Do.(*ir.Import); copies || !t.UpdatesContext || t.MergesOutput() {
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

// checkUnread reports a model reply that nothing reads; next is the following step.
func (u *unit) checkUnread(a *ir.Agent, t, next *ir.Task) {
	if ask, asks := t.Do.(*ir.Run); !asks || ask.Step == nil || t.Fallback != nil {
		return
	}
	if t.UpdatesContext || t.SinkTo != nil || takesData(next) {
		return
	}
	read := u.readsOf(a)
	if read.outputs[t.Output] || read.roots[ir.RootSteps] || mayName(t.Type.Schema, ir.NextState) {
		return
	}
	u.report(diag.New(diag.UnusedOutput, t.Name.Span,
		"nothing reads the output of step %q: no expression and no template names it, and step %q has an input of its own",
		t.Name.Value, next.Name.Value).WithHint("write {{ steps.%s }} where it is needed, or remove the step", t.Name.Value))
}

// takesData reports whether a step may use the previous output without naming it.
func takesData(t *ir.Task) bool {
	if t.Input != nil {
		return false
	}
	ask, asks := t.Do.(*ir.Ask)

	return !asks || ask.Message == nil
}

// mayName reports whether a value of the schema can have the field. A text has no fields.
func mayName(s *ir.Schema, field string) bool {
	s = s.Resolved()
	if s == nil {
		return true
	}
	if s.Kind != ir.SchemaObject {
		return s.Kind == ir.SchemaAny || s.Kind == ir.SchemaUnion
	}

	return s.Additional != nil || s.Property(field) != nil
}

// reads are the names in the expressions and templates of a workflow.
type reads struct {
	outputs map[*ir.Output]bool
	roots   map[ir.Root]bool
}

// readsOf returns the names in a workflow. Results are cached.
func (u *unit) readsOf(a *ir.Agent) *reads {
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
		ir.WalkTasks(w.Body, func(t *ir.Task) { t.WalkOwnReads(r.read) })
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
