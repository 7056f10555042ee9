package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// expr returns a value.
func expr(e ir.Expr) *jen.Statement {
	switch e := e.(type) {
	case ir.Value:
		return jen.Id(e.Var).Dot("Value")
	case ir.TextOf:
		return jen.Id(e.Var)
	case ir.Report:
		return jen.Id(e.Var).Dot("String").Call()
	case ir.Brief:
		return expr(ir.Notes(e)).Dot("String").Call()
	case ir.Notes:
		return notes(e)
	}

	return jen.Id("input")
}

// notes returns titled texts, behind those of the notes that they are added to: a line each if there are more than two.
func notes(e ir.Notes) *jen.Statement {
	several := len(e.Sections) > 2
	if e.Base == "" {
		var list []jen.Code
		for _, s := range e.Sections {
			list = append(list, jen.Values(jen.Lit(s.Title), expr(s.Text)))
		}
		if several {
			return in("rt.Brief").Custom(block, list...)
		}
		return in("rt.Brief").Values(list...)
	}
	all := jen.Id(e.Base)
	for _, s := range e.Sections {
		all.Op(".")
		if several {
			all.Line()
		}
		all.Id("Add").Call(jen.Lit(s.Title), expr(s.Text))
	}

	return all
}

// listReaders are the functions of package runtime that read a list from a result.
var listReaders = map[ir.ListKind]string{ir.ListItems: "rt.Items", ir.ListPlan: "rt.PlanSteps", ir.ListClaims: "rt.Claims"}

func items(l *ir.List) *jen.Statement { return in(listReaders[l.Kind]).Call(jen.Id(l.Of)) }

func condition(c ir.Cond) *jen.Statement {
	switch c := c.(type) {
	case ir.KeyIs:
		is := jen.Id(c.Var).Dot("Is").Call(jen.Lit(c.Key))
		if c.Not {
			return jen.Op("!").Add(is)
		}
		return is
	case ir.SaysDone:
		return in("rt.SaysDone").Call(expr(ir.Value(c)))
	}
	limit := c.(ir.AtLimit)

	return jen.Id(limit.Counter).Op("==").Lit(limit.N)
}

// loopHead returns what follows the word for.
func loopHead(l *ir.Loop) *jen.Statement {
	switch {
	case l.List != nil:
		return jen.List(jen.Id("_"), jen.Id(l.Item)).Op(":=").Range().Add(items(l.List))
	case l.Counter == "" && l.Times == 0:
		return jen.Empty()
	case l.Counter == "":
		return jen.Range().Lit(l.Times)
	}

	from, next := jen.Id(l.Counter).Op(":=").Lit(1), jen.Id(l.Counter).Op("++")
	if l.Times == 0 {
		return from.Op(";").Op(";").Add(next)
	}

	return from.Op(";").Id(l.Counter).Op("<=").Lit(l.Times).Op(";").Add(next)
}
