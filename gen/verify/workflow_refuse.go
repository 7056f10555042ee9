package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// refuseMethod is what the machine asks for the guards that refused: nil if none can keep a state from being left.
func (m *stateMachine) refuseMethod() string {
	if m.refusedCases() == "" {
		return "nil"
	}

	return "r." + m.verb(names.Refuse)
}

// refuse compares the method that says which guards did not hold, and what they read.
func (m *stateMachine) refuse() {
	name := m.verb(names.Refuse)
	cases := m.refusedCases()
	if cases == "" {
		m.absent(m.method(name))
		return
	}
	m.writtenFunc(m.method(name), "func (r *"+m.typ()+") "+name+"(state "+m.stateType()+
		", on workflow.Event) (guards []runtime.GuardReason) {\nswitch on {\n"+cases+"}\nreturn guards\n}")
}

// refusedCases are the cases of the events on which a guard can keep a state from being left.
func (m *stateMachine) refusedCases() string {
	var b strings.Builder
	for _, event := range events {
		var rows strings.Builder
		for i, row := range m.do.Rows() {
			if row.Key.Value == event.on && row.When != nil && m.decides(i) {
				m.refusedRow(&rows, row)
			}
		}
		if rows.Len() > 0 {
			b.WriteString("case " + event.name + ":\n" + rows.String())
		}
	}

	return b.String()
}

// decides reports whether a state may stay because row i does not hold: no row without a guard takes the event from all states, or
// from that of the row.
func (m *stateMachine) decides(i int) bool {
	row := m.do.Rows()[i]
	for _, other := range m.do.Rows() {
		always := other.Key.Value == row.Key.Value && other.When == nil
		if always && (other.FromAny() || !row.FromAny() && other.From.State == row.From.State) {
			return false
		}
	}

	return true
}

func (m *stateMachine) refusedRow(b *strings.Builder, row *ir.Row) {
	text := "workflow.Refused(" + quoted(row.When.Text.Value) + (&scope{w: m.workflow}).operands(row.When.Formula.Root)
	add := "guards = append(guards, " + text + "))\n"
	if !row.FromAny() {
		add = "if state == " + m.state(row.From.State) + " {\n" + add + "}\n"
	}
	b.WriteString(add)
}

// operands are what an expression reads, as arguments behind others.
func (s *scope) operands(x ir.Expression) string {
	text := ""
	for _, read := range ir.Reads(x) {
		text += ", workflow.Operand{Name: " + quoted(ir.Written(read)) + ", Value: " + s.term(read).value() + "}"
	}

	return text
}
