package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// events emits the method that holds the rows of a workflow's machine: a switch over the states, and in it one over the events.
func (m *machine) events(f *jen.File) {
	if len(m.ir.Rows()) == 0 {
		return
	}
	name := m.method(names.Next)
	declare(f, name+" returns the state to which the first row leads that fits a state and how its steps ended, and how it "+
		"was found; \"\" without one.",
		m.ofRun(name, jen.Id("state").Id(m.stateType), jen.Id("on").Add(inWorkflow("Event"))).Params(jen.Id(m.stateType), in("rt.Match")).BlockFunc(func(g *jen.Group) {
			m.switches(g)
			g.Line()
			g.Return(jen.Lit(0), jen.Lit(""))
		}))
}

// switches adds the rows of each state and event. States with the same rows share a case.
func (m *machine) switches(g *jen.Group) {
	var order []string
	sharing := map[string][]*ir.State{}
	for _, s := range m.ir.States {
		rows := ir.Map(ir.Events, func(event string) []*ir.Row { return m.ir.Ways(s, event) })
		same := fmt.Sprint(rows) // which rows they are, by their addresses
		if sharing[same] == nil && len(slices.Concat(rows...)) > 0 {
			order = append(order, same)
		}
		sharing[same] = append(sharing[same], s)
	}

	g.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
		for _, same := range order {
			states := sharing[same]
			g.Add(m.caseOf(states, jen.Switch(jen.Id("on")).BlockFunc(func(g *jen.Group) {
				for _, event := range ir.Events {
					if rows := m.ir.Ways(states[0], event); rows != nil {
						g.Case(inWorkflow(upperFirst(event))).BlockFunc(func(g *jen.Group) { m.ways(g, rows) })
					}
				}
			})))
		}
	})
}

// ways adds the rows of an event: the guard of each in Go, and what the row gives. Where all have guards, each that does not hold is
// recorded, with the values that it read: a state that no row leaves is an error which says why.
func (m *machine) ways(g *jen.Group, rows []*ir.Row) {
	canStall := rows[len(rows)-1].When != nil
	for _, row := range rows {
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
		if canStall {
			args := append([]jen.Code{code(row.When.Text.Value)}, v.operands(row.When.Formula.Root)...)
			g.Add(listed(jen.Id("r").Dot("Refuse"), args))
		}
	}
}

// operands are what an expression reads, for the message that says why it does not hold.
func (v *view) operands(x ir.Expression) []jen.Code {
	return ir.Map(ir.Reads(x), func(read ir.Expression) jen.Code { return memberOf(code(ir.Written(read)), v.dynamic(read)) })
}
