package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// stateTexts emits the names of the states, String and its reverse, MarshalText and UnmarshalText. The names are data, not a switch:
// the compiler of Go needs more than linear time for functions of thousands of cases.
func (m *machine) stateTexts(f *jen.File) {
	list := names.StateNames(m.name)
	var lines []jen.Code
	for _, s := range m.ir.States {
		lines = append(lines, m.state(s).Op(":").Lit(s.Name.Value))
	}
	declare(f, list+" are the names of the states in the source.",
		jen.Var().Id(list).Op("=").Index(jen.Op("...")).String().Custom(block, lines...))

	declare(f, `String returns the name of s in the source; "" for 0, the state of a machine that has ended.`,
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("String").Params().String().Block(
			jen.If(jen.Int().Call(jen.Id("s")).Op("<").Len(jen.Id(list))).Block(jen.Return(jen.Id(list).Index(jen.Id("s")))),
			jen.Line(),
			jen.Return(jen.Lit(m.stateType+"(").Op("+").Qual("strconv", "Itoa").Call(jen.Int().Call(jen.Id("s"))).Op("+").Lit(")"))))
	m.parseState(f, list)

	declare(f, "MarshalText returns the name of s.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("MarshalText").Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Index().Byte().Call(jen.Id("s").Dot("String").Call()), jen.Nil())))

	declare(f, "UnmarshalText is the reverse of MarshalText. A name that no state has is a *rt.UnknownNameError.",
		jen.Func().Params(jen.Id("s").Op("*").Id(m.stateType)).Id("UnmarshalText").Params(jen.Id("text").Index().Byte()).
			Params(jen.Err().Error()).Block(
			jen.If(jen.Len(jen.Id("text")).Op("==").Lit(0)).Block(
				jen.Op("*").Id("s").Op("=").Lit(0),
				jen.Return(jen.Nil())),
			jen.Op("*").Id("s").Op(",").Err().Op("=").Id(names.ParseState(m.name)).Call(jen.String().Call(jen.Id("text"))),
			jen.Line(),
			jen.Return(jen.Err())))
}

// parseState emits the function that finds a state by its name.
func (m *machine) parseState(f *jen.File, list string) {
	name := names.ParseState(m.name)
	declare(f, name+" returns the state called text. A name that no state has is a *rt.UnknownNameError.",
		jen.Func().Id(name).Params(jen.Id("text").String()).Params(jen.Id(m.stateType), jen.Error()).Block(
			jen.If(
				jen.Id("i").Op(":=").Qual("slices", "Index").Call(jen.Id(list).Index(jen.Lit(1), jen.Empty()), jen.Id("text")),
				jen.Id("i").Op(">=").Lit(0),
			).Block(jen.Return(jen.Id(m.stateType).Call(jen.Id("i").Op("+").Lit(1)), jen.Nil())),
			jen.Line(),
			jen.Return(jen.Lit(0), jen.Op("&").Add(in("rt.UnknownNameError")).Values(
				jen.Id("Machine").Op(":").Lit(m.title), jen.Id("Kind").Op(":").Lit("state"), jen.Id("Name").Op(":").Id("text")))))
}
