package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// stateTexts emits String, Parse, MarshalText and UnmarshalText of the states.
func (m *machine) stateTexts(f *jen.File) {
	m.cut(f, function{
		name: "String", pieces: slicesOf(m.ir.States, textPiece),
		doc:     "String returns the name of s in the source; \"\" for 0, which stands for a machine that has ended.",
		results: jen.String(),
		none: []jen.Code{jen.Lit(m.stateType+"(").Op("+").Qual("strconv", "Itoa").Call(jen.Int().Call(jen.Id("s"))).
			Op("+").Lit(")")},
		cases: func(g *jen.Group, states []*ir.State) {
			if states[0] == m.ir.States[0] {
				g.Case(jen.Lit(0)).Block(jen.Return(jen.Lit("")))
			}
			for _, s := range states {
				g.Case(m.state(s)).Block(jen.Return(jen.Lit(s.Name.Value)))
			}
		},
	})
	m.parseState(f)

	f.Add(comment("MarshalText returns the name of s, and no text for 0, which stands for a machine that has ended."))
	f.Func().Params(jen.Id("s").Id(m.stateType)).Id("MarshalText").Params().Params(jen.Index().Byte(), jen.Error()).Block(
		jen.Return(jen.Index().Byte().Call(jen.Id("s").Dot("String").Call()), jen.Nil()))
	f.Line()

	f.Add(comment("UnmarshalText is the reverse of MarshalText. A name that no state has is a *runtime.UnknownNameError."))
	f.Func().Params(jen.Id("s").Op("*").Id(m.stateType)).Id("UnmarshalText").Params(jen.Id("text").Index().Byte()).
		Params(jen.Err().Error()).BlockFunc(func(g *jen.Group) {
		g.If(jen.Len(jen.Id("text")).Op("==").Lit(0)).Block(
			jen.Op("*").Id("s").Op("=").Lit(0),
			jen.Return(jen.Nil()))
		g.Op("*").Id("s").Op(",").Err().Op("=").Id(names.ParseState(m.name)).Call(jen.String().Call(jen.Id("text")))
		g.Line()
		g.Return(jen.Err())
	})
	f.Line()
}

// parseState emits the function that finds a state by its name.
func (m *machine) parseState(f *jen.File) {
	name := names.ParseState(m.name)
	f.Add(comment(name + " returns the state called text. A name that no state has is a *runtime.UnknownNameError."))
	results := jen.Params(jen.Id(m.stateType), jen.Error())
	unknown := jen.Return(jen.Lit(0), m.unknownName("state"))
	if len(m.ir.States) <= textPiece {
		f.Func().Id(name).Params(jen.Id("text").String()).Add(results).Block(
			jen.Switch(jen.Id("text")).BlockFunc(func(g *jen.Group) { m.parseCases(g, m.ir.States, jen.Nil()) }),
			jen.Line(),
			unknown)
		f.Line()

		return
	}

	pieces := slicesOf(m.ir.States, textPiece)
	f.Func().Id(name).Params(jen.Id("text").String()).Add(results).BlockFunc(func(g *jen.Group) {
		for _, piece := range pieces {
			g.If(jen.Id("s").Op(":=").Id(m.parsePiece(piece)).Call(jen.Id("text")), jen.Id("s").Op("!=").Lit(0)).
				Block(jen.Return(jen.Id("s"), jen.Nil()))
		}
		g.Line()
		g.Add(unknown)
	})
	f.Line()
	for _, piece := range pieces {
		f.Add(comment(m.parsePiece(piece) + " is the part of " + name + " from " + piece[0].Name.Value + " to " +
			piece[len(piece)-1].Name.Value + "."))
		f.Comment("//")
		f.Add(noInline())
		f.Func().Id(m.parsePiece(piece)).Params(jen.Id("text").String()).Id(m.stateType).Block(
			jen.Switch(jen.Id("text")).BlockFunc(func(g *jen.Group) { m.parseCases(g, piece) }),
			jen.Line(),
			jen.Return(jen.Lit(0)))
		f.Line()
	}
}

func (m *machine) parsePiece(piece []*ir.State) string {
	return names.Range("parse"+m.stateType, piece[0].Name.Value)
}

// parseCases adds a case for each name; more is what is returned beside the state.
func (m *machine) parseCases(g *jen.Group, states []*ir.State, more ...jen.Code) {
	for _, s := range states {
		results := append([]jen.Code{m.state(s)}, more...)
		g.Case(jen.Lit(s.Name.Value)).Block(jen.Return(results...))
	}
}

// keyTexts emits String, Parse, MarshalText and UnmarshalText of the keys.
func (m *machine) keyTexts(f *jen.File) {
	f.Add(comment("String returns the text of k."))
	f.Func().Params(jen.Id("k").Id(m.keyType)).Id("String").Params().String().
		Block(jen.Return(jen.String().Call(jen.Id("k"))))
	f.Line()
	if len(m.keys) > 0 {
		m.parseKey(f)
	}

	f.Add(comment("MarshalText returns the text of k."))
	f.Func().Params(jen.Id("k").Id(m.keyType)).Id("MarshalText").Params().Params(jen.Index().Byte(), jen.Error()).
		Block(jen.Return(jen.Index().Byte().Call(jen.Id("k")), jen.Nil()))
	f.Line()

	unmarshal := f.Empty()
	if len(m.keys) == 0 {
		unmarshal.Add(comment("UnmarshalText takes any text.")).Line()
		unmarshal.Func().Params(jen.Id("k").Op("*").Id(m.keyType)).Id("UnmarshalText").Params(jen.Id("text").Index().Byte()).
			Error().Block(
			jen.Op("*").Id("k").Op("=").Id(m.keyType).Call(jen.Id("text")),
			jen.Line(),
			jen.Return(jen.Nil()))
		f.Line()

		return
	}
	unmarshal.Add(comment("UnmarshalText takes the text of one of the keys. Another text is a *runtime.UnknownNameError.")).Line()
	unmarshal.Func().Params(jen.Id("k").Op("*").Id(m.keyType)).Id("UnmarshalText").Params(jen.Id("text").Index().Byte()).
		Params(jen.Err().Error()).Block(
		jen.Op("*").Id("k").Op(",").Err().Op("=").Id(names.ParseKey(m.name)).Call(jen.String().Call(jen.Id("text"))),
		jen.Line(),
		jen.Return(jen.Err()))
	f.Line()
}

func (m *machine) parseKey(f *jen.File) {
	name := names.ParseKey(m.name)
	constants := make([]string, len(m.keys))
	for i, key := range m.keys {
		constants[i] = names.Key(m.name, key.Value)
	}

	f.Add(comment(name + " returns the key with exactly this text. A text that no key has is a *runtime.UnknownNameError."))
	f.Func().Id(name).Params(jen.Id("text").String()).Params(jen.Id(m.keyType), jen.Error()).Block(
		jen.Switch(jen.Id("key").Op(":=").Id(m.keyType).Call(jen.Id("text")), jen.Id("key")).Block(
			jen.Case(list(constants)).Block(jen.Return(jen.Id("key"), jen.Nil()))),
		jen.Line(),
		jen.Return(jen.Lit(""), m.unknownName("key")))
	f.Line()
}

// unknownName returns the error for a text that names nothing of the machine.
func (m *machine) unknownName(kind string) jen.Code {
	return jen.Op("&").Add(in("UnknownNameError")).Values(
		jen.Id("Machine").Op(":").Lit(m.title),
		jen.Id("Kind").Op(":").Lit(kind),
		jen.Id("Name").Op(":").Id("text"))
}
