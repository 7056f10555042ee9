package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// judge emits the method that asks the guards of a live machine.
func (l *liveMachine) judge(f *jen.File) {
	if !l.use.any {
		return
	}
	memory := names.LiveMemory(l.name)
	declare(f, "judge finds the row for key in s. suppose, if it is not nil, answers for the guards.",
		jen.Func().Params(jen.Id("m").Op("*").Id(memory)).Id("judge").Custom(broken,
			jen.Id("s").Id(l.stateType), jen.Id("key").Id(l.keyType), jen.Id("value").String(),
			jen.Id("suppose").Func().Params(jen.String()).Bool()).
			Params(jen.Id("next").Id(l.stateType), jen.Id("judge").Op("*").Add(in("rt.Judge")), jen.Id("ok").Bool()).
			BlockFunc(func(g *jen.Group) {
				g.Id("g").Op(":=").Add(l.madeGuards(jen.Lit(""), in("rt.AskGuard"), jen.Id("m").Dot("guards")))
				g.Id("g").Dot("Suppose").Op("=").Id("suppose")
				if l.use.counts() {
					g.Id("g").Dot("Visits").Op("=").Op("&").Id("m").Dot("visits")
				}
				if len(l.use.steps) > 0 {
					g.For(jen.List(jen.Id("state"), jen.Id("kept")).Op(":=").Range().Id("m").Dot("values")).Block(
						jen.If(jen.Id("kept").Op("!=").Lit("")).Block(
							jen.Id("g").Dot("Steps").Dot("keep").Call(jen.Id(l.stateType).Call(jen.Id("state")), jen.Id("kept"))))
				}
				g.Id("g").Dot("Begin").Call(jen.Id("s"), jen.Id("key"), jen.Id("value"))
				g.List(jen.Id("next"), jen.Id("ok")).Op("=").Id("s").Dot("Next").Call(jen.Id("key"), jen.Id("g"))
				g.Line()
				g.Return(jen.Id("next"), jen.Op("&").Id("g").Dot("Judge"), jen.Id("ok"))
			}))
}
