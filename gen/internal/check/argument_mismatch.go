package check

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// argumentMismatch finds arguments that never fit the input schema of their function, and inputs that
// never fit the input schema of the workflow that a step runs: each call fails. A value that is only
// known at run time may fit.
var argumentMismatch = Pass{Name: "argument-mismatch", run: func(u *unit) {
	inherited := map[*ir.Task]*ir.Datum{} // a fallback without an input has the input of its step
	u.eachTask(func(w *ir.Flow, t *ir.Task) {
		input := cmp.Or(t.Input, inherited[t])
		if t.Fallback != nil {
			inherited[t.Fallback] = input
		}
		if !w.Partial {
			u.compareArgument(t, input)
		}
	})
}}

// compareArgument compares what a task passes to a function or to a workflow.
func (u *unit) compareArgument(t *ir.Task, input *ir.Datum) {
	switch do := t.Do.(type) {
	case *ir.UseFunc:
		if do.Func.Input == nil {
			return
		}
		c := u.newArgumentComparison(fmt.Sprintf("the argument of function %q", do.Func.Name.Value), do.Func.Input)
		if written := do.Argument(input); written != nil {
			c.compare(do.Func.Input, written, "")
		} else {
			c.compareType(do.Func.Input, t.Name.Span, "", do.InputSchema, "the output of the step before")
		}
	case *ir.Import:
		u.compareInput(do.Agent, t, input, do.InputSchema)
	case *ir.Run:
		u.compareInput(do.Agent, t, input, nil)
	}
}

// compareInput compares what a task gives to a workflow with the schema of its input. The schema of the
// output of the step before may be known. A text is read as JSON.
func (u *unit) compareInput(to *ir.AgentRef, t *ir.Task, input *ir.Datum, before *ir.Schema) {
	schema := to.InputSchema()
	if schema == nil {
		return
	}
	c := u.newArgumentComparison(fmt.Sprintf("the input of workflow %q", to.Agent.Name.Value), schema)
	switch {
	case input == nil && !isText(before):
		c.compareType(schema, t.Name.Span, "", before, "the output of the step before")
	case input == nil:
	case input.Kind == ir.DatumText:
		c.compareJSON(schema, input)
	default:
		c.compare(schema, input, "")
	}
}

func isText(s *ir.Schema) bool { return s != nil && s.Kind == ir.SchemaString }

// compareJSON compares a text that a workflow reads as JSON.
func (c *datumComparison) compareJSON(in *ir.Schema, d *ir.Datum) {
	text, isConstant := d.Text.Constant()
	if !isConstant || sample.Fits(in, words.Quote(text)) {
		return
	}
	switch why := sample.DescribeMisfit(in, text); {
	case !json.Valid([]byte(text)):
		c.reportMisfit(d.Span, "it is not JSON").WithHint("write a mapping with its fields")
	case why != "":
		c.reportMisfit(d.Span, "%s", why)
	}
}

// newArgumentComparison returns the comparison of what a step passes, with its name in messages, with
// a schema.
func (u *unit) newArgumentComparison(name string, schema *ir.Schema) datumComparison {
	return datumComparison{
		schemaAt: schema.Span, schemaIs: "its schema is declared here",
		report: func(at source.Span, why string) *diag.Diagnostic {
			d := diag.New(diag.ArgumentMismatch, at, "%s never fits: %s", name, why)
			u.report(d)
			return d
		},
	}
}
