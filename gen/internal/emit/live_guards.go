package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// judge emits the method that asks the guards of a live machine, and the one that finds the keys which lead to a state.
func (l *liveMachine) judge(f *jen.File) {
	if !l.use.any {
		return
	}
	memory := names.LiveMemory(l.name)
	args := []jen.Code{jen.Lit("")}
	if l.use.named {
		args = append(args, in("AskGuard"), jen.Id("m").Dot("guards"))
	}

	f.Add(comment("judge finds the row for key in s; the guards are asked right here."))
	f.Func().Params(jen.Id("m").Op("*").Id(memory)).Id("judge").
		Params(jen.Id("s").Id(l.stateType), jen.Id("key").Id(l.keyType), jen.Id("value").String()).
		Params(jen.Id("next").Id(l.stateType), jen.Id("judge").Op("*").Add(in("Judge")), jen.Id("ok").Bool()).
		BlockFunc(func(g *jen.Group) {
			g.Id("g").Op(":=").Id(names.NewGuards(l.name)).Call(args...)
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
		})
	f.Line()
	l.toward(f)
}

// toward emits the method that finds the keys of the rows that lead from a state to another one.
func (l *liveMachine) toward(f *jen.File) {
	f.Add(comment("toward returns the keys of the rows that lead from s to another state, whatever their guards say."))
	l.piece(f, function{
		params:  []jen.Code{jen.Id("to").Id(l.stateType)},
		results: jen.Index().Id(l.keyType),
		none:    []jen.Code{jen.Nil()},
		cases: func(g *jen.Group, states []*ir.State) {
			for _, s := range states {
				if targets, leading := leads(s); len(targets) > 0 {
					g.Case(l.state(s)).Block(jen.Switch(jen.Id("to")).BlockFunc(func(g *jen.Group) {
						for _, to := range targets {
							g.Case(l.state(to)).Block(jen.Return(jen.Index().Id(l.keyType).Values(list(l.keyNames(leading[to])))))
						}
					}))
				}
			}
		},
	}, "toward", l.ir.States)
}

// keyNames are the constants of keys; that for every key is a text.
func (l *liveMachine) keyNames(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = `"*"`
		if text != ir.CatchAll {
			all[i] = names.Key(l.name, text)
		}
	}

	return all
}

// leads returns the states to which rows of a state lead, in the order of the rows, and the keys of these rows.
func leads(s *ir.State) (targets []*ir.State, leading map[*ir.State][]string) {
	leading = map[*ir.State][]string{}
	add := func(to *ir.State, key string) {
		if leading[to] == nil {
			targets = append(targets, to)
		}
		leading[to] = append(leading[to], key)
	}
	if s.Always != nil {
		add(s.Always.State, ir.CatchAll)
	}
	for _, key := range append(s.Keys(), ir.CatchAll) {
		known := map[*ir.State]bool{}
		for _, row := range s.Try(key) {
			if to := row.To.State; !row.End && !known[to] {
				known[to] = true
				add(to, key)
			}
		}
	}

	return targets, leading
}
