package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// ownNames are names of a step's output itself, where its schema has no such property.
var ownNames = []string{"output", "result", "value"}

// field goes on to a property.
func (r *reader) field(p path, from place, next part) path {
	schema := p.access.Type.Schema.Followed()
	step := p.step || p.isPlain()
	own := step && slices.Contains(ownNames, next.name)
	p.name, p.step = nil, false
	property := schema.Property(next.name)
	switch {
	case own && property == nil:
		return p
	case schema == nil || schema.Kind == ir.SchemaAny || schema.Kind == ir.SchemaUnion:
		p.access.Type, p.access.Maybe = ir.Type{}, true
	case property != nil:
		p.access.Type.Schema = property.Schema
		p.access.Maybe = p.access.Maybe || schema.Nullable || !isThere(property)
	case schema.Kind == ir.SchemaObject && schema.Additional != nil:
		p.access.Type.Schema, p.access.Maybe = schema.Additional, true
	default:
		d := r.noField(schema, from, next, step)
		if p.access.Root == ir.RootInput && len(p.access.Path) == 0 && schema.Kind == ir.SchemaString {
			d.WithHint("a task is a text: give structured input as a context (--context), and read it as context.NAME")
		}
		p.bad = true
		return p
	}
	p.access.Path = append(slices.Clip(p.access.Path), ir.Field{
		Name: ir.Text{Value: next.name, Span: r.span(next.place)}, Property: property,
	})

	return p
}

// isPlain reports whether a path has led to the output of a step, under another name than that of the step, and this is no list and no
// object: it has the names of an output, too.
func (p path) isPlain() bool {
	const plain = builtin.Text | builtin.Number | builtin.Bool
	is := builtin.KindsOf(p.access.Type.Schema).There()

	return p.access.Root == ir.RootStep && len(p.access.Path) == 0 && is != 0 && is&^plain == 0
}

// isThere reports whether an object always has the property.
func isThere(p *ir.Property) bool { return p.Required || p.Schema.Default != "" }

// noField reports a property that a value cannot have. step says that the value is the output of a step, which has names for
// itself.
func (r *reader) noField(schema *ir.Schema, from place, next part, step bool) *diag.Diagnostic {
	var own []string
	if step {
		own = ownNames
	}
	if schema.Kind != ir.SchemaObject {
		is := builtin.KindsOf(schema).There()
		return r.report(diag.UndefinedVariable, next.place, "%s is %s, which has no fields", r.called(from), is).Suggest(next.name, own)
	}
	names := schema.PropertyNames()
	d := r.report(diag.UndefinedVariable, next.place, "%s has no field %q", r.called(from), next.name).
		Suggest(next.name, slices.Concat(names, own))
	if len(names) > 0 {
		d.Note(schema.Span, "its fields are %s", diag.Listed(names))
	}

	return d
}
