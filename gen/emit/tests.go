package emit

import (
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
			textCheck(f)
			stateCheck(f, unknownAnswer(machines))
		},
	}
}

// test emits the test that asks a machine about every state and every key.
func (m *machine) test(f *jen.File) {
	last := m.ir.States[len(m.ir.States)-1]
	state := jen.Id("i").Op("+").Lit(1)
	f.Func().Id(names.MachineTest(m.name)).Params(testParam()).BlockFunc(func(g *jen.Group) {
		check := jen.Id(names.CheckState).Types(jen.Id(m.keyType)).Call(jen.Id("t"), state.Clone(), jen.Nil(), jen.Nil())
		if len(m.keys) > 0 {
			g.Id("keys").Op(":=").Add(m.keyList(texts(m.keys)))
			g.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Id("keys")).Block(
				jen.Id(names.CheckText).Call(jen.Id("t"), jen.Id("key"), jen.Id(names.ParseKey(m.name))))
			check = jen.Id(names.CheckState).Call(jen.Id("t"), state.Clone(), jen.Id("keys"), jen.Parens(state.Clone()).Dot("Keys").Call())
		}
		g.For(jen.Id("i").Op(":=").Range().Add(m.state(last))).Block(
			jen.Id(names.CheckText).Call(jen.Id("t"), state.Clone(), jen.Id(names.ParseState(m.name))),
			check)
	})
	f.Line()
}

func testParam() jen.Code { return jen.Id("t").Op("*").Qual("testing", "T") }

// textCheck emits the round trips of a state or a key through its texts.
func textCheck(f *jen.File) {
	f.Add(comment(names.AnyText + " is a state or a key of a machine."))
	f.Type().Id(names.AnyText).Interface(jen.Comparable(), jen.Qual("fmt", "Stringer"), jen.Qual("encoding", "TextMarshaler"))
	f.Line()

	f.Add(comment(names.CheckText + " asks whether a state or a key comes back from its text."))
	f.Func().Id(names.CheckText).Types(jen.Id("T").Id(names.AnyText)).Params(testParam(), jen.Id("value").Id("T"),
		jen.Id("parse").Func().Params(jen.String()).Params(jen.Id("T"), jen.Error())).Block(
		jen.Id("t").Dot("Helper").Call(),
		jen.If(
			jen.List(jen.Id("parsed"), jen.Err()).Op(":=").Id("parse").Call(jen.Id("value").Dot("String").Call()),
			jen.Err().Op("!=").Nil().Op("||").Id("parsed").Op("!=").Id("value"),
		).Block(errorf("%q parses to %q: %v", jen.Id("value"), jen.Id("parsed"), jen.Err())),
		jen.Line(),
		jen.List(jen.Id("text"), jen.Err()).Op(":=").Id("value").Dot("MarshalText").Call(),
		jen.If(jen.Err().Op("!=").Nil()).Block(errorf("%q: %v", jen.Id("value"), jen.Err())),
		jen.Var().Id("again").Id("T"),
		jen.Id("reader").Op(":=").Any().Call(jen.Op("&").Id("again")).Assert(jen.Qual("encoding", "TextUnmarshaler")),
		jen.If(
			jen.Err().Op(":=").Id("reader").Dot("UnmarshalText").Call(jen.Id("text")),
			jen.Err().Op("!=").Nil().Op("||").Id("again").Op("!=").Id("value"),
		).Block(errorf("%q comes back as %q: %v", jen.Id("value"), jen.Id("again"), jen.Err())))
	f.Line()
}

