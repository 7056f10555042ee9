package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// gateOf returns the machine of the gate of an agent; nil if it has none.
func gateOf(a *ir.Agent) *machine {
	n, isReact := a.Node.(*ir.React)
	if !isReact || n.Gate == nil {
		return nil
	}

	return newMachine(a, n.Gate.Machine)
}

// gate emits the statements that make the gate of a run: its table and, with guards, what asks them.
func (m *machine) gate(g *jen.Group) {
	next := fieldsOf("Next", jen.Id(m.stateType).Dot("Next"))
	if m.use.any {
		m.startGuards(g)
		next = fieldsOf("Judge", m.gateJudge())
	}
	enter := jen.Func().Params(jen.Id("s").Id(m.stateType)).Values(jen.Id("guards").Dot("Visits").Index(jen.Id("s")).Op("++"))
	table := slices.Concat(
		fieldsOf("Agent", m.name, "Initial", m.state(m.ir.Initial.State), "Keys", wanted(len(m.keys) > 0, jen.Id(m.stateType).Dot("Keys"))),
		next,
		fieldsOf("Enter", wanted(m.use.any, enter), "Signals", listOf(in("signals.Rule"), signalRules(m.ir.Live.Signals, false))))
	g.Id("gate").Op(":=").Add(in("rt.NewGate")).Call(
		in("rt.GateTable").Types(jen.Id(m.stateType), jen.Id(m.keyType)).Add(table.braces()))
	g.Line()
}

// gateJudge is the function that asks the guards of a row.
func (m *machine) gateJudge() *jen.Statement {
	guards := jen.Id("guards")

	return jen.Func().Params(jen.Id("s").Id(m.stateType), jen.Id("key").Id(m.keyType), jen.Id("value").String()).
		Params(jen.Id(m.stateType), jen.Op("*").Add(in("rt.Judge")), jen.Bool()).Block(
		begin("guards", "s", jen.Id("value")),
		jen.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("s").Dot("Next").Call(jen.Id("key"), guards),
		jen.Line(),
		jen.Return(jen.Id("next"), guards, jen.Id("ok")))
}
