package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// madeGuards is the call that makes what asks the guards: with the input of a run, what evaluates named guards, and these.
func (m *machine) madeGuards(input, ask, guards jen.Code) *jen.Statement {
	args := []jen.Code{input, ask, guards}
	if !m.use.named {
		args = args[:1]
	}

	return jen.Id(names.NewGuards(m.name)).Call(args...)
}

// startGuards adds that a run makes what asks its guards.
func (m *machine) startGuards(g *jen.Group) {
	g.Id("guards").Op(":=").Add(m.madeGuards(jen.Id("input"), jen.Id("fx").Dot("Guard"), jen.Id("a").Dot("guards")))
}

// judgedStep emits how a row with guards is found and taken.
func (m *machine) judgedStep(g *jen.Group) {
	judge := jen.Op("&").Id("guards").Dot("Judge")
	valid := jen.Nil()
	if len(m.keys) > 0 {
		valid = in("rt.Texts").Call(jen.Id("state").Dot("Keys").Call())
	}
	g.Id("guards").Dot("Begin").Call(jen.Id("state"), jen.Id("key"), jen.Id("walk").Dot("Value").Call())
	g.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("state").Dot("Next").Call(jen.Id("key"), jen.Id("guards"))
	g.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Id("walk").Dot("Refuse").Call(judge, valid)))
	g.Id("walk").Dot("TakeJudged").Call(judge.Clone(), jen.Id("match"), jen.Id("next").Dot("String").Call())
	g.Id("state").Op("=").Id("next")
}
