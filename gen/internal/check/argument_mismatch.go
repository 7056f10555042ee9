package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
	u.eachPipeline(func(w *ir.Flow, p *ir.Pipeline) {
		for i, t := range p.Steps() {
			if i > 0 && t.Input == nil && !w.Partial {
				u.compareTextBefore(p.Tasks[i-1], t)
			}
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
		if written := do.InputOf(input); written != nil {
			c.compare(do.Func.Input, written, "")
		} else {
			c.compareGiven(do.Func.Input, t, false)
		}
	case *ir.Import:
		u.compareInput(do.Agent, t, input)
	case *ir.Run:
		u.compareInput(do.Agent, t, input)
	}
}

// compareInput compares what a task gives to a workflow with the schema of its input. A text is read as
// JSON.
func (u *unit) compareInput(to *ir.AgentRef, t *ir.Task, input *ir.Datum) {
	schema := to.InputSchema()
	if schema == nil {
		return
	}
	c := u.newInputComparison(to, schema)
	switch {
	case input == nil:
		c.compareGiven(schema, t, true)
		u.reportNulls(to, t.Given.Schema, t.Name.Span)
	case input.Kind == ir.DatumText:
		switch why := describeTextMisfit(schema, input.Text); why {
		case "":
			u.reportNulls(to, typeOfWhole(input.Text), input.Span)
		case notJSON:
			c.reportMisfit(input.Span, "it %s", why).WithHint("write a mapping with its fields")
		default:
			c.reportMisfit(input.Span, "%s", why)
		}
	default:
		c.compare(schema, input, "")
	}
}

// typeOfWhole returns the schema of the value of a text that is one placeholder; nil if it is not known.
func typeOfWhole(text *ir.Template) *ir.Schema {
	if len(text.Parts) != 1 {
		return nil
	}
	placeholder, isPlaceholder := text.Parts[0].(*ir.Placeholder)
	if !isPlaceholder {
		return nil
	}

	return placeholder.ValueType().Schema
}

// reportNulls warns of fields of an object that is given to a workflow as a whole, of which a run makes
// null what is missing, while the input of the workflow only lets them be absent.
func (u *unit) reportNulls(to *ir.AgentRef, given *ir.Schema, at source.Span) {
	given = given.Resolved()
	if given == nil || given.Kind != ir.SchemaObject {
		return
	}
	for _, p := range given.Properties {
		field := to.InputSchema().Resolved().Property(p.Name.Value)
		isOptional := field != nil && !field.Required && !field.Schema.TakesNull()
		if !isOptional || !p.Schema.Resolved().Nullable {
			continue
		}
		u.report(diag.New(diag.ArgumentMismatch, at, "the input of workflow %q may not fit: %s may be null, and is %s there",
			to.Agent.Name.Value, p.Name.Value, describeKind(field.Schema.Resolved())).
			Warn().
			WithHint("give it a mapping with its fields: one whose value is missing is left out").
			Note(field.Name.Span, "its schema is declared here"))
	}
}

// compareTextBefore compares a text of the step before, which a task gives to a workflow.
func (u *unit) compareTextBefore(before, t *ir.Task) {
	var to *ir.AgentRef
	switch do := t.Do.(type) {
	case *ir.Import:
		to = do.Agent
	case *ir.Run:
		to = do.Agent
	}
	schema := to.InputSchema()
	_, passesOn := before.Do.(*ir.PassOn)
	isText := passesOn && before.Fallback == nil && before.Input != nil && before.Input.Kind == ir.DatumText
	if schema == nil || !isText {
		return
	}
	c := u.newInputComparison(to, schema)
	switch why := describeTextMisfit(schema, before.Input.Text); why {
	case "":
	case notJSON:
		c.reportMisfit(t.Name.Span, "the output of the step before %s", why).WithHint("give it an input: a mapping with its fields")
	default:
		c.reportMisfit(t.Name.Span, "%s", why)
	}
}

// compareGiven compares the output of the step before with a schema. It never fits if none of its types
// does. readsJSON is set where a text is read as JSON.
func (c *datumComparison) compareGiven(in *ir.Schema, t *ir.Task, readsJSON bool) {
	types := t.Given.EachAlternative()
	if t.Given.Schema != nil {
		types = []*ir.Schema{t.Given.Schema}
	}
	reason := ""
	for _, out := range types {
		why := comparison{out: "the output of the step before", isWhole: true}.describeMisfit(in, out, "it")
		if why == "" || readsJSON && mayBeJSON(in, out) {
			return
		}
		reason = cmp.Or(reason, why)
	}
	if reason != "" {
		c.reportMisfit(t.Name.Span, "%s", reason)
	}
}

// mayBeJSON reports whether a value of a schema is a text that can be JSON for another schema.
func mayBeJSON(in, out *ir.Schema) bool {
	out = out.Resolved()
	if out.Kind != ir.SchemaString || out.Enum == nil {
		return out.Kind == ir.SchemaString
	}

	return slices.ContainsFunc(out.Enum, func(value string) bool {
		text := ""
		err := json.Unmarshal([]byte(value), &text)
		return err != nil || sample.Fits(in, text)
	})
}

// notJSON is why a text never fits that a workflow reads as JSON.
const notJSON = "is not JSON"

// describeTextMisfit describes why a text that a workflow reads as JSON never fits a schema, or returns
// "".
func describeTextMisfit(in *ir.Schema, template *ir.Template) string {
	text, isConstant := template.Constant()
	switch {
	case !isConstant && cannotBeginJSON(in, template):
		return notJSON
	case !isConstant || sample.Fits(in, words.Quote(text)):
		return ""
	case !json.Valid([]byte(text)):
		return notJSON
	}

	return sample.DescribeMisfit(in, text)
}

// cannotBeginJSON reports whether a text begins with characters with which no object, or no list, of a
// schema begins.
func cannotBeginJSON(in *ir.Schema, text *ir.Template) bool {
	first, isVerbatim := text.Parts[0].(*ir.Verbatim)
	begin := map[ir.SchemaKind]string{ir.SchemaObject: "{", ir.SchemaUnion: "{", ir.SchemaArray: "["}[in.Resolved().Kind]
	if !isVerbatim || begin == "" || in.Resolved().Nullable {
		return false
	}
	written := strings.TrimLeft(first.Text, " \t\r\n")

	return written != "" && !strings.HasPrefix(written, begin)
}

// newInputComparison returns the comparison of what a step gives to a workflow with the schema of its
// input.
func (u *unit) newInputComparison(to *ir.AgentRef, schema *ir.Schema) datumComparison {
	return u.newArgumentComparison(fmt.Sprintf("the input of workflow %q", to.Agent.Name.Value), schema)
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
