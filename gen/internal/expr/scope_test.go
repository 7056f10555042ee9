package expr_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// steps are the steps of a test, in their order.
type steps struct {
	names []string
	known map[string]expr.StepName
}

func (s *steps) Step(name string) (expr.StepName, bool) {
	step, ok := s.known[name]
	return step, ok
}

func (s *steps) StepNames() []string { return s.names }

// scopeOf reads what a place offers:
//
//	context: a schema, open, or open and a list of what steps write into it: [open, NAME]
//	steps: {name: {ran: always|sometimes|never, output: a schema or nothing}}
//	values: {name: a schema or nothing}, further names
//	guard: true, for the names inside of the `when` of a row
//	absent: {name: why}
//	machine: {data: a schema or nothing, visits: a list of states}, for the guard of a row in a machine of agents
func scopeOf(t testing.TB, root *yamldoc.Node) *expr.Scope {
	t.Helper()
	scope := &expr.Scope{}
	known := &steps{known: map[string]expr.StepName{}}
	if context := root.Value("context"); context != nil {
		scope.Names = append(scope.Names, contextName(t, context, known))
	}
	if list := root.Value("steps"); list != nil {
		scope.Steps = known
		for _, f := range list.Fields {
			known.names = append(known.names, f.Key.Text)
			known.known[f.Key.Text] = stepName(t, f)
		}
	}
	if values := root.Value("values"); values != nil {
		for _, f := range values.Fields {
			value := &ir.Access{Root: ir.RootInput, Type: ir.Type{Schema: schemaOf(t, f.Value)}}
			scope.Names = append(scope.Names, expr.Name{Name: f.Key.Text, Value: value})
		}
	}
	if absent := root.Value("absent"); absent != nil {
		for _, f := range absent.Fields {
			scope.Names = append(scope.Names, expr.Name{Name: f.Key.Text, Absent: f.Value.Text})
		}
	}
	if guard := root.Value("guard"); guard != nil {
		scope.Names = append(scope.Names, payload("output"), payload("previous_step"))
	}
	if machine := root.Value("machine"); machine != nil {
		scope.Machine = true
		scope.Names = append(scope.Names, machineNames(t, machine)...)
	}

	return scope
}

// machineNames are what the guard of a row in a machine of agents sees beside steps.
func machineNames(t testing.TB, machine *yamldoc.Node) []expr.Name {
	text := ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString}}
	counts := &ir.Schema{Kind: ir.SchemaObject, Span: machine.Value("visits").Span}
	for _, state := range machine.Value("visits").Items {
		count := &ir.Schema{Kind: ir.SchemaInteger, Minimum: "0"}
		name := ir.Text{Value: state.Text, Span: state.Span}
		counts.Properties = append(counts.Properties, &ir.Property{Name: name, Required: true, Schema: count})
	}

	return []expr.Name{
		{Name: "key", Value: &ir.Access{Root: ir.RootKey, Type: text}},
		{Name: "value", Value: &ir.Access{Root: ir.RootValue, Type: text}},
		{Name: "data", Value: &ir.Access{Root: ir.RootData, Type: ir.Type{Schema: schemaOf(t, machine.Value("data"))}}},
		{Name: "visits", Value: &ir.Access{Root: ir.RootVisits, Type: ir.Type{Schema: counts}}},
	}
}

func contextName(t testing.TB, context *yamldoc.Node, known *steps) expr.Name {
	access := &ir.Access{Root: ir.RootContext}
	name := expr.Name{Name: "context", Value: access, Same: []string{"scratchpad", "import_artifacts"}}
	text := ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString}}
	name.Members = []expr.Name{
		{Name: ir.NextState, Value: &ir.Access{Root: ir.RootNext, Type: text, MayBeNone: true}},
		{Name: ir.CurrentState, Absent: "no machine runs"},
	}
	if context.Kind == yamldoc.Map {
		access.Type = ir.Type{Schema: schemaOf(t, context), Owner: ir.OwnerContext, OwnerName: "w"}
	}
	name.StepOf = known.Step
	name.Lacks = func(name string) bool {
		return !slices.ContainsFunc(context.Items, func(n *yamldoc.Node) bool { return n.Text == name })
	}

	return name
}

func stepName(t testing.TB, f *yamldoc.Field) expr.StepName {
	output := &ir.Output{Name: ir.Text{Value: f.Key.Text, Span: f.Key.Span}}
	if schema := schemaOf(t, f.Value.Value("output")); schema != nil {
		output.Type = ir.Type{Schema: schema, Owner: ir.OwnerConversation, OwnerName: "w/" + f.Key.Text}
	}
	ran, ok := map[string]expr.Ran{
		"always": expr.RanAlways, "sometimes": expr.RanSometimes, "never": expr.RanNever,
	}[f.Value.Value("ran").Text]
	if !ok {
		t.Fatalf("step %s has no ran", f.Key.Text)
	}

	return expr.StepName{Output: output, Ran: ran}
}

// payload is what `output` is in the guard of a row.
func payload(name string) expr.Name {
	events := &ir.Schema{Kind: ir.SchemaString, Enum: []string{`"success"`, `"failure"`, `"pause"`}}
	value := func(root ir.Root, schema *ir.Schema) *ir.Access {
		return &ir.Access{Root: root, Type: ir.Type{Schema: schema}}
	}

	return expr.Name{Name: name, Members: []expr.Name{
		{Name: "event", Value: value(ir.RootEvent, events)},
		{Name: "last_output", Value: value(ir.RootResult, nil)},
		{Name: "last_step", Members: []expr.Name{
			{Name: "name", Value: value(ir.RootStepName, &ir.Schema{Kind: ir.SchemaString})},
			{Name: "success", Value: value(ir.RootStepOK, &ir.Schema{Kind: ir.SchemaBoolean})},
			{Name: "feedback", Value: value(ir.RootFeedback, &ir.Schema{Kind: ir.SchemaString, Nullable: true})},
		}},
	}}
}

func schemaOf(t testing.TB, n *yamldoc.Node) *ir.Schema {
	t.Helper()
	if n.IsNull() || n.Kind != yamldoc.Map {
		return nil
	}
	schema, found := schemadoc.Lower(n)
	if len(found) > 0 {
		t.Fatalf("the schema at %v: %s", n.Span.Pos(), found[0].Message)
	}

	return schema
}

func parseYAML(t testing.TB, name string, text []byte) *yamldoc.Node {
	t.Helper()
	root, found := yamldoc.Parse(source.NewFile(name, text))
	if len(found) > 0 {
		t.Fatalf("%s: %s", name, found[0].Message)
	}

	return root
}
