package emittest

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/ir"
)

// machine returns a machine with rows of every kind.
func (b *workBuilder) machine(s *workScope, t *ir.Task) ir.Work {
	m := &ir.StateMachine{MaxSteps: 40}
	for i := range 3 + b.rand.IntN(3) {
		name := fmt.Sprintf("state-%d", i)
		state := &ir.WorkState{Name: text(name), End: i > 1 && b.one(2)}
		state.Body = b.pipeline(b.inside(s, t.Name.Value, name), "state "+name)
		m.States = append(m.States, state)
		if state.End {
			m.Ends = append(m.Ends, state.Name)
		}
	}
	m.Start = workRef(m.States[0])
	for range b.rand.IntN(8) {
		m.Rows = append(m.Rows, b.workRow(s, m))
	}

	return m
}

func workRef(s *ir.WorkState) ir.WorkRef { return ir.WorkRef{Text: s.Name, State: s} }

func (b *workBuilder) workRow(s *workScope, m *ir.StateMachine) *ir.WorkRow {
	row := &ir.WorkRow{On: ir.Event(1 + b.rand.IntN(3)), To: workRef(m.States[b.rand.IntN(len(m.States))])}
	if row.Any = b.one(3); !row.Any {
		row.From = workRef(m.States[b.rand.IntN(len(m.States))])
	}
	if b.one(2) {
		row.When = b.formula(&workScope{event: true, depth: s.depth}, 3)
	}

	return row
}
