package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// events are the constants of package workflow, in the order in which they are emitted.
var events = []eventName{{ir.OnSuccess, "Success"}, {ir.OnFailure, "Failure"}, {ir.OnPause, "Pause"}}

// next emits the method that holds the rows: a switch over the states, and in it one over the
// events.
func (m *stateMachine) next(f *jen.File) {
	if len(m.do.Rows()) == 0 {
		return
	}
	name := m.method(names.Next)
	declare(f, name+" returns the state to which the first row leads that fits a state and how its steps came out, and how it "+
		"was found; rt.MatchNone without one.",
		m.head(name, []jen.Code{jen.Id("state").Add(m.stateType()), jen.Id("on").Add(inWorkflow("Event"))},
			m.stateType(), in("rt.Match")).BlockFunc(func(g *jen.Group) {
			m.switches(g, m.do.Ways, m.row)
			g.Line()
			g.Return(jen.Lit(0), in("rt.MatchNone"))
		}))
}

// switches adds the rows of each state and event, each by add. States with the same rows share a case.
func (m *stateMachine) switches(g *jen.Group, rowsOf func(*ir.State, string) []*ir.Row, add func(*jen.Group, *ir.Row)) {
	var order []string
	sharing := map[string][]*ir.State{}
	for _, s := range m.do.States {
		var rows [][]*ir.Row
		found := false
		for _, event := range events {
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
			g.Add(m.plain().caseOf(states, jen.Switch(jen.Id("on")).BlockFunc(func(g *jen.Group) {
				for _, event := range events {
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
func (m *stateMachine) row(g *jen.Group, row *ir.Row) {
	match := "rt.MatchExact"
	if row.FromAny() {
		match = "rt.MatchCatchAll"
	}
	if row.When == nil {
		g.Return(m.state(row.To.State), in(match))
		return
	}
	v := &view{w: m.workflow, used: map[string]bool{}}
	g.Add(remark(row.When.Text.Value))
	g.If(v.formula(row.When.Formula)).Block(jen.Return(m.state(row.To.State), in("rt.MatchGuard")))
}

type eventName struct {
	on   string
	name string
}

// leave adds that the rest of a state is skipped when a person has answered and a row on that leads
// to another state.
func (b *paragraphs) leave(t *ir.Task) {
	_, asks := t.Do.(*ir.Ask)
	m, s := b.w.places[b.at].machine, b.w.places[b.at].state
	if !asks || m == nil {
		return
	}
	rows := m.do.Ways(s, ir.OnPause)
	if rows == nil {
		return
	}
	leaves := jen.Return(inWorkflow("Value").Values(), jen.Id("r").Dot("Leave").Call(b.variable(b.value)))
	switch {
	case rows[0].When != nil:
		b.leaveIf(m, s, leaves)
	case rows[0].To.State != s:
		b.add(jen.Line(), leaves)
		b.left = true
	}
}

// leaveIf adds that the state is left if the rows on a pause, which have guards, lead to another
// one.
func (b *paragraphs) leaveIf(m *stateMachine, s *ir.State, leaves jen.Code) {
	b.add(jen.If(
		jen.List(jen.Id("next"), jen.Id("match")).Op(":=").Id("r").Dot(m.method(names.Next)).Call(m.state(s), inWorkflow("Pause")),
		jen.Id("match").Op("!=").Add(in("rt.MatchNone")).Op("&&").Id("next").Op("!=").Add(m.state(s))).Block(leaves))
}

// statePlace is a state of a machine.
type statePlace struct {
	machine *stateMachine
	state   *ir.State
}
