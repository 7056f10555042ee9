package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
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
			g.Var().Id("keys").Index(jen.Lit(m.mostKeys())).Id(m.keyType)
			g.Line()
			g.Return(in("rt.MatchKey").Call(jen.Id("answer"),
				jen.Id("s").Dot("appendKeys").Call(jen.Id("keys").Index(jen.Empty(), jen.Lit(0))), rest))
		}))
}

// mostKeys is how many keys a state has at most; CanonicalKey has room for so many without asking for memory.
func (m *machine) mostKeys() int {
	most := 0
	for _, s := range m.ir.States {
		most = max(most, len(s.Keys()))
	}

	return min(most, 256)
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

// keysOf emits Keys, and the method behind it that lists them.
func (m *machine) keysOf(f *jen.File) {
	if len(m.keys) == 0 {
		return
	}

	declare(f, "Keys returns the keys of the rows in s in the order of the source, without the catch-all.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Keys").Params().Index().Id(m.keyType).Block(
			jen.Return(jen.Id("s").Dot("appendKeys").Call(jen.Nil()))))
	m.cut(f, function{
		name: "appendKeys", pieces: slicesOf(m.ir.States, keyGroups),
		doc:     "appendKeys appends the keys of the rows in s to keys.",
		params:  []jen.Code{jen.Id("keys").Index().Id(m.keyType)},
		args:    []jen.Code{jen.Id("keys")},
		results: jen.Index().Id(m.keyType),
		none:    []jen.Code{jen.Id("keys")},
		cases: func(g *jen.Group, states []*ir.State) {
			for _, group := range groupsOf(states) {
				g.Add(m.caseOf(group, jen.Return(m.appended(group[0].Keys()))))
			}
		},
	})
}

func (m *machine) appended(texts []string) jen.Code {
	constants := make([]string, len(texts))
	for i, key := range texts {
		constants[i] = names.Key(m.name, key)
	}

	return jen.Append(jen.Id("keys"), list(constants))
}

// keyList is different for states whose rows have other keys, or in another order; "" for a state without any.
func keyList(s *ir.State) string { return strings.Join(literals(s.Keys()), ",") }

// groupsOf returns the states that have row keys, those with the same ones together, in the order of their first states.
func groupsOf(states []*ir.State) [][]*ir.State {
	var groups [][]*ir.State
	index := map[string]int{}
	for _, s := range states {
		group := keyList(s)
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
