package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
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
		a := argument{unit: u, of: do.Func}
		if written := do.Argument(input); written != nil {
			a.compare(do.Func.Input, written, "")
		} else {
			a.compareType(do.Func.Input, t.Name.Span, "", do.InputSchema, "the output of the step before")
		}
	})
}}

// argument is the argument of a function that is compared with its schema. A path is a position in
// the argument, such as filters[0].lang. The argument itself has the path "".
type argument struct {
	*unit
	of *ir.Func
}

// reportMisfit reports why the argument never fits, and shows the schema.
func (a *argument) reportMisfit(at source.Span, format string, args ...any) *diag.Diagnostic {
	return a.reportWhy(at, format, args...).Note(a.of.Input.Span, "its schema is declared here")
}

func (a *argument) reportWhy(at source.Span, format string, args ...any) *diag.Diagnostic {
	why := fmt.Sprintf(format, args...)
	d := diag.New(diag.ArgumentMismatch, at, "the argument of function %q never fits: %s", a.of.Name.Value, why)
	a.report(d)

	return d
}

// compare compares a value of the source with a schema.
func (a *argument) compare(in *ir.Schema, d *ir.Datum, path string) {
	in = in.Resolved()
	if in == nil || d == nil {
		return
	}
	switch d.Kind {
	case ir.DatumJSON:
		a.compareLiteral(in, d, path, d.JSON)
	case ir.DatumText:
		a.compareText(in, d, path)
	case ir.DatumValue:
		if !in.Nullable || !isOptional(d.Value) {
			a.compareType(in, d.Span, path, d.Value.ValueType().Schema, "the value")
		}
	case ir.DatumList:
		a.compareList(in, d, path)
	case ir.DatumFields:
		a.compareFields(in, d, path)
	}
}

// isOptional reports whether an expression of a known type may have no value.
func isOptional(x ir.Expression) bool {
	access, isAccess := x.(*ir.Access)

	return !isAccess || access.MayBeNone
}

// compareType compares the known type of a value with a schema.
func (a *argument) compareType(in *ir.Schema, at source.Span, path string, out *ir.Schema, value string) *diag.Diagnostic {
	if out == nil {
		return nil
	}
	why := comparison{out: value, isWhole: true}.describeMisfit(in, out, cmp.Or(path, "it"))
	if why == "" {
		return nil
	}

	return a.reportMisfit(at, "%s", why)
}

// compareText compares a text, which may have placeholders.
func (a *argument) compareText(in *ir.Schema, d *ir.Datum, path string) {
	text, isConstant := d.Text.Constant()
	if isConstant {
		a.compareLiteral(in, d, path, words.Quote(text))
		return
	}
	found := a.compareType(in, d.Span, path, &ir.Schema{Kind: ir.SchemaString}, "the value")
	switch {
	case found == nil:
	case path == "":
		found.WithHint("an input that is a text stays a text: write its fields, or leave it out for the output of the step before")
	default:
		found.WithHint("a placeholder with text around it is a text; one that is alone keeps the type of its value")
	}
}

// compareLiteral compares a scalar, as JSON.
func (a *argument) compareLiteral(in *ir.Schema, d *ir.Datum, path, value string) {
	why := sample.DescribeMisfit(in, value)
	if why == "" {
		return
	}
	found := a.reportMisfit(d.Span, "%s", strings.TrimPrefix(path+": "+why, ": "))
	written := d.Span.Text()
	switch inner := diag.Unquoted(d.Span).Text(); {
	case isScalar(in) && inner != written && sample.Fits(in, inner):
		found.WithHint("write %s without quotes", inner).WithFix("take the quotes away", d.Span, inner)
	case in.Kind == ir.SchemaString && d.Kind == ir.DatumJSON && sample.Fits(in, words.Quote(written)):
		found.WithHint("write %s", words.Quote(written)).WithFix("put it in quotes", d.Span, words.Quote(written))
	}
}

