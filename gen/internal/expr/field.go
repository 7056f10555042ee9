package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// ownNames are names of a step's output itself, if its schema has no such property.
var ownNames = []string{"output", "result", "value"}

// resolveField extends a path by a property.
func (r *reader) resolveField(p path, from place, next part) path {
	schema := p.access.Type.Schema.Resolved()
	step := p.step || p.isPlain()
	own := step && slices.Contains(ownNames, next.name)
	p.name, p.step = nil, false
	property := schema.Property(next.name)
	switch {
	case own && property == nil:
		return p
	case p.access.Type.LacksField(next.name):
		r.reportNoAlternative(p.access.Type.EachAlternative(), from, next)
		p.bad = true
		return p
	case schema == nil || schema.Kind == ir.SchemaAny || schema.Kind == ir.SchemaUnion:
		p.access.Type, p.access.MayBeNone = p.access.Type.FieldType(next.name), true
	case property != nil:
		p.access.Type.Schema = property.Schema
		p.access.MayBeNone = p.access.MayBeNone || schema.Nullable || !isAlwaysPresent(property)
	case schema.Kind == ir.SchemaObject && schema.Additional != nil:
		p.access.Type.Schema, p.access.MayBeNone = schema.Additional, true
	default:
		d := r.reportNoField(schema, from, next, step)
		if p.access.Root == ir.RootInput && len(p.access.Path) == 0 && schema.Kind == ir.SchemaString {
			d.WithHint("a task is a text: declare its fields in input_schema, and write input.%s", next.name)
		}
		p.bad = true
		return p
	}
	p.access.Path = append(slices.Clip(p.access.Path), ir.Field{
		Name: ir.Text{Value: next.name, Span: r.span(next.place)}, Property: property,
	})

	return p
}

// reportNoAlternative reports a field that none of the possible values has.
func (r *reader) reportNoAlternative(alternatives []*ir.Schema, from place, next part) {
	var names, kinds []string
	for _, s := range alternatives {
		names = append(names, s.Resolved().PropertyNames()...)
		kinds = append(kinds, builtin.KindsOf(s).There().String())
	}
	slices.Sort(kinds)
	d := r.report(diag.UndefinedVariable, next.place, "%s has no field %q: it is %s", r.describePlace(from), next.name,
		strings.Join(slices.Compact(kinds), " or ")).Suggest(next.name, slices.Concat(names, ownNames))
	if len(names) > 0 {
		d.Note(noSpan, "its fields are %s", diag.JoinNames(ir.Unique(names)))
	}
}

// isPlain reports whether a path names the output of a step in another way than by the step, and
// the output is neither a list nor an object. It then has the names of an output, too.
func (p path) isPlain() bool {
	const plain = builtin.Text | builtin.Number | builtin.Bool
	is := builtin.KindsOf(p.access.Type.Schema).There()

	return p.access.Root == ir.RootStep && len(p.access.Path) == 0 && is != 0 && is&^plain == 0
}

// isAlwaysPresent reports whether an object always has the property.
func isAlwaysPresent(p *ir.Property) bool { return p.Required || p.Schema.Default != "" }

// reportNoField reports a property that a value cannot have. The output of a step also has names
// for itself.
func (r *reader) reportNoField(schema *ir.Schema, from place, next part, step bool) *diag.Diagnostic {
	var own []string
	if step {
		own = ownNames
	}
	if schema.Kind != ir.SchemaObject {
		is := builtin.KindsOf(schema).There()
		return r.report(diag.UndefinedVariable, next.place, "%s is %s, which has no fields", r.describePlace(from), is).Suggest(next.name, own)
	}
	names := schema.PropertyNames()
	d := r.report(diag.UndefinedVariable, next.place, "%s has no field %q", r.describePlace(from), next.name).
		Suggest(next.name, slices.Concat(names, own))
	if len(names) > 0 {
		d.Note(schema.Span, "its fields are %s", diag.JoinNames(names))
	}

	return d
}
