package schemadoc

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// mergeKeyword is the keyword of the fields of a context that combine values.
const mergeKeyword = "merge"

// findFields records the fields of a context, and those of the objects in it. rule is the rule of a
// field around them; nil without one.
func (l *lowerer) findFields(context, rule *yamldoc.Node) {
	for _, p := range context.Value("properties").Members() {
		if p.Value == nil || p.Value.Kind != yamldoc.Map || l.fields[p.Value] || l.ruled[p.Value] != nil {
			continue
		}
		if rule != nil {
			l.ruled[p.Value] = rule
		} else {
			l.fields[p.Value] = true
		}
		l.findFields(p.Value, cmp.Or(rule, p.Value.Value(mergeKeyword)))
	}
}

// lowerMerge lowers the rule of a field of the context with a schema.
func (l *lowerer) lowerMerge(n *yamldoc.Node, schema *ir.Schema) {
	f := n.Field(mergeKeyword)
	if f == nil || !l.fields[n] {
		return
	}
	schema.Merge = ir.FieldLast // a wrong rule counts as one: that the field has none would be a consequence
	names := ir.Map(ir.FieldMerges, func(m ir.FieldMerge) string { return string(m) })
	if f.Value.Kind != yamldoc.String || !slices.Contains(names, f.Value.Text) {
		text, isScalar := f.Value.Scalar()
		if !isScalar {
			text = f.Value.Span.Text()
		}
		l.report(diag.BadValue, f.Value.Span, "%q does not merge values: expected %s", cmp.Or(text, "null"), diag.JoinNames(names)).Suggest(text, names)
		return
	}
	merge := ir.FieldMerge(f.Value.Text)
	isNumber := schema.Kind == ir.SchemaNumber || schema.Kind == ir.SchemaInteger
	switch {
	case merge.TakesLists() && schema.Kind != ir.SchemaArray:
		l.report(diag.WrongType, f.Value.Span, "merge: %s is for lists, and the field is none", merge).
			WithHint("declare it as {type: array, items: …, merge: %s}", merge)
	case merge.TakesNumbers() && !isNumber:
		l.report(diag.WrongType, f.Value.Span, "merge: %s is for numbers, and the field is none", merge).
			WithHint("declare it as {type: number, merge: %s}", merge)
	default:
		schema.Merge = merge
		l.reportKeptDefault(n, merge)
	}
}

// reportKeptDefault warns of a rule that keeps the default of its field, so that no step can write
// another value.
func (l *lowerer) reportKeptDefault(n *yamldoc.Node, merge ir.FieldMerge) {
	def := n.Field("default")
	if def == nil || def.Value.Kind == yamldoc.Null {
		return
	}
	switch merge {
	case ir.FieldFirst:
		l.report(diag.BadValue, def.Key.Span, "the default is the first value, so merge: first never takes another one").Warn().
			WithHint("take the default away")
	case ir.FieldOnce:
		l.report(diag.BadValue, def.Key.Span, "the default is a value, so with merge: error each step that writes another one fails").Warn().
			WithHint("take the default away")
	case ir.FieldAppend, ir.FieldUnion, ir.FieldLast, ir.FieldSum, ir.FieldMax:
	}
}
