package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// eventName is an event of a state with steps, and its constant of package workflow.
type eventName struct{ on, name string }

// eventNames are the events in the order in which they are emitted.
var eventNames = []eventName{{ir.OnSuccess, "Success"}, {ir.OnFailure, "Failure"}, {ir.OnPause, "Pause"}}

// events emits the method that holds the rows of a workflow's machine: a switch over the states, and in it one over the events.
func (m *machine) events(f *jen.File) {
	if len(m.ir.Rows()) == 0 {
		return
	}
	name := m.method(names.Next)
	declare(f, name+" returns the state to which the first row leads that fits a state and how its steps ended, and how it "+
		"was found; rt.MatchNone without one.",
		m.ofEvent(name).Params(jen.Id(m.stateType), in("rt.Match")).BlockFunc(func(g *jen.Group) {
			m.switches(g, m.ir.Ways, m.row)
			g.Line()
			g.Return(jen.Lit(0), in("rt.MatchNone"))
		}))
}

// ofEvent returns the head of a method of the workflow's run about a state and an event.
func (m *machine) ofEvent(name string) *jen.Statement {
	return m.ofRun(name, jen.Id("state").Id(m.stateType), jen.Id("on").Add(inWorkflow("Event")))
}

// switches adds the rows of each state and event, each by add. States with the same rows share a case.
func (m *machine) switches(g *jen.Group, rowsOf func(*ir.State, string) []*ir.Row, add func(*jen.Group, *ir.Row)) {
	var order []string
	sharing := map[string][]*ir.State{}
	for _, s := range m.ir.States {
		var rows [][]*ir.Row
		found := false
		for _, event := range eventNames {
			rows = append(rows, rowsOf(s, event.on))
			found = found || rows[len(rows)-1] != nil
		}
		if !found {
			continue
		}
		same := fmt.Sprint(rows) // which rows they are, by their addresses
		if sharing[same] == nil {
			order = append(order, same)
		}
		sharing[same] = append(sharing[same], s)
	}
	g.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
		for _, same := range order {
			states := sharing[same]
			g.Add(m.caseOf(states, jen.Switch(jen.Id("on")).BlockFunc(func(g *jen.Group) {
				for _, event := range eventNames {
					if rows := rowsOf(states[0], event.on); rows != nil {
						g.Case(inWorkflow(event.name)).BlockFunc(func(g *jen.Group) {
							for _, row := range rows {
								add(g, row)
							}
						})
					}
				}
			})))
		}
	})
}

// row adds a row: its guard, as it is written and in Go, and what it gives.
func (m *machine) row(g *jen.Group, row *ir.Row) {
	match := "rt.MatchExact"
	if row.FromAny() {
		match = "rt.MatchCatchAll"
	}
	if row.When == nil {
		g.Return(m.state(row.To.State), in(match))
		return
	}
	v := &view{w: m.workflow, used: map[string]bool{}}
	g.If(v.formula(row.When.Formula)).Block(jen.Return(m.state(row.To.State), in("rt.MatchGuard")))
}

// refuse emits the method that says which guards kept a state from being left, with the values that they read. It is called only
// where the machine fails for that.
func (m *machine) refuse(f *jen.File) {
	if !m.mayRefuse() {
		return
	}
	name := m.method(names.Refuse)
	declare(f, name+" returns the guards of the rows that fit a state and how its steps ended, with what they read: none held.",
		m.ofEvent(name).Params(jen.Id("guards").Index().Add(in("GuardReason"))).BlockFunc(func(g *jen.Group) {
			m.switches(g, m.refusing, m.refusedRow)
			g.Line()
			g.Return(jen.Id("guards"))
		}))
}

// refusedRow adds what one row says.
func (m *machine) refusedRow(g *jen.Group, row *ir.Row) {
	v := &view{w: m.workflow, used: map[string]bool{}}
	args := append([]jen.Code{code(row.When.Text.Value)}, v.operands(row.When.Formula.Root)...)
	g.Id("guards").Op("=").Append(jen.Id("guards"), listed(jen.Id("r").Dot("Refused"), args))
}

// operands are what an expression reads, for the message that says why it does not hold.
func (v *view) operands(x ir.Expression) []jen.Code {
	return ir.Map(ir.Reads(x), func(read ir.Expression) jen.Code { return memberOf(code(ir.Written(read)), v.dynamic(read)) })
}

// refusing returns the rows of a state on an event whose guards may keep it from being left: none where one has no guard.
func (m *machine) refusing(s *ir.State, on string) []*ir.Row {
	rows := m.ir.Ways(s, on)
	if n := len(rows); n > 0 && rows[n-1].When == nil {
		return nil
	}

	return rows
}

// mayRefuse reports whether the guards of a machine can keep a state from being left.
func (m *machine) mayRefuse() bool {
	return slices.ContainsFunc(m.ir.States, func(s *ir.State) bool {
		return slices.ContainsFunc(eventNames, func(e eventName) bool { return m.refusing(s, e.on) != nil })
	})
}
