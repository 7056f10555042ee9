package emit

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/dave/jennifer/jen"
)

// canonicalKey emits CanonicalKey.
func (m *machine) canonicalKey(f *jen.File) {
	declare(f, "CanonicalKey returns the key of the row in s that answer means, and how it was found: the exact row, else "+
		"the one that is equal when both are trimmed and lower-cased, else the row for every key. An answer that has no row "+
		"of its own is returned as it is.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("CanonicalKey").Params(jen.Id("answer").String()).
			Params(jen.Id(m.keyType), in("rt.Match")).BlockFunc(func(g *jen.Group) {
			rest := m.rest(g)
			if len(m.keys) == 0 {
				g.Return(jen.Id(m.keyType).Call(jen.Id("answer")), rest)
				return
			}
			g.Return(in("rt.MatchKey").Call(jen.Id("answer"), m.keysIn(), rest))
		}))
}

// keysIn are the keys of the rows in s.
func (m *machine) keysIn() *jen.Statement {
	return in("rt.KeysIn").Call(jen.Id(names.KeyLists(m.name)), jen.Id("s"))
}

// rest returns how an answer is found that no key means: by the row for every key of its state, if that has one.
func (m *machine) rest(g *jen.Group) *jen.Statement {
	var always, catchAll []*ir.State
	for _, s := range m.ir.States {
		switch {
		case s.Always != nil:
			always = append(always, s)
		case hasCatchAll(s):
			catchAll = append(catchAll, s)
		}
	}
	if len(always)+len(catchAll) == 0 {
		return in("rt.MatchNone")
	}
	g.Id("rest").Op(":=").Add(in("rt.MatchNone"))
	g.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
		if len(catchAll) > 0 {
			g.Add(m.caseOf(catchAll, jen.Id("rest").Op("=").Add(in("rt.MatchCatchAll"))))
		}
		if len(always) > 0 {
			g.Add(m.caseOf(always, jen.Id("rest").Op("=").Add(in("rt.MatchUnconditional"))))
		}
	})
	g.Line()

	return jen.Id("rest")
}

// keysOf emits Keys, and the list behind it. The keys are data, as the names of the states are, so that Go compiles very many quickly.
func (m *machine) keysOf(f *jen.File) {
	if len(m.keys) == 0 {
		return
	}
	var lines []jen.Code
	for _, s := range m.ir.States {
		if keys := s.Keys(); len(keys) > 0 {
			for i, key := range keys {
				keys[i] = names.Key(m.name, key)
			}
			lines = append(lines, m.state(s).Op(":").Values(list(keys)))
		}
	}
	declare(f, names.KeyLists(m.name)+" are the keys of the rows by state.",
		jen.Var().Id(names.KeyLists(m.name)).Op("=").Index().Index().Id(m.keyType).Custom(block, lines...))
	declare(f, "Keys returns the keys of the rows in s in the order of the source, without the catch-all.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Keys").Params().Index().Id(m.keyType).Block(
			jen.Return(jen.Qual("slices", "Clone").Call(m.keysIn()))))
}
