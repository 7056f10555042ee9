package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unreadBeforeWritten finds outputs that are read in a state which no run reaches after the step
// that writes them. Reads that the order of the steps rules out are reported when they are parsed.
var unreadBeforeWritten = Pass{Name: "unread-before-written", run: func(u *unit) {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		for _, read := range u.flow.FindUnwritten(w) {
			if read.Root != ir.RootStep {
				continue // this is unwritten-field
			}
			name := read.Output.Name
			u.report(diag.New(diag.UnreadBeforeWritten, read.Span, "step %q cannot have run when its output is read here", name.Value).
				Note(name.Span, "no path through the rows leads from step %q to this place", name.Value))
		}
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			for _, condition := range t.Conditions() {
				u.reportMissingOutputs(w, condition)
			}
		})
	})
}}

// reportMissingOutputs reports outputs that a condition reads and that may be missing, once each.
func (u *unit) reportMissingOutputs(w *ir.Flow, condition *ir.Formula) {
	if condition == nil || condition.Root == nil {
		return
	}
	reported := handlesNone(condition.Root)
	condition.Walk(func(access *ir.Access) {
		isMissing := access.Root == ir.RootStep && u.flow.MayBeMissing(access)
		if !isMissing || reported[expr.NameOf(access)] || u.hasReported(diag.UnreadBeforeWritten, access.Span) {
			return
		}
		reported[expr.NameOf(access)] = true
		u.report(diag.New(diag.UnreadBeforeWritten, access.Span,
			"%s may be missing here: the condition is unknown then, and the run fails", access.Written).
			Warn().
			Note(access.Output.Name.Span, "%s", u.describeMissing(w, access.Output)))
	})
}

// describeMissing returns why an output of a workflow may be missing: its steps never run, they are
// fallbacks, they are imports whose failure is no failure, or they need not have run.
func (u *unit) describeMissing(w *ir.Flow, output *ir.Output) string {
	name, mayRun := output.Name.Value, false
	var main, imported *ir.Task
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		if do, isImport := t.Do.(*ir.Import); isImport && t.Output == output && do.OnFailure != ir.FailureAbort {
			imported = t
		}
		mayRun = mayRun || t.Output == output && !u.flow.NeverBegins(t)
		if t.Fallback != nil && t.Fallback.Output == output {
			main = t
		}
	})
	switch {
	case !mayRun:
		return fmt.Sprintf("step %q never runs", name)
	case main != nil:
		return fmt.Sprintf("step %q is a fallback: it runs only where step %q fails", name, main.Name.Value)
	case imported != nil:
		return fmt.Sprintf("step %q goes on without its output if the import fails", name)
	}

	return fmt.Sprintf("step %q need not have run before", name)
}
