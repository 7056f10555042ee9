package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// userMethod is a method that the user writes.
type userMethod struct {
	// source is what it is called in the source, doc its comment.
	source ir.Text
	doc    string
	// in and out are the Go types of what it takes and gives.
	in, out jen.Code
	// call is what calls it where it is found by its name.
	call *jen.Statement
}

// interfaceOf emits an interface of methods that the user writes.
func interfaceOf(f *jen.File, name, doc string, methods []userMethod) {
	declare(f, doc, jen.Type().Id(name).InterfaceFunc(func(g *jen.Group) {
		for i, m := range methods {
			if i > 0 {
				g.Line()
			}
			g.Add(comment(m.doc))
			g.Id(names.Method(m.source.Value)).Params(ctxParam(), jen.Id("in").Add(m.in)).Params(m.out, jen.Error())
		}
	}))
}

func ctxParam() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

// byName returns statements that call the method which has the name in the source, and return something else if none has.
func byName(methods []userMethod, otherwise ...jen.Code) []jen.Code {
	return []jen.Code{
		jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
			for _, m := range methods {
				g.Case(jen.Lit(m.source.Value)).Block(jen.Return(m.call))
			}
		}),
		jen.Line(),
		jen.Return(otherwise...),
	}
}

// sources are the names of methods in the source.
func sources(methods []userMethod) []string {
	list := make([]string, len(methods))
	for i, m := range methods {
		list[i] = m.source.Value
	}

	return list
}
