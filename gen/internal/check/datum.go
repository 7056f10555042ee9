package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// datumComparison compares a value of the source with the schema of its destination. A path is a
// position in the value, such as filters[0].lang, or below the destination, such as context.n.
type datumComparison struct {
	// report reports why the value never fits.
	report func(at source.Span, why string) *diag.Diagnostic
	// schemaAt is the position of the schema, and schemaIs the note there.
	schemaAt source.Span
	schemaIs string
	// write is how the value gets into the context; nil for another destination.
	write *ir.ContextWrite
}

// reportMisfit reports why the value never fits, and shows the schema.
func (c *datumComparison) reportMisfit(at source.Span, format string, args ...any) *diag.Diagnostic {
	return c.report(at, fmt.Sprintf(format, args...)).Note(c.schemaAt, "%s", c.schemaIs)
}

// compare compares a value of the source with a schema.
func (c *datumComparison) compare(in *ir.Schema, d *ir.Datum, path string) {
	in = c.acceptedSchema(in)
	if in == nil || d == nil || c.mayBecomeNumber(in, d) {
		return
	}
	switch d.Kind {
	case ir.DatumJSON:
		c.compareLiteral(in, d, path, d.JSON)
	case ir.DatumText:
		c.compareText(in, d, path)
	case ir.DatumValue:
		if !in.Nullable || !isOptional(d.Value) {
			c.compareType(in, d.Span, path, d.Value.ValueType().Schema, "the value")
		}
	case ir.DatumList:
		c.compareList(in, d, path)
	case ir.DatumFields:
		c.compareFields(in, d, path)
	case ir.DatumAppend:
		c.compare(in.Items, d.List[1], path+"[…]")
	case ir.DatumMerge:
		c.compare(withoutRequired(in), d.List[1], path)
	}
}

// withoutRequired returns the schema of what may be put into an object, deep: fields that are left out
// stay as they are.
func withoutRequired(in *ir.Schema) *ir.Schema {
	if in == nil || in.Kind != ir.SchemaObject {
		return in
	}
	partial := *in
	partial.Properties = ir.Map(in.Properties, func(p *ir.Property) *ir.Property {
		return &ir.Property{Name: p.Name, Schema: withoutRequired(p.Schema)}
	})

	return &partial
}

// isOptional reports whether an expression of a known type may have no value.
func isOptional(x ir.Expression) bool {
	access, isAccess := x.(*ir.Access)

	return !isAccess || access.MayBeNone
}

// acceptedSchema returns the schema of the values that may be written to a field. A rule decides
// what becomes of a value, so that only its kind counts, and None adds nothing.
func (c *datumComparison) acceptedSchema(field *ir.Schema) *ir.Schema {
	in := field.Resolved()
	isCombined := c.write != nil && !c.write.Replaces && in != nil && !in.Merge.ReplacesValue()
	if !isCombined {
		return in
	}

	return &ir.Schema{
		Kind: in.Kind, Span: in.Span, Nullable: true, Items: in.Items, Properties: in.Properties, Additional: in.Additional,
		Tag: in.Tag, Variants: in.Variants,
	}
}

// mayBecomeNumber reports whether context_set may read a text as a number.
func (c *datumComparison) mayBecomeNumber(in *ir.Schema, d *ir.Datum) bool {
	return c.write != nil && c.write.ReadsNumbers && isNumber(in) && builtin.MayReadAsNumber(d)
}

// isMerged reports whether an object is merged into what its destination has.
func (c *datumComparison) isMerged() bool { return c.write != nil && c.write.Merge }

// compareType compares the known type of a value with a schema.
func (c *datumComparison) compareType(in *ir.Schema, at source.Span, path string, out *ir.Schema, value string) *diag.Diagnostic {
	if out == nil {
		return nil
	}
	why := comparison{out: value, isWhole: !c.isMerged()}.describeMisfit(in, out, cmp.Or(path, "it"))
	if why == "" {
		return nil
	}

	return c.reportMisfit(at, "%s", why)
}

// compareText compares a text, which may have placeholders.
func (c *datumComparison) compareText(in *ir.Schema, d *ir.Datum, path string) {
	text, isConstant := d.Text.Constant()
	if isConstant {
		c.compareLiteral(in, d, path, words.Quote(text))
		return
	}
	found := c.compareType(in, d.Span, path, &ir.Schema{Kind: ir.SchemaString}, "the value")
	switch {
	case found == nil:
	case path == "":
		found.WithHint("an input that is a text stays a text: write its fields, or leave it out for the output of the step before")
	default:
		found.WithHint("a placeholder with text around it is a text; one that is alone keeps the type of its value")
	}
}

