package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// What the names in the guards of an fsm are in Go.

// kindOfRead returns the Go type of what an access in a guard reads; 0 for a value.
func (m *machine) kindOfRead(x *ir.Access) goScalar {
	switch x.Root {
	case ir.RootKey, ir.RootValue, ir.RootInput:
		if len(x.Path) == 0 {
			return scalarText
		}
	case ir.RootVisits:
		if m.visited(x) != nil {
			return scalarInt
		}
	}

	return 0
}

// visited returns the state whose visits an access reads; nil if it is no single state.
func (m *machine) visited(x *ir.Access) *ir.State {
	if len(x.Path) != 1 {
		return nil
	}

	return m.stateCalled(x.Path[0].Name.Value)
}

// read returns what has a Go type.
func (m *machine) read(x *ir.Access) *jen.Statement {
	switch x.Root {
	case ir.RootKey:
		return jen.String().Call(jen.Id("key"))
	case ir.RootValue:
		return jen.Id("g").Dot("Value")
	case ir.RootInput:
		return jen.Id("g").Dot("Input")
	}

	return m.visitsOf(m.visited(x))
}

func (m *machine) visitsOf(s *ir.State) *jen.Statement {
	return jen.Id("g").Dot("Visits").Index(m.state(s))
}

// readRoot returns the value at which an access begins.
func (m *machine) readRoot(x *ir.Access) *jen.Statement {
	switch x.Root {
	case ir.RootData:
		return jen.Id("g").Dot("Data")
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

	return inWorkflow("Text").Call(m.read(x))
}

func (m *machine) stepValue(o *ir.Output) *jen.Statement {
	return jen.Id("g").Dot("Steps").Dot(names.StepField(o.Name.Value))
}

// allOf returns an object of n members, without those that are none.
func (m *machine) allOf(n int, member func(i int) (string, *jen.Statement)) *jen.Statement {
	members := make([]jen.Code, n)
	for i := range n {
		name, value := member(i)
		members[i] = inWorkflow("Member").Values(jen.Id("Name").Op(":").Lit(name), jen.Id("Value").Op(":").Add(value))
	}

	return listed(inWorkflow("Present"), members, n > 1)
}
