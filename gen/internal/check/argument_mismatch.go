package check

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// argumentMismatch finds arguments that never fit the input schema of their function: each call
// fails. A value that is only known at run time may fit.
var argumentMismatch = Pass{Name: "argument-mismatch", run: func(u *unit) {
	inherited := map[*ir.Task]*ir.Datum{} // a fallback without an input has the input of its step
	u.eachTask(func(w *ir.Flow, t *ir.Task) {
		input := cmp.Or(t.Input, inherited[t])
		if t.Fallback != nil {
			inherited[t.Fallback] = input
		}
		do, isFunc := t.Do.(*ir.UseFunc)
		if w.Partial || !isFunc || do.Func.Input == nil {
			return
		}
		c := u.newArgumentComparison(do.Func)
		if written := do.Argument(input); written != nil {
			c.compare(do.Func.Input, written, "")
		} else {
			c.compareType(do.Func.Input, t.Name.Span, "", do.InputSchema, "the output of the step before")
		}
	})
}}

// newArgumentComparison returns the comparison of an argument of a function with its schema.
func (u *unit) newArgumentComparison(of *ir.Func) datumComparison {
	return datumComparison{
		schemaAt: of.Input.Span, schemaIs: "its schema is declared here",
		report: func(at source.Span, why string) *diag.Diagnostic {
			d := diag.New(diag.ArgumentMismatch, at, "the argument of function %q never fits: %s", of.Name.Value, why)
			u.report(d)
			return d
		},
	}
}
