package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// addOutput adds the task that computes the output of the workflow to the end of its steps.
func (b *builder) addOutput(f *yamldoc.Field, top *frame) {
	if f == nil {
		return
	}
	value, end := f.Value, endOf(top)
	t := &ir.Task{
		Name: ir.Text{Value: "output of " + b.workflowName(), Span: f.Key.Span}, Span: f.Value.Span,
		Do: &ir.PassOn{}, Part: ir.PartResult, Type: typeOfData(value),
	}
	t.Output = &ir.Output{Name: t.Name, Type: t.Type}
	b.workflow.Body.Tasks = append(b.workflow.Body.Tasks, t)
	b.later = append(b.later, func() {
		t.Input = b.lowerDatum(value, b.scopeAt(end))
		if t.Input == nil {
			return
		}
		t.Type = typeOfDatum(t.Input)
		t.Output.Type = ir.Type{
			Schema: withoutReferences(t.Type.Schema), Owner: ir.OwnerResult, OwnerName: b.workflowName(),
		}
		if t.Output.Type.Schema != nil {
			b.report(schemadoc.CheckNames(t.Output.Type.Schema)...)
		}
	})
}

// withoutReferences returns a schema in which each part that needs definitions is any value: they
// belong to the schema of a step.
func withoutReferences(s *ir.Schema) *ir.Schema {
	switch {
	case s == nil:
		return nil
	case s.Target != nil, s.Kind == ir.SchemaUnion:
		return &ir.Schema{Kind: ir.SchemaAny, Nullable: s.Nullable, Description: s.Description}
	}
	own := *s
	own.Definitions = nil
	own.Items, own.Additional = withoutReferences(s.Items), withoutReferences(s.Additional)
	own.Properties = ir.Map(s.Properties, func(p *ir.Property) *ir.Property {
		property := *p
		property.Schema = withoutReferences(p.Schema)

		return &property
	})

	return &own
}
