package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// startGuards adds that a run makes what asks its guards.
func (m *machine) startGuards(g *jen.Group) {
	byState := func(element jen.Code) *jen.Statement {
		return jen.Make(jen.Index().Add(element), jen.Lit(len(m.ir.States)+1))
	}
	judge := fieldsOf(
		"Machine", m.name,
		"Input", jen.Id("input"),
		"Visits", byState(jen.Int64()),
		"Values", wanted(m.use.steps, byState(jen.String())),
		"Call", wanted(m.use.named, jen.Id("fx").Dot("Guard")),
		"Guards", wanted(m.use.named, jen.Id(names.NamedGuards).Call(jen.Id("a").Dot("guards"))))
	g.Id("guards").Op(":=").Op("&").Add(in("rt.Judge")).Add(judge.braces())
}

func (m *machine) stateCalled(name string) *ir.State {
	return ir.First(m.ir.States, func(s *ir.State) bool { return s.Name.Value == name })
}

// guardUse is what the guards of a machine ask for.
type guardUse struct {
	// any says that there are guards, named that one of them is a method of Guards, steps that
	// expressions read what agents gave.
	any, named, steps bool
}

func guardUseOf(m *ir.Machine) guardUse {
	var use guardUse
	for _, guard := range m.Guards() {
		use.any = true
		use.named = use.named || guard.Func != nil
		guard.Formula.Walk(func(access *ir.Access) {
			use.steps = use.steps || access.Root == ir.RootStep || access.Root == ir.RootSteps
		})
	}

	return use
}

// scalar returns what an access in a guard reads as a scalar of Go.
func (m *machine) scalar(x *ir.Access) scalarExpr {
	text := m.text(x.Root)
	switch {
	case len(x.Path) == 0 && text != nil:
		return known(ir.SchemaString, text)
	case len(x.Path) == 1 && x.Root == ir.RootVisits:
		if s := m.stateCalled(x.Path[0].Name.Value); s != nil {
			return known(ir.SchemaInteger, m.visitsOf(s))
		}
	}

	return scalarExpr{}
}

// text returns the Go text at which an access begins; nil if it begins at anything else.
func (m *machine) text(root ir.Root) *jen.Statement {
	switch root {
	case ir.RootKey:
		return jen.String().Call(jen.Id("key"))
	case ir.RootValue:
		return jen.Id("g").Dot("Value")
	case ir.RootInput:
		return jen.Id("g").Dot("Input")
	}

	return nil
}

func (m *machine) visitsOf(s *ir.State) *jen.Statement {
	return jen.Id("g").Dot("Visits").Index(m.state(s))
}

// readRoot returns the value at which an access begins.
func (m *machine) readRoot(x *ir.Access) *jen.Statement {
	switch x.Root {
	case ir.RootData:
		return inWorkflow("DataOf").Call(jen.Id("g"))
	case ir.RootStep:
		return m.stepValue(x.Output)
	case ir.RootSteps:
		return m.allOf(len(m.ir.Outputs), func(i int) (string, *jen.Statement) {
			return m.ir.Outputs[i].Name.Value, m.stepValue(m.ir.Outputs[i])
		})
	case ir.RootVisits:
		return m.allOf(len(m.ir.States), func(i int) (string, *jen.Statement) {
			return m.ir.States[i].Name.Value, inWorkflow("Int").Call(m.visitsOf(m.ir.States[i]))
		})
	}

	return inWorkflow("Text").Call(m.text(x.Root))
}

func (m *machine) stepValue(o *ir.Output) *jen.Statement {
	return inWorkflow("Gave").Call(jen.Id("g").Dot("Values").Index(m.state(m.stateCalled(o.Name.Value))))
}

// allOf returns an object of n members, without those that are none.
func (m *machine) allOf(n int, member func(i int) (string, *jen.Statement)) *jen.Statement {
	members := make([]jen.Code, n)
	for i := range n {
		name, value := member(i)
		members[i] = memberOf(jen.Lit(name), value)
	}

	return listed(inWorkflow("Object"), members).Dot("Present").Call()
}

// gate emits the statements that make the gate of a run: its table and, with guards, what asks
// them.
func (m *machine) gate(g *jen.Group) {
	next := jen.Id(m.stateType).Dot("Next")
	decides := fieldsOf("Next", next)
	if m.use.any {
		m.startGuards(g)
		decides = fieldsOf("Guarded", next, "Guards", jen.Id("guards"))
	}
	table := slices.Concat(
		fieldsOf("Agent", m.name, "Initial", m.state(m.ir.Initial.State), "Keys", wanted(len(m.keys) > 0, jen.Id(m.stateType).Dot("Keys"))),
		decides,
		fieldsOf("Signals", listOf(in("signals.Rule"), signalRules(m.ir.Live.Signals, false))))
	g.Id("gate").Op(":=").Add(in("rt.GateTable")).Types(jen.Id(m.stateType), jen.Id(m.keyType)).Add(table.braces())
	g.Line()
}