// isScalar reports whether the values of a schema are written without quotes.
func isScalar(s *ir.Schema) bool { return isNumber(s) || s.Kind == ir.SchemaBoolean }

func (a *argument) compareList(in *ir.Schema, d *ir.Datum, path string) {
	if in.Kind != ir.SchemaArray {
		a.compareType(in, d.Span, path, &ir.Schema{Kind: ir.SchemaArray}, "the value")
		return
	}
	size := &ir.Schema{Kind: ir.SchemaArray, MinItems: in.MinItems, MaxItems: in.MaxItems}
	nulls := strings.Join(slices.Repeat([]string{"null"}, len(d.List)), ",")
	why := sample.DescribeMisfit(size, "["+nulls+"]")
	if why != "" {
		a.reportMisfit(d.Span, "%s", strings.TrimPrefix(path+": "+why, ": "))
	}
	for i, item := range d.List {
		a.compare(in.Items, item, fmt.Sprintf("%s[%d]", path, i))
	}
}

func (a *argument) compareFields(in *ir.Schema, d *ir.Datum, path string) {
	switch in.Kind {
	case ir.SchemaObject:
		a.compareMembers(in, d, path)
	case ir.SchemaUnion:
		a.compareVariant(in, d, path)
	default:
		a.compareType(in, d.Span, path, &ir.Schema{Kind: ir.SchemaObject}, "the value")
	}
}

// compareVariant compares fields with the variant of a union that their tag selects.
func (a *argument) compareVariant(in *ir.Schema, d *ir.Datum, path string) {
	tag := ir.FieldOf(d.Fields, in.Tag)
	if tag == nil {
		a.reportMisfit(d.Span, "%s is required, but missing", memberPath(path, in.Tag))
		return
	}
	tags := ir.Map(in.Variants, func(v *ir.Property) string { return words.Quote(v.Name.Value) })
	a.compare(&ir.Schema{Kind: ir.SchemaString, Enum: tags}, tag, memberPath(path, in.Tag))
	if tag.Kind != ir.DatumText {
		return
	}
	text, _ := tag.Text.Constant()
	if variant := ir.First(in.Variants, func(v *ir.Property) bool { return v.Name.Value == text }); variant != nil {
		a.compareMembers(variant.Schema.Resolved(), d, path)
	}
}

// compareMembers compares fields with the properties of an object. A misspelled field is compared
// with the property of the nearest name.
func (a *argument) compareMembers(in *ir.Schema, d *ir.Datum, path string) {
	given := ir.Map(d.Fields, func(f ir.DatumField) string { return f.Name.Value })
	for i, f := range d.Fields {
		schema := in.Additional
		if p := in.Property(f.Name.Value); p != nil {
			schema = p.Schema
		} else if schema == nil {
			schema, given[i] = a.reportUnknown(in, f, given, path)
		}
		a.compare(schema, f.Value, memberPath(path, given[i]))
	}
	for _, name := range in.RequiredNames() {
		if !slices.Contains(given, name) {
			a.reportMisfit(d.Span, "%s is required, but missing", memberPath(path, name))
		}
	}
}

// reportUnknown reports a field that an object does not have. It returns the schema and the name of
// the nearest property, or nil and the name itself.
func (a *argument) reportUnknown(in *ir.Schema, f ir.DatumField, given []string, path string) (*ir.Schema, string) {
	name := f.Name.Value
	free := ir.Where(in.PropertyNames(), func(known string) bool { return !slices.Contains(given, known) })
	d := a.reportWhy(f.Name.Span, "%s has no field %q", cmp.Or(path, "it"), name).Suggest(name, free)
	if len(in.Properties) > 0 {
		d.Note(in.Span, "its fields are %s", diag.JoinNames(in.PropertyNames()))
	}
	if near, ok := diag.Nearest(name, free); ok {
		return in.Property(near).Schema, near
	}

	return nil, name
}

func memberPath(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
