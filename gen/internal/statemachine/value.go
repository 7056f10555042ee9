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

// hasPlaceholder reports whether a text contains a placeholder.
func hasPlaceholder(text string) bool { return strings.Contains(text, "{{") }

// parseTemplate parses a text with placeholders. It reports mistakes and returns nil.
func (b *builder) parseTemplate(text ir.Text, scope *expr.Scope) *ir.Template {
	t, findings := expr.ParseTemplate(text, scope)
	b.report(findings...)

	return t
}

// parseFormula parses an expression. It reports mistakes and returns nil.
func (b *builder) parseFormula(text ir.Text, scope *expr.Scope, use expr.Use) *ir.Formula {
	f, findings := expr.ParseFormula(text, scope, use)
	b.report(findings...)

	return f
}

// lowerDatum lowers a value of the source. A text stays a text.
func (b *builder) lowerDatum(n *yamldoc.Node, scope *expr.Scope) *ir.Datum {
	if n.Kind != yamldoc.String {
		return b.lowerNestedDatum(n, scope)
	}

	return b.lowerTextDatum(n, scope)
}

// lowerTextDatum lowers a scalar as a text.
func (b *builder) lowerTextDatum(n *yamldoc.Node, scope *expr.Scope) *ir.Datum {
	t := b.parseTemplate(frontend.Text(n), scope)
	if t == nil {
		return nil
	}

	return &ir.Datum{Span: n.Span, Kind: ir.DatumText, Text: t}
}

// lowerNestedDatum lowers a value in a list or a mapping. There a single placeholder keeps the type
// of its value.
func (b *builder) lowerNestedDatum(n *yamldoc.Node, scope *expr.Scope) *ir.Datum {
	switch n.Kind {
	case yamldoc.String:
		d, findings := expr.ParseDatum(frontend.Text(n), scope)
		b.report(findings...)
		return d
	case yamldoc.Seq:
		d := &ir.Datum{Span: n.Span, Kind: ir.DatumList}
		for _, item := range n.Items {
			if inside := b.lowerNestedDatum(item, scope); inside != nil {
				d.List = append(d.List, inside)
			}
		}
		return d
	case yamldoc.Map:
		return &ir.Datum{Span: n.Span, Kind: ir.DatumFields, Fields: b.lowerFields(n, scope)}
	}

	return &ir.Datum{Span: n.Span, Kind: ir.DatumJSON, JSON: n.CompactJSON()}
}

// lowerFields lowers the fields of a mapping.
func (b *builder) lowerFields(n *yamldoc.Node, scope *expr.Scope) []ir.DatumField {
	var fields []ir.DatumField
	for _, f := range n.Fields {
		if value := b.lowerNestedDatum(f.Value, scope); value != nil {
			fields = append(fields, ir.DatumField{Name: frontend.Key(f), Value: value})
		}
	}

	return fields
}

// Numbers may also be written as texts, as in the original. The schema reports all other values,
// which are read as absent.

// readCount returns a whole number, or fallback.
func (b *builder) readCount(n *yamldoc.Node, fallback int) int {
	if p := b.set.project.ReadWholeNumber(asNumber(n)); p != nil && *p >= 0 {
		return *p
	}

	return fallback
}

// readSeconds returns a duration in seconds, or 0.
func (b *builder) readSeconds(n *yamldoc.Node) time.Duration {
	number := frontend.Number(asNumber(n))
	if number == nil || *number <= 0 {
		return 0
	}
	if *number > math.MaxInt32 {
		b.report(diag.New(diag.BadValue, n.Span, "%s seconds are too many: at most %d", n.Text, math.MaxInt32))
		return 0
	}

	return max(time.Duration(*number*float64(time.Second)), 1)
}

// asNumber returns a text that looks like a number as a number.
func asNumber(n *yamldoc.Node) *yamldoc.Node {
	if n == nil || n.Kind != yamldoc.String || !digits.MatchString(n.Text) {
		return n
	}
	number := *n
	number.Kind = yamldoc.Float

	return &number
}

var digits = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// textOf returns the text of a field that accepts only texts.
func textOf(n *yamldoc.Node) ir.Text {
	if n == nil || n.Kind != yamldoc.String {
		return ir.Text{}
	}

	return frontend.Text(n)
}

