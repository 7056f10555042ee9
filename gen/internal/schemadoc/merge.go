package schemadoc

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// mergeKeyword is the keyword of the fields of a context that combine values.
const mergeKeyword = "merge"

// findFields records the fields of a context, and those of the objects in it.
func (l *lowerer) findFields(context *yamldoc.Node) {
	for _, p := range context.Value("properties").Members() {
		if p.Value == nil || p.Value.Kind != yamldoc.Map || l.fields[p.Value] {
			continue
		}
		l.fields[p.Value] = true
		if p.Value.Field(mergeKeyword) == nil { // a rule is for all of the field
			l.findFields(p.Value)
		}
	}
}

// lowerMerge lowers the rule of a field of the context.
func (w *schemaBuilder) lowerMerge() {
	f := w.node.Field(mergeKeyword)
	if f == nil || !w.fields[w.node] {
		return
	}
	names := ir.Map(ir.FieldMerges, func(m ir.FieldMerge) string { return string(m) })
	if f.Value.Kind != yamldoc.String || !slices.Contains(names, f.Value.Text) {
		text, _ := f.Value.Scalar()
		w.report(diag.BadValue, f.Value.Span, "%q does not merge values: expected %s", text, diag.JoinNames(names)).Suggest(text, names)
		return
	}
	merge := ir.FieldMerge(f.Value.Text)
	isNumber := w.schema.Kind == ir.SchemaNumber || w.schema.Kind == ir.SchemaInteger
	switch {
	case merge.TakesLists() && w.schema.Kind != ir.SchemaArray:
		w.report(diag.WrongType, f.Value.Span, "merge: %s is for lists, and the field is none", merge).
			WithHint("declare it as {type: array, items: …, merge: %s}", merge)
	case merge.TakesNumbers() && !isNumber:
		w.report(diag.WrongType, f.Value.Span, "merge: %s is for numbers, and the field is none", merge).
			WithHint("declare it as {type: number, merge: %s}", merge)
	default:
		w.schema.Merge = merge
	}
}
