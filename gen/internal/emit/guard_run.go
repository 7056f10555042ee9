package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// judge is what asks the guards: with the input of a run, how often states were entered, the values of their agents, what evaluates
// named guards, and these; ask is nil where all of them are supposed.
func (m *machine) judge(input, visits, values *jen.Statement, ask, guards jen.Code) *jen.Statement {
	l := fieldsOf("Machine", m.name, "Input", input, "Visits", visits, "Values", wanted(m.use.steps, values))
	if m.use.named && ask != nil {
		l = append(l, keyed("Call", ask), keyed("Guards", jen.Id(names.NamedGuards).Call(guards)))
	}

	return jen.Op("&").Add(in("rt.Judge")).Add(l.braces())
}

// byState is a list with room for every state.
func (m *machine) byState(element jen.Code) *jen.Statement {
	return jen.Make(jen.Index().Add(element), jen.Lit(len(m.ir.States)+1))
}

// startGuards adds that a run makes what asks its guards.
func (m *machine) startGuards(g *jen.Group) {
	g.Id("guards").Op(":=").Add(m.judge(jen.Id("input"), m.byState(jen.Int64()), m.byState(jen.String()),
		jen.Id("fx").Dot("Guard"), jen.Id("a").Dot("guards")))
}

// begin makes what asks the guards ready for a key in a state, and the value that came with it.
func begin(guards, state string, value jen.Code) *jen.Statement {
	return in("rt.Begin").Call(jen.Id(guards), jen.Id(state), jen.Id("key"), value)
}

func (m *machine) stateCalled(name string) *ir.State {
	for _, s := range m.ir.States {
		if s.Name.Value == name {
			return s
		}
	}

	return nil
}

// guardUse is what the guards of a machine ask for.
type guardUse struct {
	// any says that there are guards, named that one of them is a method of Guards, steps that expressions read what agents gave.
	any, named, steps bool
}

func guardUseOf(m *ir.Machine) guardUse {
	var use guardUse
	for _, s := range m.States {
		for _, row := range s.Rows {
			if row.When == nil {
				continue
			}
			use.any = true
			use.named = use.named || row.When.Func != nil
			row.When.Formula.Walk(func(x ir.Expression) {
				access, isAccess := x.(*ir.Access)
				use.steps = use.steps || isAccess && (access.Root == ir.RootStep || access.Root == ir.RootSteps)
			})
		}
	}

	return use
}
