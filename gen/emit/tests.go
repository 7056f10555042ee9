package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
	"github.com/agentc-dev/agentc/gen/names"
)

// testDraft returns the file with the tests of the machines; nil if there are none.
func testDraft(p *ir.Program) *draft {
	var machines []*machine
	for _, a := range p.Agents {
		if m, isMachine := a.Node.(*ir.Machine); isMachine && len(m.States) > 0 {
			machines = append(machines, newMachine(a, m))
		}
	}
	if machines == nil {
		return nil
	}

	return &draft{
		name: names.TestFile, source: everything, sourceHash: sourceHash(sourcesOf(p)...),
		fill: func(f *jen.File) {
			for _, m := range machines {
				m.test(f)
			}
		},
	}
}

// test emits the test that asks a machine about every state and every key.
func (m *machine) test(f *jen.File) {
	last := m.ir.States[len(m.ir.States)-1]
	f.Func().Id(names.MachineTest(m.name)).Params(jen.Id("t").Op("*").Qual("testing", "T")).BlockFunc(func(g *jen.Group) {
		if len(m.keys) > 0 {
			m.testKeys(g)
		}
		g.For(jen.Id("i").Op(":=").Range().Add(m.state(last))).BlockFunc(func(g *jen.Group) {
			g.Id("s").Op(":=").Id("i").Op("+").Lit(1)
			m.testText(g, "s", names.ParseState(m.name), m.stateType)
			m.testUnknown(g)
			if len(m.keys) > 0 {
				m.testTotal(g)
				m.testRows(g)
			}
		})
	})
	f.Line()
}

// testText adds the round trips of a state or a key through its texts.
func (m *machine) testText(g *jen.Group, value, parse, typeName string) {
	v := func() *jen.Statement { return jen.Id(value) }
	g.If(
		jen.List(jen.Id("parsed"), jen.Err()).Op(":=").Id(parse).Call(v().Dot("String").Call()),
		jen.Err().Op("!=").Nil().Op("||").Id("parsed").Op("!=").Add(v()),
	).Block(errorf("%q parses to %q: %v", v(), jen.Id("parsed"), jen.Err()))
	g.List(jen.Id("text"), jen.Err()).Op(":=").Add(v()).Dot("MarshalText").Call()
	g.If(jen.Err().Op("!=").Nil()).Block(errorf("%q: %v", v(), jen.Err()))
	g.Var().Id("again").Id(typeName)
	g.If(
		jen.Err().Op(":=").Id("again").Dot("UnmarshalText").Call(jen.Id("text")),
		jen.Err().Op("!=").Nil().Op("||").Id("again").Op("!=").Add(v()),
	).Block(errorf("%q comes back as %q: %v", v(), jen.Id("again"), jen.Err()))
}

// testUnknown adds what happens to an answer that no row names.
func (m *machine) testUnknown(g *jen.Group) {
	unknown := m.unknownAnswer()
	g.Line()
	g.List(jen.Id("other"), jen.Id("found")).Op(":=").Id("s").Dot("CanonicalKey").Call(jen.Lit(unknown))
	g.If(jen.Id("other").Op("!=").Lit(unknown).Op("||").Id("found").Op("==").Add(in("MatchExact")).
		Op("||").Id("found").Op("==").Add(in("MatchFolded"))).
		Block(errorf("%s finds %q (%s) for an answer that no row names", jen.Id("s"), jen.Id("other"), jen.Id("found")))
	g.If(
		jen.List(jen.Id("_"), jen.Id("ok")).Op(":=").Id("s").Dot("Next").Call(jen.Id("other")),
		jen.Id("ok").Op("!=").Parens(jen.Id("found").Op("!=").Add(in("MatchNone"))).
			Op("||").Id("ok").Op("&&").Id("s").Dot("Terminal").Call(),
	).Block(errorf("%s: Next and CanonicalKey disagree about other keys", jen.Id("s")))
}

// testTotal adds that Next and CanonicalKey agree about every key of the machine, and that Next leads to states.
func (m *machine) testTotal(g *jen.Group) {
	g.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Id("keys")).BlockFunc(func(g *jen.Group) {
		g.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("s").Dot("Next").Call(jen.Id("key"))
		g.If(
			jen.List(jen.Id("_"), jen.Id("match")).Op(":=").Id("s").Dot("CanonicalKey").Call(jen.String().Call(jen.Id("key"))),
			jen.Id("ok").Op("!=").Parens(jen.Id("match").Op("!=").Add(in("MatchNone"))),
		).Block(errorf("%s: Next says %v for %q, CanonicalKey %q", jen.Id("s"), jen.Id("ok"), jen.Id("key"), jen.Id("match")))
		g.If(jen.Id("next").Op("!=").Lit(0).Op("&&").Id("next").Dot("String").Call().Op("==").Lit("")).
			Block(errorf("%s: %q leads to %d, which is no state", jen.Id("s"), jen.Id("key"), jen.Id("next")))
	})
}

// testRows adds that the keys of a state's rows are found exactly and folded.
func (m *machine) testRows(g *jen.Group) {
	g.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Id("s").Dot("Keys").Call()).BlockFunc(func(g *jen.Group) {
		for _, try := range []struct {
			answer *jen.Statement
			match  string
		}{
			{jen.String().Call(jen.Id("key")), "MatchExact"},
			{jen.Lit(" ").Op("+").String().Call(jen.Id("key")).Op("+").Lit("\t"), "MatchFolded"},
		} {
			g.If(
				jen.List(jen.Id("row"), jen.Id("match")).Op(":=").Id("s").Dot("CanonicalKey").Call(try.answer),
				jen.Id("row").Op("!=").Id("key").Op("||").Id("match").Op("!=").Add(in(try.match)),
			).Block(errorf("%s: %q finds %q (%s)", jen.Id("s"), jen.Id("key"), jen.Id("row"), jen.Id("match")))
		}
	})
}

// testKeys adds the list of all keys, and their round trips.
func (m *machine) testKeys(g *jen.Group) {
	var all []string
	for _, key := range m.keys {
		all = append(all, key.Value)
	}
	g.Id("keys").Op(":=").Add(m.keyList(all))
	g.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Id("keys")).BlockFunc(func(g *jen.Group) {
		m.testText(g, "key", names.ParseKey(m.name), m.keyType)
	})
	g.Line()
}

// unknownAnswer returns a text that no row of the machine means.
func (m *machine) unknownAnswer() string {
	var folded []string
	for _, key := range m.keys {
		folded = append(folded, keys.Fold(key.Value))
	}
	answer := "an answer that no row names"
	for slices.Contains(folded, answer) {
		answer += "!"
	}

	return answer
}

func errorf(format string, args ...jen.Code) jen.Code {
	return jen.Id("t").Dot("Errorf").Call(append([]jen.Code{jen.Lit(format)}, args...)...)
}
