package emit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// canonicalKey emits CanonicalKey, and rowKey, which it asks.
func (m *machine) canonicalKey(f *jen.File) {
	f.Add(comment("CanonicalKey returns the key of the row in s that answer means, and how it was found: the exact row, else " +
		"the one that is equal when both are trimmed and lower-cased, else whatever leads on for every key. An answer that " +
		"has no row of its own is returned as it is."))
	f.Func().Params(jen.Id("s").Id(m.stateType)).Id("CanonicalKey").Params(jen.Id("answer").String()).
		Params(jen.Id(m.keyType), in("Match")).BlockFunc(func(g *jen.Group) {
		asKey := jen.Id(m.keyType).Call(jen.Id("answer"))
		if len(m.keys) > 0 {
			g.If(jen.List(jen.Id("key"), jen.Id("ok")).Op(":=").Id("s").Dot("rowKey").Call(asKey.Clone()),
				jen.Id("ok").Op("&&").String().Call(jen.Id("key")).Op("==").Id("answer")).
				Block(jen.Return(jen.Id("key"), in("MatchExact")))
			g.If(jen.List(jen.Id("key"), jen.Id("ok")).Op(":=").Id("s").Dot("rowKey").Call(
				jen.Id(m.keyType).Call(in("FoldKey").Call(jen.Id("answer")))), jen.Id("ok")).
				Block(jen.Return(jen.Id("key"), in("MatchFolded")))
			g.Line()
		}
		m.fallbacks(g, asKey)
		g.Return(asKey.Clone(), in("MatchNone"))
	})
	f.Line()

	if len(m.keys) > 0 {
		m.rowKey(f)
	}
}

// fallbacks emits the cases of the states that every key leads out of.
func (m *machine) fallbacks(g *jen.Group, asKey *jen.Statement) {
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
		return
	}

	g.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
		if len(catchAll) > 0 {
			g.Add(m.caseOf(catchAll, jen.Return(asKey.Clone(), in("MatchCatchAll"))))
		}
		if len(always) > 0 {
			g.Add(m.caseOf(always, jen.Return(asKey.Clone(), in("MatchUnconditional"))))
		}
	})
	g.Line()
}

// rowKey emits the function that finds a row's key by its text or its folded text.
func (m *machine) rowKey(f *jen.File) {
	fn := function{
		name: "rowKey", pieces: groupedPieces(m.ir.States, keySet),
		doc:     "rowKey returns the key of the row in s that key names, as it stands there or folded.",
		params:  []jen.Code{jen.Id("key").Id(m.keyType)},
		args:    []jen.Code{jen.Id("key")},
		results: jen.Params(jen.Id("row").Id(m.keyType), jen.Id("ok").Bool()),
		none:    []jen.Code{jen.Lit(""), jen.False()},
		cases: func(g *jen.Group, states []*ir.State) {
			for _, group := range groupsOf(states, keySet) {
				g.Add(m.caseOf(group, m.rowKeySwitch(group[0].Keys())))
			}
		},
	}
	if len(groupsOf(m.ir.States, keySet)) > listedGroups {
		if blind, own := m.unlikeNext(); len(own) <= keyGroups {
			m.rowKeyByNext(f, fn, blind, own)

			return
		}
	}
	m.cut(f, fn)
}

// unlikeNext returns the states in which Next does not know the rows' keys: blind ones, in which every key leads on and no row has
// one, and groups of others, which have a catch-all beside keys, a guard, or a key that is not its own folded text.
func (m *machine) unlikeNext() (blind []*ir.State, own [][]*ir.State) {
	var listed []*ir.State
	for _, s := range m.ir.States {
		texts := s.Keys()
		unfolded := func(key string) bool { return ir.FoldKey(key) != key }
		switch {
		case s.Terminal():
		case len(texts) == 0:
			blind = append(blind, s)
		case hasCatchAll(s) || guarded(s) || slices.ContainsFunc(texts, unfolded):
			listed = append(listed, s)
		}
	}

	return blind, groupsOf(listed, keyList)
}

// rowKeyByNext emits rowKey so that it asks Next, but for the states in which that would find too much or too little.
func (m *machine) rowKeyByNext(f *jen.File, fn function, blind []*ir.State, own [][]*ir.State) {
	f.Add(comment(fn.doc))
	f.Func().Params(jen.Id("s").Id(m.stateType)).Id(fn.name).Params(fn.params...).Add(fn.results).BlockFunc(func(g *jen.Group) {
		if len(blind)+len(own) > 0 {
			g.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
				if len(blind) > 0 {
					g.Add(m.caseOf(blind, jen.Return(fn.none...)))
				}
				for _, group := range own {
					g.Add(m.caseOf(group, m.rowKeySwitch(group[0].Keys()), jen.Line(), jen.Return(fn.none...)))
				}
			})
			g.Line()
		}
		args := []jen.Code{jen.Id("key")}
		if m.use.any {
			args = append(args, jen.Nil()) // nothing is asked in these states
		}
		g.List(jen.Id("_"), jen.Id("ok")).Op("=").Id("s").Dot("Next").Call(args...)
		g.Line()
		g.Return(jen.Id("key"), jen.Id("ok"))
	})
	f.Line()
}

func (m *machine) rowKeySwitch(texts []string) jen.Code {
	constants := make([]string, len(texts))
	for i, key := range texts {
		constants[i] = names.Key(m.name, key)
	}

	return jen.Switch(jen.Id("key")).BlockFunc(func(g *jen.Group) {
		g.Case(list(constants)).Block(jen.Return(jen.Id("key"), jen.True()))
		for _, key := range texts {
			if folded := ir.FoldKey(key); folded != key {
				g.Case(jen.Lit(folded)).Block(jen.Return(m.key(key), jen.True()))
			}
		}
	})
}

// keysOf emits Keys.
func (m *machine) keysOf(f *jen.File) {
	if len(m.keys) == 0 {
		return
	}

	m.cut(f, function{
		name: "Keys", pieces: groupedPieces(m.ir.States, keyList),
		doc:     "Keys returns the keys of the rows in s in the order of the source, without the catch-all.",
		results: jen.Index().Id(m.keyType),
		none:    []jen.Code{jen.Nil()},
		cases: func(g *jen.Group, states []*ir.State) {
			for _, group := range groupsOf(states, keyList) {
				g.Add(m.caseOf(group, jen.Return(m.keyList(group[0].Keys()))))
			}
		},
	})
}

func (m *machine) keyList(texts []string) jen.Code {
	constants := make([]string, len(texts))
	for i, key := range texts {
		constants[i] = names.Key(m.name, key)
	}

	return jen.Index().Id(m.keyType).Values(list(constants))
}

// keyList tells states apart whose rows have other keys, or in another order; "" for a state without any.
func keyList(s *ir.State) string { return strings.Join(literals(s.Keys()), ",") }

// keySet tells states apart whose rows have other keys.
func keySet(s *ir.State) string {
	texts := s.Keys()
	slices.Sort(texts)

	return strings.Join(literals(texts), ",")
}

// groupsOf returns the states that have row keys, those with the same signature together, in the order of their first
// states.
func groupsOf(states []*ir.State, signature func(*ir.State) string) [][]*ir.State {
	var groups [][]*ir.State
	index := map[string]int{}
	for _, s := range states {
		group := signature(s)
		if group == "" {
			continue
		}
		i, known := index[group]
		if !known {
			i = len(groups)
			index[group] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}

	return groups
}
