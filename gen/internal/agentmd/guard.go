package agentmd

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// guardedRow is a row whose guard is not lowered yet.
type guardedRow struct {
	state *ir.State
	row   *ir.Row
}

// lowerGuards lowers the guards of all machines. Their expressions have the types of the agents'
// values, so all agents must be lowered first.
func (l *loader) lowerGuards() {
	for _, b := range l.machines {
		// `steps` has the newest value of each state in which an agent runs.
		running := ir.Where(b.machine.States, func(s *ir.State) bool { return s.Agent != nil })
		b.machine.Outputs = ir.Map(running, func(s *ir.State) *ir.Output { return &ir.Output{Name: s.Name, Type: typeOfValue(s.Agent)} })
		for _, g := range b.guarded {
			b.lowerGuard(g)
		}
	}
	slices.SortFunc(l.Program.Guards, func(a, b *ir.GuardFunc) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
}

// lowerGuard lowers a guard to a named function or to an expression.
func (b *machineBuilder) lowerGuard(g guardedRow) {
	guard := g.row.When
	data := b.dataOf(g.state, g.row)
	name, negated, ok := guardName(guard.Text)
	if !ok {
		formula, findings := expr.ParseFormula(guard.Text, b.guardScope(g.state, g.row, data), expr.Condition)
		b.loader.List.Add(findings...)
		guard.Formula = formula
		return
	}
	guard.Not = negated
	guard.Func = b.loader.guardFunc(name, data)
	guard.Func.Uses = append(guard.Func.Uses, ir.GuardUse{Agent: b.agent, State: g.state, Row: g.row})
}

// guardFunc returns the named guard. If its uses have different data, the type of the data is
// unknown.
func (l *loader) guardFunc(name ir.Text, data ir.Type) *ir.GuardFunc {
	if known := l.guards[name.Value]; known != nil {
		if known.Data.Owner != data.Owner || known.Data.OwnerName != data.OwnerName {
			known.Data = ir.Type{}
		}
		return known
	}
	guard := &ir.GuardFunc{Name: name, Data: data}
	l.guards[name.Value] = guard
	l.Program.Guards = append(l.Program.Guards, guard)

	return guard
}

// guardName parses a guard that is a name, or not and a name, and no expression.
func guardName(text ir.Text) (name ir.Text, negated, ok bool) {
	words := strings.Fields(text.Value)
	if len(words) == 2 && words[0] == "not" {
		negated, words = true, words[1:]
	}
	if len(words) != 1 || !isGuardName(words[0]) {
		return ir.Text{}, false, false
	}
	start := strings.LastIndex(text.Value, words[0])
	place := yamldoc.NewPositions(text.Span, text.Value).Span(start, start+len(words[0]))

	return ir.Text{Value: words[0], Span: place}, negated, true
}

// isGuardName reports whether a word is a name, and no variable, value or keyword of expressions.
func isGuardName(word string) bool {
	other := func(c rune) bool { return c != '-' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	if strings.ContainsFunc(word, other) || !strings.ContainsFunc(word, unicode.IsLetter) || word[0] == '-' {
		return false
	}
	if _, err := strconv.ParseFloat(word, 64); err == nil {
		return false
	}

	return !slices.Contains(notGuards, word)
}

// notGuards are the names and keywords of expressions in guards.
var notGuards = append([]string{"and", "or", "not", "in", "is", "True", "False", "None", "true", "false", "null"}, variables...)

// variables are the names with which expressions in guards can begin.
var variables = []string{"key", "value", "data", "input", "steps", "visits"}

// typeOfValue returns the type of an agent's value as JSON. Without a schema it is unknown.
func typeOfValue(a *ir.Agent) ir.Type {
	if t := a.ValueType(); t.Owner == ir.OwnerConversation {
		return t
	}

	return ir.Type{}
}

// dataOf returns the type of the JSON that comes with the key of a row.
func (b *machineBuilder) dataOf(s *ir.State, row *ir.Row) ir.Type {
	switch {
	case b.gated != nil:
		return b.dataOfAction(row.Key.Value)
	case s.Agent != nil:
		return typeOfValue(s.Agent)
	}

	return ir.Type{}
}

// guardScope returns the names that the guard of a row can use.
func (b *machineBuilder) guardScope(s *ir.State, row *ir.Row, data ir.Type) *expr.Scope {
	text := ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString}}
	key := &ir.Schema{Kind: ir.SchemaString}
	if !row.IsCatchAll() { // then it is the key of the row, as written
		key.Enum, key.Span = []string{strconv.Quote(row.Key.Value)}, row.Key.Span
	}
	scope := &expr.Scope{
		Machine: true,
		Names: []expr.Name{
			{Name: "key", Value: &ir.Access{Root: ir.RootKey, Type: ir.Type{Schema: key}}},
			{Name: "value", Value: &ir.Access{Root: ir.RootValue, Type: text}},
			{Name: "data", Value: &ir.Access{Root: ir.RootData, Type: data}},
			{Name: "input", Value: &ir.Access{Root: ir.RootInput, Type: text}},
			{Name: "visits", Value: &ir.Access{Root: ir.RootVisits, Type: b.visitsType(s, row)}},
		},
	}
	if len(b.machine.Outputs) > 0 {
		scope.Steps = visibleValues{b.machine, s}
	} else {
		scope.Names = append(scope.Names, expr.Name{Name: "steps", Absent: "no agent runs in the states of this machine"})
	}

	return scope
}

