package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// contextMismatch finds workflows that cannot begin with an empty context. It also finds values that
// never fit the declared context: an unknown field, or a field of another type. Such a step fails
// each time, after its cost. So does a loop whose variables never fit their types. The pass runs
// before passes whose problems it explains.
var contextMismatch = Pass{Name: "context-mismatch", run: func(u *unit) {
	u.lackedContexts()
	u.eachTask(func(w *ir.Flow, t *ir.Task) {
		if t.Part == ir.PartState && !w.Partial {
			u.reportUnfitState(t)
		}
		if w.Context == nil || w.Partial {
			return
		}
		if u.reportUnfitValues(w.Context, t) {
			return
		}
		if at, why := findMismatch(w.Context, t); why != "" {
			d := diag.New(diag.ContextMismatch, at, "the output of step %q never fits the context: %s", t.Name.Value, why)
			if names := commonFields(w.Context, t); at == t.UpdatesAt && names != "" {
				d.WithHint("merge only what belongs there: updates_context: [%s]", names)
			}
			u.report(d.Note(w.Context.Span, "the context is declared here"))
		}
	})
}}

// reportUnfitState reports values of the variables of a loop that never fit their types.
func (u *unit) reportUnfitState(t *ir.Task) {
	c := datumComparison{
		schemaAt: t.Output.Name.Span, schemaIs: "its schema is declared here",
		report: func(at source.Span, why string) *diag.Diagnostic {
			d := diag.New(diag.ContextMismatch, at, "the %s never fits: %s", t.Name.Value, why)
			u.report(d)
			return d
		},
	}
	c.compare(t.Type.Schema, t.Input, "")
}

// reportUnfitValues reports values of the source that a task writes to the context, and that never
// fit there.
func (u *unit) reportUnfitValues(context *ir.Schema, t *ir.Task) (isReported bool) {
	for _, w := range t.ContextWrites() {
		value := valueWritten(t, w)
		if value == nil || w.Path == nil || w.Path.IsRouting() {
			continue
		}
		in := context.FieldSchema(w.Path.Path)
		if in == nil {
			continue // an unknown field has been reported
		}
		path := strings.TrimSuffix("context."+joinPath(w.Path.Path), ".")
		c := datumComparison{
			schemaAt: context.Span, schemaIs: "the context is declared here", write: &w,
			report: func(at source.Span, why string) *diag.Diagnostic {
				d := diag.New(diag.ContextMismatch, at, "the value of step %q never fits the context: %s", t.Name.Value, why)
				if t.Fallback != nil {
					d.Warn()
				}
				u.report(d)
				isReported = true
				return d
			},
		}
		if w.Merge && !mayHoldMembers(in) {
			c.reportMisfit(w.At, "%s is %s, and an object is merged into it", path, describeKind(in))
			continue
		}
		c.compare(in, value, path)
	}

	return isReported
}

// valueWritten returns the value of the source that a task writes; nil if only a run knows it.
func valueWritten(t *ir.Task, w ir.ContextWrite) *ir.Datum {
	_, passesOn := t.Do.(*ir.PassOn)
	switch {
	case !w.IsOutput:
		return w.Value
	case !passesOn || t.Fallback != nil || t.Input == nil:
		return nil
	case w.Merge && t.MergedFields != nil:
		return t.Input.WithFields(ir.Values(t.MergedFields))
	}

	return t.Input
}

// mayHoldMembers reports whether a value of a schema may be an object.
func mayHoldMembers(s *ir.Schema) bool { return isObject(s) || s.Kind == ir.SchemaAny }

// commonFields returns the names of the fields of a task's output that fit those of the context.
func commonFields(context *ir.Schema, t *ir.Task) string {
	if t.MergedFields != nil {
		return ""
	}
	output := t.Type.Schema
	names := ir.Where(output.PropertyNames(), func(name string) bool {
		in, out := context.Property(name), output.Property(name)
		return in != nil && out != nil && ofOutput.describeMisfit(in.Schema, out.Schema, name) == ""
	})

	return strings.Join(names, ", ")
}

