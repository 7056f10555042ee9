package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// What the names in the guards of an fsm are in Go.

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
		members[i] = inWorkflow("Member").Values(jen.Id("Name").Op(":").Lit(name), jen.Id("Value").Op(":").Add(value))
	}

	return listed(inWorkflow("Present"), members)
}
