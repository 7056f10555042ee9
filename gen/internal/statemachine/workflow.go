package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// builder builds one workflow.
type builder struct {
	set      *Set
	document *document
	workflow *ir.Flow
	agents   map[string]*ir.Step
	// steps are all steps by name; names are the names in source order.
	steps map[string]*namedSteps
	names []string
	// answers are the types of what people answer, in source order; anyAnswer is that of them all.
	answers   []ir.Type
	anyAnswer ir.Type
	// written are the fields of the context that steps write.
	written fields
	// later is what can be done only when all steps are known.
	later []func()
	// machines are those whose next states are found when all else is known.
	machines []*machine
	// single is the machine at the top if it is the only one there: its states are called by their own names.
	single *yamldoc.Node
}

// workflow lowers a file.
func (s *Set) workflow(d *document) {
	w := &ir.Flow{Kind: ir.Workflow}
	d.agent.Node = w
	b := &builder{set: s, document: d, workflow: w, agents: map[string]*ir.Step{}, steps: map[string]*namedSteps{}}
	b.written = fields{names: map[string]bool{}, own: map[string]bool{}, open: d.runInside}
	w.Title = frontend.Text(d.root.Value("name"))
	w.Context = b.context(d.root.Value("context"))
	d.context = w.Context
	b.declareAgents(d.root.Value("agents"))

	steps := d.root.Value("steps")
	b.single = singleMachine(steps)
	w.Body = b.pipeline(steps, &frame{kind: atTop, input: textType}, nil, "workflow "+d.agent.Name.Value)
	d.output = result(w.Body, textType)
	for _, name := range b.names { // what all steps of a name give, as all are known
		steps := b.steps[name]
		steps.output.Type = same(ir.Map(steps.steps, func(step standing) ir.Type { return givenBy(step.task) })...)
	}
	b.anyAnswer = dynamic(same(b.answers...))

	for _, do := range b.later {
		do()
	}
	for _, m := range b.machines {
		b.nextStates(m)
	}
	d.next = b.writesOf(w.Body)
	w.Partial = d.faulty || d.root == nil
}

func (b *builder) report(findings ...*diag.Diagnostic) { b.set.report(b.document, findings...) }

// context lowers the schema of the context. What is said of the running machine is no part of it.
func (b *builder) context(n *yamldoc.Node) *ir.Schema {
	schema := b.schema(n)
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

func (b *builder) schema(n *yamldoc.Node) *ir.Schema { return b.set.schema(b.document, n) }

// schema lowers a schema; nil without one, and for one that says nothing.
func (s *Set) schema(d *document, n *yamldoc.Node) *ir.Schema {
	if n == nil || n.Kind != yamldoc.Map || len(n.Fields) == 0 {
		return nil
	}
	schema, findings := schemadoc.LowerOpen(n)
	s.report(d, findings...)
	if schema != nil && schema.Kind == ir.SchemaAny {
		return nil
	}

	return schema
}

// name is what the workflow is called.
func (b *builder) name() string { return b.document.agent.Name.Value }