// findMismatch returns why the output of a task never fits the context, and the span of the field
// that writes it. The reason is empty if it may fit.
func findMismatch(context *ir.Schema, t *ir.Task) (at source.Span, why string) {
	out := t.Type.Schema
	if out == nil || t.Fallback != nil {
		return at, ""
	}
	if t.SinkTo != nil && !t.SinkTo.IsRouting() {
		in := context.FieldSchema(t.SinkTo.Path)
		if in == nil {
			return at, "" // an unknown field has been reported
		}
		if misfit := ofOutput.describeMisfit(in, out, "context."+joinPath(t.SinkTo.Path)); misfit != "" {
			return t.SinkTo.Span, misfit
		}
	}
	if t.MergesOutput() && out.Kind == ir.SchemaObject {
		return t.UpdatesAt, ofOutput.describeMemberMisfit(context, t.MergedSchema(), "context")
	}

	return at, ""
}

// comparison compares the known type of a value with the schema of its destination.
type comparison struct {
	// out names the value in messages.
	out string
	// isWhole is false if an object is merged into another one.
	isWhole bool
}

// ofOutput compares the output of a step with the context.
var ofOutput = comparison{out: "the output"}

// describeMisfit describes why no value of schema out fits schema in, or returns "". path names the
// destination.
func (c comparison) describeMisfit(in, out *ir.Schema, path string) string {
	in, out = in.Resolved(), out.Resolved()
	mayFit := in.Kind == ir.SchemaAny || out.Kind == ir.SchemaAny || in.Nullable && out.Nullable
	isVariant := isObject(in) && isObject(out) && in.Kind != out.Kind
	isSameKind := in.Kind == out.Kind || isNumber(in) && isNumber(out)
	switch {
	case mayFit || isVariant:
		return ""
	case !isSameKind:
		return fmt.Sprintf("%s is %s, and %s %s", path, describeKind(in), c.out, describeKind(out))
	case in.Enum != nil && out.Enum != nil && !shareValue(in.Enum, out.Enum):
		return fmt.Sprintf("%s is one of %s, and %s one of %s", path, diag.JoinNames(in.Enum), c.out, diag.JoinNames(out.Enum))
	case in.Kind == ir.SchemaObject:
		return c.describeMemberMisfit(in, out, path)
	case in.Kind == ir.SchemaArray && in.Items != nil && out.Items != nil:
		items := comparison{out: "that of " + c.out, isWhole: true}
		return items.describeMisfit(in.Items, out.Items, "each item of "+path)
	}

	return ""
}

func shareValue(a, b []string) bool {
	return slices.ContainsFunc(a, func(value string) bool { return slices.Contains(b, value) })
}

// describeMemberMisfit is like describeMisfit for the members that an object always has.
func (c comparison) describeMemberMisfit(in, out *ir.Schema, path string) string {
	for _, p := range out.Properties {
		if !p.Required || path == "context" && ir.IsContextRouting(p.Name.Value) {
			continue
		}
		member := in.Property(p.Name.Value)
		switch {
		case member == nil && in.Additional == nil:
			return fmt.Sprintf("%s has no field %q", path, p.Name.Value)
		case member == nil:
			continue
		}
		if why := c.describeMisfit(member.Schema, p.Schema, path+"."+p.Name.Value); why != "" {
			return why
		}
	}
	if !c.isWhole || out.Additional != nil {
		return ""
	}
	for _, name := range in.RequiredNames() {
		if out.Property(name) == nil {
			return fmt.Sprintf("%s.%s is required, and %s never has it", path, name, c.out)
		}
	}

	return ""
}

func isObject(s *ir.Schema) bool { return s.Kind == ir.SchemaObject || s.Kind == ir.SchemaUnion }

func isNumber(s *ir.Schema) bool { return s.Kind == ir.SchemaInteger || s.Kind == ir.SchemaNumber }

func describeKind(s *ir.Schema) string {
	if isObject(s) {
		return "an object"
	}

	return kindWords[s.Kind]
}