// stateCheck emits what is asked of a state: about an answer that no row names, about every key of the machine, and about the keys
// of its own rows.
func stateCheck(f *jen.File, unknown string) {
	f.Add(comment(names.AnyState + " is a state S of a machine that routes on keys K."))
	f.Type().Id(names.AnyState).Types(jen.List(jen.Id("K"), jen.Id("S")).Any()).Interface(
		jen.Comparable(),
		jen.Qual("fmt", "Stringer"),
		jen.Id("CanonicalKey").Params(jen.Id("answer").String()).Params(jen.Id("K"), in("Match")),
		jen.Id("Next").Params(jen.Id("key").Id("K")).Params(jen.Id("S"), jen.Bool()),
		jen.Id("Terminal").Params().Bool())
	f.Line()

	f.Add(comment(names.CheckState + " asks s about an answer that no row names, about every key of its machine, and about those of its " +
		"own rows: CanonicalKey and Next agree, and Next leads to states."))
	f.Func().Id(names.CheckState).Types(jen.Id("K").Op("~").String(), jen.Id("S").Id(names.AnyState).Types(jen.Id("K"), jen.Id("S"))).
		Params(testParam(), jen.Id("s").Id("S"), jen.List(jen.Id("keys"), jen.Id("rows")).Index().Id("K")).
		BlockFunc(func(g *jen.Group) {
			g.Id("t").Dot("Helper").Call()
			askUnknown(g, unknown)
			g.Line()
			g.Var().Id("none").Id("S")
			g.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Id("keys")).BlockFunc(askKey)
			g.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Id("rows")).BlockFunc(askRow)
		})
	f.Line()
}

// askUnknown adds what happens to an answer that no row names.
func askUnknown(g *jen.Group, unknown string) {
	g.Const().Id("unknown").Op("=").Lit(unknown)
	g.List(jen.Id("other"), jen.Id("found")).Op(":=").Id("s").Dot("CanonicalKey").Call(jen.Id("unknown"))
	g.If(jen.Id("other").Op("!=").Id("unknown").Op("||").Id("found").Op("==").Add(in("MatchExact")).
		Op("||").Id("found").Op("==").Add(in("MatchFolded"))).
		Block(errorf("%s finds %q (%s) for %s", jen.Id("s"), jen.Id("other"), jen.Id("found"), jen.Id("unknown")))
	g.If(
		jen.List(jen.Id("_"), jen.Id("ok")).Op(":=").Id("s").Dot("Next").Call(jen.Id("other")),
		jen.Id("ok").Op("!=").Parens(jen.Id("found").Op("!=").Add(in("MatchNone"))).
			Op("||").Id("ok").Op("&&").Id("s").Dot("Terminal").Call(),
	).Block(errorf("%s: Next and CanonicalKey disagree about other keys", jen.Id("s")))
}

// askKey adds that Next and CanonicalKey agree about a key of the machine, and that Next leads to a state.
func askKey(g *jen.Group) {
	g.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("s").Dot("Next").Call(jen.Id("key"))
	g.If(
		jen.List(jen.Id("_"), jen.Id("match")).Op(":=").Id("s").Dot("CanonicalKey").Call(jen.String().Call(jen.Id("key"))),
		jen.Id("ok").Op("!=").Parens(jen.Id("match").Op("!=").Add(in("MatchNone"))),
	).Block(errorf("%s: Next says %v for %q, CanonicalKey %q", jen.Id("s"), jen.Id("ok"), jen.Id("key"), jen.Id("match")))
	g.If(jen.Id("next").Op("!=").Id("none").Op("&&").Id("next").Dot("String").Call().Op("==").Lit("")).
		Block(errorf("%s: %q leads to what is no state", jen.Id("s"), jen.Id("key")))
}

// askRow adds that the key of a row is found exactly and folded.
func askRow(g *jen.Group) {
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
}

// unknownAnswer returns a text that no row of these machines means.
func unknownAnswer(machines []*machine) string {
	folded := map[string]bool{}
	for _, m := range machines {
		for _, key := range m.keys {
			folded[keys.Fold(key.Value)] = true
		}
	}
	answer := "an answer that no row names"
	for folded[answer] {
		answer += "!"
	}

	return answer
}

func errorf(format string, args ...jen.Code) jen.Code {
	return jen.Id("t").Dot("Errorf").Call(append([]jen.Code{jen.Lit(format)}, args...)...)
}
