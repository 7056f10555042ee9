package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// judges emits the method that asks the guards of a live machine.
func (l *liveMachine) judges(f *jen.File) {
	if !l.use.any {
		return
	}
	memory := names.LiveMemory(l.name)
	values := jen.Qual("slices", "Clone").Call(jen.Id("m").Dot("values").Index(jen.Op(":"))) // the memory does not change
	declare(f, "judge finds the row for key in s. suppose, if it is not nil, answers for the guards.",
		jen.Func().Params(jen.Id("m").Op("*").Id(memory)).Id("judge").Custom(broken,
			jen.Id("s").Id(l.stateType), jen.Id("key").Id(l.keyType), jen.Id("value").String(),
			jen.Id("suppose").Func().Params(jen.String()).Bool()).
			Params(jen.Id("next").Id(l.stateType), jen.Id("judge").Op("*").Add(in("rt.Judge")), jen.Id("ok").Bool()).
			BlockFunc(func(g *jen.Group) {
				g.Id("g").Op(":=").Add(l.machine.judge(nil, jen.Id("m").Dot("visits").Index(jen.Op(":")), values, in("rt.AskGuard"), jen.Id("m").Dot("guards")))
				g.Id("g").Dot("Suppose").Op("=").Id("suppose")
				g.Add(begin("g", "s", jen.Id("value")))
				g.List(jen.Id("next"), jen.Id("ok")).Op("=").Id("s").Dot("Next").Call(jen.Id("key"), jen.Id("g"))
				g.Line()
				g.Return(jen.Id("next"), jen.Id("g"), jen.Id("ok"))
			}))
}
