package emit

import "github.com/dave/jennifer/jen"

// guardsOfRun are the arguments with which a run of a machine makes what asks its guards.
func (m *machine) guardsOfRun() []jen.Code {
	if !m.use.named {
		return []jen.Code{jen.Id("input")}
	}

	return []jen.Code{jen.Id("input"), jen.Id("fx").Dot("Guard"), jen.Id("a").Dot("guards")}
}

// judgedStep emits how a row with guards is found and taken.
func (m *machine) judgedStep(g *jen.Group) {
	judge := jen.Op("&").Id("guards").Dot("Judge")
	valid := jen.Nil()
	if len(m.keys) > 0 {
		valid = in("Texts").Call(jen.Id("state").Dot("Keys").Call())
	}
	g.Id("guards").Dot("Begin").Call(jen.Id("state"), jen.Id("key"), jen.Id("walk").Dot("Value").Call())
	g.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("state").Dot("Next").Call(jen.Id("key"), jen.Id("guards"))
	g.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Id("walk").Dot("Refuse").Call(judge, valid)))
	g.Id("walk").Dot("TakeJudged").Call(judge.Clone(), jen.Id("match"), jen.Id("next").Dot("String").Call())
	g.Id("state").Op("=").Id("next")
}
