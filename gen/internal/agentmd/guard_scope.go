package agentmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// variables are the names that expressions in guards can begin with.
var variables = []string{"key", "value", "data", "input", "steps", "visits"}

// outputs notes what `steps` has in the guards of the machine: the newest value of each state in which an agent runs.
func (b *machineBuilder) outputs() {
	for _, s := range b.machine.States {
		if s.Agent != nil {
			b.machine.Outputs = append(b.machine.Outputs, &ir.Output{Name: s.Name, Type: typeOfValue(s.Agent)})
		}
	}
}

// typeOfValue is what is known of an agent's value as JSON. Where no schema describes it, it can be anything, although it is
// always a text.
func typeOfValue(a *ir.Agent) ir.Type {
	if t := a.ValueType(); t.Owner == ir.OwnerConversation {
		return t
	}

	return ir.Type{}
}

// dataOf is what is known of the JSON that comes with the key of a row.
func (b *machineBuilder) dataOf(s *ir.State, row *ir.Row) ir.Type {
	switch {
	case b.gated != nil:
		return b.dataOfAction(row.Key.Value)
	case s.Agent != nil:
		return typeOfValue(s.Agent)
	}

	return ir.Type{}
}

// typeOfKey is what is known of the key: it is that of the row, as it is written there.
func typeOfKey(row *ir.Row) ir.Type {
	schema := &ir.Schema{Kind: ir.SchemaString}
	if !row.IsCatchAll() {
		schema.Enum, schema.Span = []string{strconv.Quote(row.Key.Value)}, row.Key.Span
	}

	return ir.Type{Schema: schema}
}

// scope is what expressions see in the guard of a row.
func (b *machineBuilder) scope(s *ir.State, row *ir.Row, data ir.Type) *expr.Scope {
	text := ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString}}
	scope := &expr.Scope{
		Machine: true,
		Names: []expr.Name{
			{Name: "key", Value: &ir.Access{Root: ir.RootKey, Type: typeOfKey(row)}},
			{Name: "value", Value: &ir.Access{Root: ir.RootValue, Type: text}},
			{Name: "data", Value: &ir.Access{Root: ir.RootData, Type: data}},
			{Name: "input", Value: &ir.Access{Root: ir.RootInput, Type: text}},
			{Name: "visits", Value: &ir.Access{Root: ir.RootVisits, Type: b.visits(s, row)}},
		},
	}
	if len(b.machine.Outputs) > 0 {
		scope.Steps = seen{b.machine, s}
	} else {
		scope.Names = append(scope.Names, expr.Name{Name: "steps", Absent: "no agent runs in the states of this machine"})
	}

	return scope
}

// visits is the type of the object that counts how often each state was entered, for a guard of a state: that one was. The guards of
// all states share the rest.
func (b *machineBuilder) visits(s *ir.State, row *ir.Row) ir.Type {
	if b.counts == nil {
		b.counts = &ir.Schema{Kind: ir.SchemaObject, Span: b.written.Span}
		count := b.count("0")
		for _, s := range b.machine.States {
			b.counts.Properties = append(b.counts.Properties, &ir.Property{Name: s.Name, Required: true, Schema: count})
		}
	}
	at := slices.Index(b.machine.States, s)
	if b.machine.External || at < 0 || !strings.Contains(row.When.Text.Value, "visits") { // what is restored may have been renamed
		return ir.Type{Schema: b.counts}
	}
	own := *b.counts
	own.Properties = slices.Clone(own.Properties)
	own.Properties[at] = &ir.Property{Name: s.Name, Required: true, Schema: b.count("1")}

	return ir.Type{Schema: &own}
}

// count is the type of how often a state was entered.
func (b *machineBuilder) count(least string) *ir.Schema {
	count := &ir.Schema{Kind: ir.SchemaInteger, Minimum: least}
	if b.gated == nil && !b.machine.External { // no state is entered more often than states may run
		count.Maximum = strconv.Itoa(b.machine.MaxSteps)
	}

	return count
}

// seen are the values of the agents of a machine as a guard sees them.
type seen struct {
	machine *ir.Machine
	from    *ir.State
}

// Step returns the value of the agent of the state called name.
func (s seen) Step(name string) (expr.StepName, bool) {
	for _, output := range s.machine.Outputs {
		if output.Name.Value == name {
			return expr.StepName{Output: output, Ran: s.ran(name)}, true
		}
	}

	return expr.StepName{}, false
}

// StepNames returns the names of the states in which agents run, in source order.
func (s seen) StepNames() []string {
	names := make([]string, len(s.machine.Outputs))
	for i, output := range s.machine.Outputs {
		names[i] = output.Name.Value
	}

	return names
}

// ran says whether the agent of a state has run when a guard of another is asked. Of the states on the way to here nothing is
// certain: a machine may have been restored.
func (s seen) ran(name string) expr.Ran {
	switch {
	case s.from.Name.Value == name:
		return expr.RanAlways
	case s.machine.Partial || leads(s.machine, name, s.from):
		return expr.RanSometimes
	}

	return expr.RanNever
}

// leads reports whether a machine can come from the state called name to another one.
func leads(m *ir.Machine, name string, to *ir.State) bool {
	var open []*ir.State
	reached := map[*ir.State]bool{nil: true}
	for _, s := range m.States {
		if s.Name.Value == name {
			open = append(open, s)
		}
	}
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if reached[s] {
			continue
		}
		reached[s] = true
		if s.Always != nil {
			open = append(open, s.Always.State)
		}
		for _, row := range s.Rows {
			open = append(open, row.To.State)
		}
	}

	return reached[to]
}
