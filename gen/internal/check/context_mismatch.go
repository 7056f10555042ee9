package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// contextMismatch finds workflows that cannot begin with an empty context, and outputs of steps that are put into a declared context which no value of
// theirs fits: a field that it does not have, or one of another type. The step would fail each
// time, after what it costs. It is before the passes that look for what is not explained by it.
var contextMismatch = Pass{Name: "context-mismatch", run: func(u *unit) {
	u.lackedContexts()
	u.eachTask(func(w *ir.Flow, t *ir.Task) {
		if w.Context == nil || w.Partial {
			return
		}
		if at, why := mismatch(w.Context, t); why != "" {
			d := diag.New(diag.ContextMismatch, at, "the output of step %q never fits the context: %s", t.Name.Value, why)
			u.report(d.Note(w.Context.Span, "the context is declared here"))
		}
	})
}}

// mismatch says why what a task writes into the context can never be there, and where the task says
// that it does; "" if it may.
func mismatch(context *ir.Schema, t *ir.Task) (at source.Span, why string) {
	out := t.Type.Schema
	if out == nil || t.Fallback != nil {
		return at, ""
	}
	if t.SinkTo != nil && !t.SinkTo.Routes() {
		in := context.At(t.SinkTo.Path)
		if in == nil {
			return at, "" // what there is no place for has been reported
		}
		if why := ofOutput.unfit(in, out, "context."+joined(t.SinkTo.Path)); why != "" {
			return t.SinkTo.Span, why
		}
	}
	if t.Merges() && out.Kind == ir.SchemaObject {
		return t.UpdatesAt, ofOutput.unfitMembers(context, out, "context")
	}

	return at, ""
}

// comparison compares what is known of a value with the schema of the place to which it goes.
type comparison struct {
	// out is what the value is called.
	out string
	// isWhole says that an object is all that is there; else it is merged into another one.
	isWhole bool
}

// ofOutput compares the output of a step with the context.
var ofOutput = comparison{out: "the output"}

// unfit says why no value of one schema fits another; "" where one may. path is what the place is
// called.
func (c comparison) unfit(in, out *ir.Schema, path string) string {
	in, out = in.Followed(), out.Followed()
	switch {
	case in.Kind == ir.SchemaAny || out.Kind == ir.SchemaAny || in.Nullable && out.Nullable,
		isObject(in) && isObject(out) && in.Kind != out.Kind: // one of several
		return ""
	case in.Kind != out.Kind && !(isNumber(in) && isNumber(out)):
		return fmt.Sprintf("%s is %s, and %s %s", path, wordOf(in), c.out, wordOf(out))
	case in.Enum != nil && out.Enum != nil && !slices.ContainsFunc(out.Enum, func(v string) bool { return slices.Contains(in.Enum, v) }):
		return fmt.Sprintf("%s is one of %s, and %s one of %s", path, diag.Listed(in.Enum), c.out, diag.Listed(out.Enum))
	case in.Kind == ir.SchemaObject:
		return c.unfitMembers(in, out, path)
	}

	return ""
}

// unfitMembers is unfit for the members that an object always has.
func (c comparison) unfitMembers(in, out *ir.Schema, path string) string {
	for _, p := range out.Properties {
		if !p.Required || path == "context" && (p.Name.Value == ir.NextState || p.Name.Value == ir.CurrentState) {
			continue
		}
		member := in.Property(p.Name.Value)
		switch {
		case member == nil && in.Additional == nil:
			return fmt.Sprintf("%s has no field %q", path, p.Name.Value)
		case member == nil:
			continue
		}
		if why := c.unfit(member.Schema, p.Schema, path+"."+p.Name.Value); why != "" {
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

func wordOf(s *ir.Schema) string {
	if isObject(s) {
		return "an object"
	}

	return kindWords[s.Kind]
}
