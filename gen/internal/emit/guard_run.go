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

// judgedStep emits how a row with guards is found and taken.
func (m *machine) judgedStep(g *jen.Group) {
	valid := jen.Nil()
	if len(m.keys) > 0 {
		valid = in("rt.Texts").Call(jen.Id("state").Dot("Keys").Call())
	}
	g.Add(begin("guards", "state", jen.Id("walk").Dot("Value").Call()))
	g.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("state").Dot("Next").Call(jen.Id("key"), jen.Id("guards"))
	g.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Id("walk").Dot("Refuse").Call(jen.Id("guards"), valid)))
	g.Id("walk").Dot("TakeJudged").Call(jen.Id("guards"), jen.Id("match"), jen.Id("next").Dot("String").Call())
	g.Id("state").Op("=").Id("next")
}

func (m *machine) stateCalled(name string) *ir.State {
	for _, s := range m.ir.States {
		if s.Name.Value == name {
			return s
		}
	}

	return nil
}
