package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// builder lowers one workflow.
type builder struct {
	set      *Set
	document *document
	workflow *ir.Flow
	agents   map[string]*ir.Step
	// steps are all steps by name; names are the names in source order.
	steps map[string]*namedSteps
	names []string
	// answers are the types of people's answers in source order; anyAnswer is their common type.
	answers   []ir.Type
	anyAnswer ir.Type
	// written are the context fields that steps write.
	written contextFields
	// later are the actions that need all steps.
	later []func()
	// machines are the machines of the workflow. Their next states are found last.
	machines  []*machine
	machineOf map[*ir.Machine]*machine
	// single is the only machine at the top, or nil. Its states have no prefix in their names.
	single *yamldoc.Node
}

// inputType returns the type of a run's input: a text, unless a workflow that imports the file gives
// it something else.
func (d *document) inputType() ir.Type {
	if d.runInside {
		return unknown
	}

	return textType
}

// lowerWorkflow lowers a file.
func (s *Set) lowerWorkflow(d *document) {
	w := &ir.Flow{Kind: ir.Workflow}
	d.agent.Node = w
	b := &builder{set: s, document: d, workflow: w, agents: map[string]*ir.Step{}, steps: map[string]*namedSteps{}, machineOf: map[*ir.Machine]*machine{}}
	b.written = contextFields{names: map[string]bool{}, own: map[string]bool{}, open: d.runInside}
	w.Title = frontend.Text(d.root.Value("name"))
	w.Context = b.lowerContext(d.root.Value("context"))
	d.context = w.Context
	b.declareAgents(d.root.Value("agents"))

	steps := d.root.Value("steps")
	b.single = singleMachine(steps)
	top := &frame{kind: atTop, input: d.inputType()}
	top.receive = b.lowerInputSchema(d.root.Field("input_schema"), top)
	w.Body = b.lowerPipeline(steps, top, nil, "workflow "+d.agent.Name.Value)
	b.addOutput(d.root.Field("output"), top)
	for _, name := range b.names { // the common type of all steps with a name
		steps := b.steps[name]
		steps.output.Type = commonType(ir.Map(steps.steps, func(step placedStep) ir.Type { return outputType(step.task) })...)
	}
	b.anyAnswer = withoutOwner(commonType(b.answers...))

	for _, do := range b.later {
		do()
	}
	d.output = resultType(w.Body, d.inputType())
	for _, m := range b.machines {
		b.findNextStates(m)
	}
	b.reportErrorReads(w.Body, false)
	d.next = b.nextStatesOf(w.Body)
	w.Partial = d.faulty || d.root == nil
}

func (b *builder) report(findings ...*diag.Diagnostic) { b.set.report(b.document, findings...) }

// lowerContext lowers the schema of the context, without the fields of the running machine.
func (b *builder) lowerContext(n *yamldoc.Node) *ir.Schema {
	schema := b.set.lowerSchemaBy(b.document, n, schemadoc.LowerContext)
	if schema == nil {
		return nil
	}
	if schema.Kind != ir.SchemaObject || schema.Nullable {
		at := n.Span
		if t := n.Value("type"); t != nil {
			at = t.Span
		}
		b.report(diag.New(diag.WrongType, at, "the context must be of type object"))
		return nil
	}
	schema.Properties = slices.DeleteFunc(slices.Clone(schema.Properties), func(p *ir.Property) bool {
		isOfMachine := p.Name.Value == ir.NextState || p.Name.Value == ir.CurrentState
		if isOfMachine {
			b.report(diag.New(diag.UnusedField, p.Name.Span, "%q is a field of the running machine, not of the context", p.Name.Value).
				WithHint("leave it out").Warn())
		}
		return isOfMachine
	})

	return schema
}

// lowerInputSchema returns the task that reads the input of the workflow, and registers its output; nil
// without a schema.
func (b *builder) lowerInputSchema(f *yamldoc.Field, top *frame) *ir.Task {
	if f == nil {
		return nil
	}
	schema := b.lowerSchema(f.Value)
	if schema == nil {
		return nil
	}
	t := &ir.Task{
		Name: ir.Text{Value: ir.InputName, Span: f.Key.Span}, Span: f.Key.Span, Do: &ir.Receive{Schema: schema},
		Type: ir.Type{Schema: schema, Owner: ir.OwnerInput, OwnerName: b.workflowName()},
	}
	b.registerTask(placedStep{at: spot{frame: top}, task: t})

	return t
}

func (b *builder) lowerSchema(n *yamldoc.Node) *ir.Schema { return b.set.lowerSchema(b.document, n) }

// lowerSchema lowers a schema. It returns nil for no schema and for an empty one.
func (s *Set) lowerSchema(d *document, n *yamldoc.Node) *ir.Schema {
	return s.lowerSchemaBy(d, n, schemadoc.LowerOpen)
}

func (s *Set) lowerSchemaBy(
	d *document, n *yamldoc.Node, lower func(*yamldoc.Node) (*ir.Schema, []*diag.Diagnostic),
) *ir.Schema {
	if n == nil || n.Kind != yamldoc.Map || len(n.Fields) == 0 {
		return nil
	}
	schema, findings := lower(n)
	s.report(d, findings...)
	if schema != nil && schema.Kind == ir.SchemaAny {
		return nil
	}

	return schema
}

// workflowName returns the name of the workflow.
func (b *builder) workflowName() string { return b.document.agent.Name.Value }
