package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// addGuards adds the creation of the guards of a run.
func (m *machine) addGuards(g *jen.Group) {
	byState := func(element jen.Code) *jen.Statement {
		return jen.Make(jen.Index().Add(element), jen.Lit(len(m.ir.States)+1))
	}
	judge := newFields(
		"Machine", m.name,
		"Input", jen.Id("input"),
		"Visits", byState(jen.Int64()),
		"Values", codeIf(m.use.steps, byState(jen.String())),
		"Call", codeIf(m.use.named, jen.Id("fx").Dot("Guard")),
		"Guards", codeIf(m.use.named, jen.Id(names.NamedGuards).Call(jen.Id("a").Dot("guards"))))
	g.Id("guards").Op(":=").Op("&").Add(inRuntime("rt.Judge")).Add(judge.onLines())
}

func (m *machine) findState(name string) *ir.State {
	return ir.First(m.ir.States, func(s *ir.State) bool { return s.Name.Value == name })
}

// guardUse describes the guards of a machine.
type guardUse struct {
	// any is set if there are guards, named if one of them is a method of Guards, steps if
	// expressions read outputs of agents.
	any, named, steps bool
}

func collectGuardUse(m *ir.Machine) guardUse {
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

// guardScalar returns an access in a guard as a scalar of Go.
func (m *machine) guardScalar(x *ir.Access) scalarExpr {
	text := m.rootText(x.Root)
	switch {
	case len(x.Path) == 0 && text != nil:
		return alwaysThere(ir.SchemaString, text)
	case len(x.Path) == 1 && x.Root == ir.RootVisits:
		if s := m.findState(x.Path[0].Name.Value); s != nil {
			return alwaysThere(ir.SchemaInteger, m.visitsCode(s))
		}
	}

	return scalarExpr{}
}

// rootText returns the Go text at which an access begins, or nil if it begins with another value.
func (m *machine) rootText(root ir.Root) *jen.Statement {
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

func (m *machine) visitsCode(s *ir.State) *jen.Statement {
	return jen.Id("g").Dot("Visits").Index(m.stateConstant(s))
}

// rootCode returns the value at which an access begins.
func (m *machine) rootCode(x *ir.Access) *jen.Statement {
	switch x.Root {
	case ir.RootData:
		return inWorkflow("DataOf").Call(jen.Id("g"))
	case ir.RootStep:
		return m.stepValueCode(x.Output)
	case ir.RootSteps:
		return m.objectCode(len(m.ir.Outputs), func(i int) (string, *jen.Statement) {
			return m.ir.Outputs[i].Name.Value, m.stepValueCode(m.ir.Outputs[i])
		})
	case ir.RootVisits:
		return m.objectCode(len(m.ir.States), func(i int) (string, *jen.Statement) {
			return m.ir.States[i].Name.Value, inWorkflow("Int").Call(m.visitsCode(m.ir.States[i]))
		})
	}

	return inWorkflow("Text").Call(m.rootText(x.Root))
}

func (m *machine) stepValueCode(o *ir.Output) *jen.Statement {
	return inWorkflow("ParseOrText").Call(jen.Id("g").Dot("Values").Index(m.stateConstant(m.findState(o.Name.Value))))
}

// objectCode returns an object of n members, without missing ones.
func (m *machine) objectCode(n int, member func(i int) (string, *jen.Statement)) *jen.Statement {
	members := make([]jen.Code, n)
	for i := range n {
		name, value := member(i)
		members[i] = memberCode(jen.Lit(name), value)
	}

	return callWithArgs(inWorkflow("Object"), members).Dot("WithoutNone").Call()
}

// addGate adds the statements that make the gate of a run: its table and its guards.
func (m *machine) addGate(g *jen.Group) {
	next := jen.Id(m.stateType).Dot("Next")
	decides := newFields("Next", next)
	if m.use.any {
		m.addGuards(g)
		decides = newFields("Guarded", next, "Guards", jen.Id("guards"))
	}
	table := slices.Concat(
		newFields("Agent", m.name, "Initial", m.stateConstant(m.ir.Initial.State), "Keys", codeIf(len(m.keys) > 0, jen.Id(m.stateType).Dot("Keys"))),
		decides,
		newFields("Signals", structList(inRuntime("signals.Rule"), signalRulesCode(m.ir.Live.Signals, false))))
	g.Id("gate").Op(":=").Add(inRuntime("rt.GateTable")).Types(jen.Id(m.stateType), jen.Id(m.keyType)).Add(table.onLines())
	g.Line()
}
