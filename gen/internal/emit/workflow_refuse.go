package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// refuse emits the method that says which guards kept a state from being left, with the values that they read. It is called only
// where the machine fails for that.
func (m *stateMachine) refuse(f *jen.File) {
	if !m.mayRefuse() {
		return
	}
	name := m.method(names.Refuse)
	declare(f, name+" returns the guards of the rows that fit a state and how its steps came out, with what they read: none held.",
		m.head(name, []jen.Code{jen.Id("state").Add(m.stateType()), jen.Id("on").Add(inWorkflow("Event"))},
			jen.Id("guards").Index().Add(in("GuardReason"))).BlockFunc(func(g *jen.Group) {
			m.switches(g, m.refusing, m.refusedRow)
			g.Line()
			g.Return(jen.Id("guards"))
		}))
}

// refusedRow adds what one row says.
func (m *stateMachine) refusedRow(g *jen.Group, row *ir.Row) {
	v := &view{w: m.workflow, used: map[string]bool{}}
	args := append([]jen.Code{code(row.When.Text.Value)}, v.operands(row.When.Formula.Root)...)
	g.Id("guards").Op("=").Append(jen.Id("guards"), listed(jen.Id("r").Dot("Refused"), args))
}

// operands are what an expression reads, for the message that says why it does not hold.
func (v *view) operands(x ir.Expression) []jen.Code {
	var all []jen.Code
	for _, read := range ir.Reads(x) {
		all = append(all, inWorkflow("Member").Values(
			jen.Id("Name").Op(":").Add(code(ir.Written(read))), jen.Id("Value").Op(":").Add(v.dynamic(read))))
	}

	return all
}

// refusing returns the rows of a state on an event whose guards may keep it from being left: none where one has no guard.
func (m *stateMachine) refusing(s *ir.State, on string) []*ir.Row {
	rows := m.do.Ways(s, on)
	if n := len(rows); n > 0 && rows[n-1].When == nil {
		return nil
	}

	return rows
}

// mayRefuse reports whether the guards of a machine can keep a state from being left.
func (m *stateMachine) mayRefuse() bool {
	return slices.ContainsFunc(m.do.States, func(s *ir.State) bool {
		return slices.ContainsFunc(events, func(e eventName) bool { return m.refusing(s, e.on) != nil })
	})
}
