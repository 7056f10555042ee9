package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// events are the constants of package workflow, in the order in which they are emitted.
var events = []eventName{{ir.OnSuccess, "Success"}, {ir.OnFailure, "Failure"}, {ir.OnPause, "Pause"}}

// next emits the method that holds the rows: a switch over the states, and in it one over the
// events. Rows from every state are in a switch over the events behind or before it.
func (m *stateMachine) next(f *jen.File) {
	if len(m.do.Rows()) == 0 {
		return
	}
	name := m.method(names.Next)
	f.Add(comment(name + " returns the state to which the first row leads that fits a state and how its steps came out, and how it " +
		"was found; runtime.MatchNone without one."))
	f.Add(m.head(name, []jen.Code{jen.Id("state").Add(m.stateType()), jen.Id("on").Add(inWorkflow("Event"))},
		m.stateType(), in("Match"))).BlockFunc(func(g *jen.Group) {
		m.switches(g, m.rowsOn, func(g *jen.Group, depth int, row *ir.Row) { m.row(g, depth, row) })
		g.Line()
		g.Return(jen.Lit(0), in("MatchNone"))
	})
	f.Line()
}

// switches adds the rows that rowsOn returns for each event, each by add.
func (m *stateMachine) switches(g *jen.Group, rowsOn func(on string) []*ir.Row, add func(g *jen.Group, depth int, row *ir.Row)) {
	for _, rows := range layers(rowsOn) {
		if rows[0].FromAny() {
			g.Switch(jen.Id("on")).Block(eventCases(rows, 3, add)...)
			continue
		}
		byState := map[*ir.State][]*ir.Row{}
		for _, row := range rows {
			byState[row.From.State] = append(byState[row.From.State], row)
		}
		g.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
			for _, s := range m.do.States {
				if own := byState[s]; len(own) > 0 {
					g.Case(m.state(s)).Block(jen.Switch(jen.Id("on")).Block(eventCases(own, 5, add)...))
				}
			}
		})
	}
}

// eventCases returns the cases of a switch over the events.
func eventCases(rows []*ir.Row, depth int, add func(g *jen.Group, depth int, row *ir.Row)) []jen.Code {
	var cases []jen.Code
	for _, event := range events {
		on := slices.DeleteFunc(slices.Clone(rows), func(row *ir.Row) bool { return row.Key.Value != event.on })
		if len(on) == 0 {
			continue
		}
		cases = append(cases, jen.Case(inWorkflow(event.name)).BlockFunc(func(g *jen.Group) {
			for _, row := range on {
				add(g, depth, row)
			}
		}))
	}

	return cases
}

// layers divides rows into those of states and those from every state, in the order in which they
// are tried. The order of the rows on different events makes no difference, so that mostly there is
// one layer of each kind.
func layers(rowsOn func(on string) []*ir.Row) [][]*ir.Row {
	var all [][]*ir.Row
	for _, event := range events {
		at := 0
		for _, row := range rowsOn(event.on) {
			if row.FromAny() != (at%2 == 1) {
				at++
			}
			for len(all) <= at {
				all = append(all, nil)
			}
			all[at] = append(all[at], row)
		}
	}

	return slices.DeleteFunc(all, func(rows []*ir.Row) bool { return len(rows) == 0 })
}

// rowsOn returns the rows on an event that can be taken: none behind one that takes every run which
// comes to it.
func (m *stateMachine) rowsOn(on string) []*ir.Row {
	var rows []*ir.Row
	over := map[*ir.State]bool{}
	for _, row := range m.do.Rows() {
		if row.Key.Value != on || !row.FromAny() && over[row.From.State] {
			continue
		}
		rows = append(rows, row)
		switch {
		case row.When != nil:
		case row.FromAny():
			return rows
		default:
			over[row.From.State] = true
		}
	}

	return rows
}

// row adds a row: its guard, as it is written and in Go, and what it gives.
func (m *stateMachine) row(g *jen.Group, depth int, row *ir.Row) {
	match := "MatchExact"
	if row.FromAny() {
		match = "MatchCatchAll"
	}
	if row.When == nil {
		g.Return(m.state(row.To.State), in(match))
		return
	}
	v := &view{w: m.workflow, used: map[string]bool{}}
	g.Add(remark(row.When.Text.Value))
	g.If(v.formula(depth, row.When.Formula)).Block(jen.Return(m.state(row.To.State), in("MatchGuard")))
}

type eventName struct {
	on   string
	name string
}

// leave adds that the rest of a state is skipped when a person has answered and a row on that leads
// to another state.
func (b *paragraphs) leave(t *ir.Task) {
	if !asksPerson(t) {
		return
	}
	m, s := b.w.around(b.at)
	if m == nil {
		return
	}
	for _, row := range m.rowsOn(ir.OnPause) {
		if !row.FromAny() && row.From.State != s {
			continue
		}
		leaves := jen.Return(inWorkflow("None"), inWorkflow("Leave").Call(b.variable(b.value)))
		switch {
		case row.When != nil:
			b.leaveIf(m, s, leaves)
		case row.To.State != s:
			b.add(jen.Line(), leaves)
			b.left = true
		}
		return
	}
}

// leaveIf adds that the state is left if the rows on a pause, which have guards, lead to another
// one.
func (b *paragraphs) leaveIf(m *stateMachine, s *ir.State, leaves jen.Code) {
	b.add(jen.If(
		jen.List(jen.Id("next"), jen.Id("match")).Op(":=").Id("r").Dot(m.method(names.Next)).Call(m.state(s), inWorkflow("Pause")),
		jen.Id("match").Op("!=").Add(in("MatchNone")).Op("&&").Id("next").Op("!=").Add(m.state(s))).Block(leaves))
}

func asksPerson(t *ir.Task) bool {
	_, asks := t.Do.(*ir.Hitl)

	return asks
}

// around returns the innermost machine that a pipeline is in, and the state; nil outside of all
// machines.
func (w *workflow) around(p *ir.Pipeline) (*stateMachine, *ir.State) {
	if w.places == nil {
		w.places = map[*ir.Pipeline]statePlace{}
		w.locate(w.ir.Body, statePlace{})
	}
	at := w.places[p]

	return at.machine, at.state
}

// statePlace is a state of a machine.
type statePlace struct {
	machine *stateMachine
	state   *ir.State
}

// locate notes in which state a pipeline is, and those inside of it.
func (w *workflow) locate(p *ir.Pipeline, at statePlace) {
	if p == nil {
		return
	}
	w.places[p] = at
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			do, isMachine := t.Do.(*ir.Machine)
			if !isMachine {
				for _, inside := range t.Pipelines() {
					w.locate(inside, at)
				}
				continue
			}
			for _, s := range do.States {
				w.locate(s.Body, statePlace{w.machineOf(p, t, do), s})
			}
		}
	}
}
