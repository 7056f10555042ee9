package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitStateValues emits how states are written as text and in databases, and the check of their
// numbers.
func (m *machine) emitStateValues(f *jen.File) {
	m.emitStateTexts(f)
	m.emitStateColumns(f)
	m.emitStateNumbers(f)
}

// emitStateColumns emits Value and Scan, by which database/sql stores a state by its name. Numbers
// would change as soon as a state is added.
func (m *machine) emitStateColumns(f *jen.File) {
	list := names.StateNames(m.name)
	value, scan := "Value", "Scan"
	stored, read := "0 or a number without a state is a *rt.InvalidStateError.", "NULL or a number is a *rt.StateColumnError."
	if m.isEmptyRun() {
		value, scan = "ValueOrNull", "ScanOrNull"
		stored, read = "0 is NULL. A number without a state is a *rt.InvalidStateError.", "NULL is 0. A number is a *rt.StateColumnError."
	}
	emitDeclaration(f, "Value returns the name of s, which database/sql stores. "+stored,
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Value").Params().
			Params(jen.Qual("database/sql/driver", "Value"), jen.Error()).
			Block(jen.Return(jen.Id(list).Dot(value).Call(jen.Id("s"), jen.Lit(m.title)))))
	emitDeclaration(f, "Scan reads the name of a state from a database. An unknown name is a *rt.UnknownNameError. "+read,
		jen.Func().Params(jen.Id("s").Op("*").Id(m.stateType)).Id("Scan").Params(jen.Id("column").Any()).Error().
			Block(jen.Return(jen.Id(names.StateIndex(m.name)).Dot(scan).Call(jen.Id("s"), jen.Id("column")))))
}

// emitStateNumbers emits a function that does not compile if the constants differ from the
// constants that the rest of the file was generated for, as after a merge of two versions.
func (m *machine) emitStateNumbers(f *jen.File) {
	f.Func().Id("_").Params().BlockFunc(func(g *jen.Group) {
		g.Comment("An \"invalid array index\" error means that the numbers of the states have changed. Run agentc generate again.")
		g.Var().Id("number").Index(jen.Lit(1)).Struct()
		for i, s := range m.ir.States {
			g.Id("_").Op("=").Id("number").Index(m.stateConstant(s).Op("-").Lit(i + 1))
		}
	})
	f.Line()
}
