package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// addRows lowers the rows of a machine.
func (m *machine) addRows(n *yamldoc.Node) {
	for _, entry := range n.Elements() {
		if entry.Kind != yamldoc.Map {
			m.machine.Partial = true // the schema has said so
			continue
		}
		m.addRow(entry)
	}
}

func (m *machine) addRow(n *yamldoc.Node) {
	on := frontend.Text(n.Value("on"))
	row := &ir.Row{Span: n.Span, Key: on, From: m.from(frontend.Text(n.Value("from"))), To: m.to(frontend.Text(n.Value("to")))}
	if !slices.Contains(ir.Events, on.Value) || row.From.Value == "" || row.To.Value == "" {
		m.machine.Partial = true
		return
	}
	m.machine.Add(row)
	if when := textIn(n.Value("when")); when.Value != "" {
		m.step.later = append(m.step.later, func() {
			formula := m.step.formula(when, m.guard(row), expr.Condition)
			if formula == nil {
				m.machine.Partial = true
				return
			}
			row.When = &ir.Guard{Text: formula.Text, Formula: formula}
		})
	}
}

// from resolves the state that a row leads from: one that has steps, or "*".
func (m *machine) from(name ir.Text) ir.Ref {
	if name.Value == ir.CatchAll || m.written[name.Value] {
		return ir.Ref{Text: name, State: m.states[name.Value]}
	}
	m.dangles()

	return ir.Ref{Text: name}
}

// dangles notes a name that no state has; analysis reports it.
func (m *machine) dangles() { m.machine.Partial, m.step.document.faulty = true, true }

// to resolves the state that a row leads to, or with which the machine starts.
func (m *machine) to(name ir.Text) ir.Ref {
	if name.Value == ir.CatchAll {
		m.report(diag.New(diag.BadValue, name.Span, "%q is not a state: a row leads to one", name.Value))
	}
	ref := ir.Ref{Text: name, State: m.states[name.Value]}
	if ref.State == nil && name.Value != "" {
		m.dangles()
	}

	return ref
}

// guard is what the guard of a row sees: output, which is also called previous_step, says how the state came out.
func (m *machine) guard(row *ir.Row) *expr.Scope {
	at, last := m.behind(row)
	s := m.step.scope(at)
	outcome := []expr.Name{
		{Name: "event", Value: &ir.Access{Root: ir.RootEvent, Type: eventType}},
		{Name: "last_output", Value: last},
		{Name: "last_step", Members: []expr.Name{
			{Name: "name", Value: &ir.Access{Root: ir.RootStepName, Type: textType, Maybe: true}},
			{Name: "success", Value: &ir.Access{Root: ir.RootStepOK, Type: truthType, Maybe: true}},
			{Name: "feedback", Value: &ir.Access{Root: ir.RootFeedback, Type: textType, Maybe: true}},
		}},
	}
	s.Names[previousStep] = expr.Name{Name: "previous_step", Members: outcome}
	s.Names = append(s.Names, expr.Name{Name: "output", Members: outcome})

	return s
}

var eventType = ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString, Enum: []string{`"success"`, `"failure"`, `"pause"`}}}

// behind returns the place of a row, and the output of the step that ran last before it. Only behind a state that went
// well all its steps have run.
func (m *machine) behind(row *ir.Row) (spot, *ir.Access) {
	if f := m.frames[row.From.State]; f != nil && row.Key.Value == ir.OnSuccess {
		end := endOf(f)
		return end, resultAt(end)
	}

	return m.step.behind(), &ir.Access{Root: ir.RootResult, Maybe: true}
}