// visitsType returns the type of visits for a guard of a state: the number of times that each state
// was entered. The state itself was entered at least once. All guards share the remaining schema.
func (b *machineBuilder) visitsType(s *ir.State, row *ir.Row) ir.Type {
	if b.counts == nil {
		b.counts = &ir.Schema{Kind: ir.SchemaObject, Span: b.written.Span}
		count := b.countSchema("0")
		for _, s := range b.machine.States {
			b.counts.Properties = append(b.counts.Properties, &ir.Property{Name: s.Name, Required: true, Schema: count})
		}
	}
	at := slices.Index(b.machine.States, s)
	mayBeRestored := b.machine.External // with renamed states
	if mayBeRestored || at < 0 || !strings.Contains(row.When.Text.Value, "visits") {
		return ir.Type{Schema: b.counts}
	}
	own := *b.counts
	own.Properties = slices.Clone(own.Properties)
	own.Properties[at] = &ir.Property{Name: s.Name, Required: true, Schema: b.countSchema("1")}

	return ir.Type{Schema: &own}
}

// countSchema returns the schema for the number of times that a state was entered.
func (b *machineBuilder) countSchema(least string) *ir.Schema {
	count := &ir.Schema{Kind: ir.SchemaInteger, Minimum: least}
	if b.gated == nil && !b.machine.External { // limited by max_steps
		count.Maximum = strconv.Itoa(b.machine.MaxSteps)
	}

	return count
}

// visibleValues are the values of a machine's agents that a guard of a state can use.
type visibleValues struct {
	machine *ir.Machine
	from    *ir.State
}

// Step returns the value of the agent of the state called name.
func (s visibleValues) Step(name string) (expr.StepName, bool) {
	output := ir.First(s.machine.Outputs, func(o *ir.Output) bool { return o.Name.Value == name })

	return expr.StepName{Output: output, Ran: s.ranBefore(name)}, output != nil
}

// StepNames returns the names of the states with agents, in source order.
func (s visibleValues) StepNames() []string {
	return ir.Map(s.machine.Outputs, func(output *ir.Output) string { return output.Name.Value })
}

// ranBefore reports whether the agent of a state has run when a guard of another state is
// evaluated. No earlier state is certain, because a machine may be restored.
func (s visibleValues) ranBefore(name string) expr.Ran {
	switch {
	case s.from.Name.Value == name:
		return expr.RanAlways
	case s.machine.Partial || canReach(s.machine, name, s.from):
		return expr.RanSometimes
	}

	return expr.RanNever
}

// canReach reports whether a machine can get from the state called name to another one.
func canReach(m *ir.Machine, name string, to *ir.State) bool {
	reached := map[*ir.State]bool{nil: true}
	open := ir.Where(m.States, func(s *ir.State) bool { return s.Name.Value == name })
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
		open = append(open, ir.Map(s.Rows, func(row *ir.Row) *ir.State { return row.To.State })...)
	}

	return reached[to]
}
