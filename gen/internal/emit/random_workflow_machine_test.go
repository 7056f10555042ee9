package emit_test

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machine returns a machine with rows of every kind.
func (b *workBuilder) machine(s *workScope, t *ir.Task) ir.Op {
	m := &ir.Machine{MaxSteps: 40}
	for i := range 3 + b.rand.IntN(3) {
		name := fmt.Sprintf("state-%d", i)
		state := &ir.State{Name: textLiteral(name), End: i > 1 && b.one(2)}
		state.Body = b.pipeline(b.inside(s, t.Name.Value, name), "state "+name)
		m.States = append(m.States, state)
	}
	m.Initial = workRef(m.States[0])
	for range b.rand.IntN(8) {
		m.AddRow(b.workRow(s, m))
	}

	return m
}

func workRef(s *ir.State) ir.Ref { return ir.Ref{Text: s.Name, State: s} }

func (b *workBuilder) workRow(s *workScope, m *ir.Machine) *ir.Row {
	row := &ir.Row{
		From: ir.Ref{Text: textLiteral(ir.CatchAll)}, Key: textLiteral(ir.Events[b.rand.IntN(3)]), To: workRef(m.States[b.rand.IntN(len(m.States))]),
	}
	if !b.one(3) {
		row.From = workRef(m.States[b.rand.IntN(len(m.States))])
	}
	if b.one(2) {
		formula := b.formula(&workScope{event: true, depth: s.depth}, 3)
		row.When = &ir.Guard{Text: formula.Text, Formula: formula}
	}

	return row
}