// compareLiteral compares a scalar, as JSON.
func (c *datumComparison) compareLiteral(in *ir.Schema, d *ir.Datum, path, value string) {
	why := sample.DescribeMisfit(in, value)
	if why == "" {
		return
	}
	found := c.reportMisfit(d.Span, "%s", strings.TrimPrefix(path+": "+why, ": "))
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

func (c *datumComparison) compareList(in *ir.Schema, d *ir.Datum, path string) {
	if in.Kind != ir.SchemaArray {
		c.compareType(in, d.Span, path, &ir.Schema{Kind: ir.SchemaArray}, "the value")
		return
	}
	size := &ir.Schema{Kind: ir.SchemaArray, MinItems: in.MinItems, MaxItems: in.MaxItems}
	nulls := strings.Join(slices.Repeat([]string{"null"}, len(d.List)), ",")
	why := sample.DescribeMisfit(size, "["+nulls+"]")
	if why != "" {
		c.reportMisfit(d.Span, "%s", strings.TrimPrefix(path+": "+why, ": "))
	}
	for i, item := range d.List {
		c.compare(in.Items, item, fmt.Sprintf("%s[%d]", path, i))
	}
}

func (c *datumComparison) compareFields(in *ir.Schema, d *ir.Datum, path string) {
	switch in.Kind {
	case ir.SchemaObject:
		c.compareMembers(in, d, path)
	case ir.SchemaUnion:
		c.compareVariant(in, d, path)
	default:
		c.compareType(in, d.Span, path, &ir.Schema{Kind: ir.SchemaObject}, "the value")
	}
}

// compareVariant compares fields with the variant of a union that their tag selects.
func (c *datumComparison) compareVariant(in *ir.Schema, d *ir.Datum, path string) {
	tag := ir.FieldOf(d.Fields, in.Tag)
	if tag == nil {
		c.reportMisfit(d.Span, "%s is required, but missing", memberPath(path, in.Tag))
		return
	}
	tags := ir.Map(in.Variants, func(v *ir.Property) string { return words.Quote(v.Name.Value) })
	c.compare(&ir.Schema{Kind: ir.SchemaString, Enum: tags}, tag, memberPath(path, in.Tag))
	if tag.Kind != ir.DatumText {
		return
	}
	text, _ := tag.Text.Constant()
	if variant := ir.First(in.Variants, func(v *ir.Property) bool { return v.Name.Value == text }); variant != nil {
		c.compareMembers(variant.Schema.Resolved(), d, path)
	}
}

// compareMembers compares fields with the properties of an object. A misspelled field is compared
// with the property of the nearest name.
func (c *datumComparison) compareMembers(in *ir.Schema, d *ir.Datum, path string) {
	given := ir.Map(d.Fields, func(f ir.DatumField) string { return f.Name.Value })
	for i, f := range d.Fields {
		if path == "context" && ir.IsContextRouting(f.Name.Value) {
			continue
		}
		schema := in.Additional
		if p := in.Property(f.Name.Value); p != nil {
			schema = p.Schema
		} else if schema == nil {
			schema, given[i] = c.reportUnknown(in, f, given, path)
		}
		c.compare(schema, f.Value, memberPath(path, given[i]))
	}
	if c.isMerged() {
		return
	}
	if least := in.MinProperties; least != nil && len(d.Fields) < *least {
		c.reportMisfit(d.Span, "%s must be %s", cmp.Or(path, "it"), in.ExpectedNonNull())
	}
	for _, name := range in.RequiredNames() {
		if !slices.Contains(given, name) {
			c.reportMisfit(d.Span, "%s is required, but missing", memberPath(path, name))
		}
	}
}

// reportUnknown reports a field that an object does not have. It returns the schema and the name of
// the nearest property, or nil and the name itself.
func (c *datumComparison) reportUnknown(in *ir.Schema, f ir.DatumField, given []string, path string) (*ir.Schema, string) {
	name := f.Name.Value
	free := ir.Where(in.PropertyNames(), func(known string) bool { return !slices.Contains(given, known) })
	d := c.report(f.Name.Span, fmt.Sprintf("%s has no field %q", cmp.Or(path, "it"), name)).Suggest(name, free)
	if len(in.Properties) > 0 {
		d.Note(in.Span, "its fields are %s", diag.JoinNames(in.PropertyNames()))
	}
	if near, ok := diag.Nearest(name, free); ok {
		return in.Property(near).Schema, near
	}

	return nil, name
}

func memberPath(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