// Types of values without a schema of the user.
var (
	unknown   = ir.Type{}
	textType  = typeOfKind(ir.SchemaString)
	truthType = typeOfKind(ir.SchemaBoolean)
	listType  = typeOfKind(ir.SchemaArray)
)

func typeOfKind(k ir.SchemaKind) ir.Type { return ir.Type{Schema: &ir.Schema{Kind: k}} }

// objectType returns the type of an object with exactly these properties.
func objectType(properties ...*ir.Property) ir.Type {
	return ir.Type{Schema: &ir.Schema{Kind: ir.SchemaObject, Properties: properties}}
}

func newProperty(name ir.Text, t ir.Type) *ir.Property {
	schema := cmp.Or(t.AsSchema(), &ir.Schema{Kind: ir.SchemaAny})

	return &ir.Property{Name: name, Required: true, Schema: schema}
}

// listTypeOf returns the type of a list of values.
func listTypeOf(t ir.Type) ir.Type {
	return ir.Type{Schema: &ir.Schema{Kind: ir.SchemaArray, Items: t.AsSchema()}}
}

// withoutOwner returns the type of a value that is not a Go struct.
func withoutOwner(t ir.Type) ir.Type { return ir.Type{Schema: t.Schema, Alternatives: t.Alternatives} }

// commonType returns the type that all types have in common: theirs if they are the same, else
// one of the alternatives.
func commonType(types ...ir.Type) ir.Type {
	if len(types) == 0 {
		return unknown
	}
	for _, t := range types[1:] {
		if t.Owner != types[0].Owner || t.OwnerName != types[0].OwnerName || !isSameSchema(t.Schema, types[0].Schema) {
			return alternativeTypes(types)
		}
	}

	return types[0]
}

// alternativeTypes returns the type of a value that has one of several types. It is unknown if one
// of them is.
func alternativeTypes(types []ir.Type) ir.Type {
	var all []*ir.Schema
	for _, t := range types {
		switch {
		case t.Schema != nil:
			all = append(all, t.Schema)
		case t.Alternatives != nil:
			all = append(all, *t.Alternatives...)
		default:
			return unknown
		}
	}

	return ir.Type{Alternatives: &all}
}

// isSameSchema reports whether two schemas describe the same values in the same way.
func isSameSchema(a, b *ir.Schema) bool {
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

	isSameKind := a.Kind == b.Kind && a.Nullable == b.Nullable && slices.Equal(a.Enum, b.Enum)
	if !isSameKind || !slices.EqualFunc(a.Alternatives, b.Alternatives, isSameSchema) {
		return false
	}
	if !isSameSchema(a.Items, b.Items) || !isSameSchema(a.Additional, b.Additional) {
		return false
	}

	return slices.EqualFunc(a.Properties, b.Properties, func(p, q *ir.Property) bool {
		return p.Name.Value == q.Name.Value && p.Required == q.Required && isSameSchema(p.Schema, q.Schema)
	})
}

// typeOfLiteral returns the type of a number, a boolean or null as JSON.
func typeOfLiteral(json string) ir.Type {
	switch {
	case json == "true", json == "false":
		return truthType
	case json == "null", json == "":
		return unknown
	case strings.ContainsAny(json, ".eE"):
		return typeOfKind(ir.SchemaNumber)
	}

	return typeOfKind(ir.SchemaInteger)
}

// typeOfData returns the type of a value of the source before its templates are parsed.
func typeOfData(n *yamldoc.Node) ir.Type {
	if n.Kind == yamldoc.String {
		return textType
	}

	return typeOfNested(n)
}

// typeOfNested is like typeOfData for a value in a list or a mapping, where a placeholder may keep
// the type of its value.
func typeOfNested(n *yamldoc.Node) ir.Type {
	switch n.Kind {
	case yamldoc.Bool:
		return truthType
	case yamldoc.Int:
		return typeOfKind(ir.SchemaInteger)
	case yamldoc.Float:
		return typeOfKind(ir.SchemaNumber)
	case yamldoc.String:
		if hasPlaceholder(n.Text) {
			return unknown
		}
		return textType
	case yamldoc.Seq:
		return listType
	case yamldoc.Map:
		return objectType(ir.Map(n.Fields, func(f *yamldoc.Field) *ir.Property { return newProperty(frontend.Key(f), typeOfNested(f.Value)) })...)
	}

	return unknown
}
