package statemachine

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// hasPlaceholder reports whether a text is more than a text.
func hasPlaceholder(text string) bool { return strings.Contains(text, "{{") }

// template reads a text with placeholders; nil if it has a mistake, which is reported.
func (b *builder) template(text ir.Text, scope *expr.Scope) *ir.Template {
	t, findings := expr.Template(text, scope)
	b.report(findings...)

	return t
}

// formula reads an expression; nil if it has a mistake, which is reported.
func (b *builder) formula(text ir.Text, scope *expr.Scope, use expr.Use) *ir.Formula {
	f, findings := expr.Formula(text, scope, use)
	b.report(findings...)

	return f
}

// datum lowers a value that is in the source. A text is always a text.
func (b *builder) datum(n *yamldoc.Node, scope *expr.Scope) *ir.Datum {
	if n.Kind != yamldoc.String {
		return b.datumInside(n, scope)
	}

	return b.textDatum(n, scope)
}

// textDatum lowers a scalar that is a text, whatever it looks like.
func (b *builder) textDatum(n *yamldoc.Node, scope *expr.Scope) *ir.Datum {
	t := b.template(frontend.Text(n), scope)
	if t == nil {
		return nil
	}

	return &ir.Datum{Span: n.Span, Kind: ir.DatumText, Text: t}
}

// datumInside lowers a value inside of a list or a mapping, where a text that is one placeholder keeps the type of its
// value.
func (b *builder) datumInside(n *yamldoc.Node, scope *expr.Scope) *ir.Datum {
	switch n.Kind {
	case yamldoc.String:
		d, findings := expr.Datum(frontend.Text(n), scope)
		b.report(findings...)
		return d
	case yamldoc.Seq:
		d := &ir.Datum{Span: n.Span, Kind: ir.DatumList}
		for _, item := range n.Items {
			if inside := b.datumInside(item, scope); inside != nil {
				d.List = append(d.List, inside)
			}
		}
		return d
	case yamldoc.Map:
		return &ir.Datum{Span: n.Span, Kind: ir.DatumFields, Fields: b.fields(n, scope)}
	}

	return &ir.Datum{Span: n.Span, Kind: ir.DatumJSON, JSON: n.Compact()}
}

// fields lowers the fields of a mapping.
func (b *builder) fields(n *yamldoc.Node, scope *expr.Scope) []ir.DatumField {
	var fields []ir.DatumField
	for _, f := range n.Fields {
		if value := b.datumInside(f.Value, scope); value != nil {
			fields = append(fields, ir.DatumField{Name: frontend.Key(f), Value: value})
		}
	}

	return fields
}

// Numbers may also be written as texts, as the original allows. What does not fit reads as absent: the schema has said
// so.

// count returns a whole number, or fallback.
func (b *builder) count(n *yamldoc.Node, fallback int) int {
	if p := b.set.project.Whole(unquoted(n)); p != nil && *p >= 0 {
		return *p
	}

	return fallback
}

// seconds returns a time; 0 without one.
func (b *builder) seconds(n *yamldoc.Node) time.Duration {
	number := frontend.Number(unquoted(n))
	if number == nil || *number <= 0 {
		return 0
	}
	if *number > math.MaxInt32 {
		b.report(diag.New(diag.BadValue, n.Span, "%s seconds are too many: at most %d", n.Text, math.MaxInt32))
		return 0
	}

	return max(time.Duration(*number*float64(time.Second)), 1)
}

// unquoted returns a number that is written as a text as if it were written as a number.
func unquoted(n *yamldoc.Node) *yamldoc.Node {
	if n == nil || n.Kind != yamldoc.String || !digits.MatchString(n.Text) {
		return n
	}
	number := *n
	number.Kind = yamldoc.Float

	return &number
}

var digits = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// textIn returns the text of a field that takes nothing but a text: a number there is none, as the schema has said.
func textIn(n *yamldoc.Node) ir.Text {
	if n == nil || n.Kind != yamldoc.String {
		return ir.Text{}
	}

	return frontend.Text(n)
}

// Types of values that no schema of the user describes.
var (
	unknown   = ir.Type{}
	textType  = kind(ir.SchemaString)
	truthType = kind(ir.SchemaBoolean)
	listType  = kind(ir.SchemaArray)
)

func kind(k ir.SchemaKind) ir.Type { return ir.Type{Schema: &ir.Schema{Kind: k}} }

// object is the type of an object with these properties and no others.
func object(properties ...*ir.Property) ir.Type {
	return ir.Type{Schema: &ir.Schema{Kind: ir.SchemaObject, Properties: properties}}
}

func property(name string, t ir.Type) *ir.Property {
	schema := cmp.Or(t.Schema, &ir.Schema{Kind: ir.SchemaAny})

	return &ir.Property{Name: ir.Text{Value: name}, Required: true, Schema: schema}
}

// listOf is the type of a list of such values.
func listOf(t ir.Type) ir.Type {
	return ir.Type{Schema: &ir.Schema{Kind: ir.SchemaArray, Items: t.Schema}}
}

// dynamic is what is known of a value of the type when it is not a Go struct.
func dynamic(t ir.Type) ir.Type { return ir.Type{Schema: t.Schema} }

// same is the type of a value that is of one of the types: theirs if they are all alike, else unknown.
func same(types ...ir.Type) ir.Type {
	if len(types) == 0 {
		return unknown
	}
	for _, t := range types[1:] {
		if t.Owner != types[0].Owner || t.Of != types[0].Of || !alike(t.Schema, types[0].Schema) {
			return unknown
		}
	}

	return types[0]
}

// alike reports whether two schemas describe the same values in the same way.
func alike(a, b *ir.Schema) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil:
		return false
	case a.Target != nil || b.Target != nil:
		return a.Target == b.Target && a.Nullable == b.Nullable
	case a.JSON != "" || b.JSON != "":
		return a.JSON == b.JSON && a.Nullable == b.Nullable
	}

	return a.Kind == b.Kind && a.Nullable == b.Nullable && slices.Equal(a.Enum, b.Enum) && alike(a.Items, b.Items) &&
		alike(a.Additional, b.Additional) && slices.EqualFunc(a.Properties, b.Properties, func(p, q *ir.Property) bool {
		return p.Name.Value == q.Name.Value && p.Required == q.Required && alike(p.Schema, q.Schema)
	})
}

// typeOfData is what is known of a value that is in the source, before its templates are read.
func typeOfData(n *yamldoc.Node) ir.Type {
	if n.Kind == yamldoc.String {
		return textType
	}

	return typeInside(n)
}

// typeInside is typeOfData for a value in a list or a mapping, where a template may keep the type of what it names.
func typeInside(n *yamldoc.Node) ir.Type {
	switch n.Kind {
	case yamldoc.Bool:
		return truthType
	case yamldoc.Int:
		return kind(ir.SchemaInteger)
	case yamldoc.Float:
		return kind(ir.SchemaNumber)
	case yamldoc.String:
		if hasPlaceholder(n.Text) {
			return unknown
		}
		return textType
	case yamldoc.Seq:
		return listType
	case yamldoc.Map:
		return object(ir.Map(n.Fields, func(f *yamldoc.Field) *ir.Property { return property(f.Key.Text, typeInside(f.Value)) })...)
	}

	return unknown
}
