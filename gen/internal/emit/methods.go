package emit

import (
	"regexp"
	"strings"

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

// Interface is an interface of the generated package that the user implements, and New takes.
type Interface struct {
	// Name is that of the interface, What what one of its methods is.
	Name, What string
	Methods    []Method
}

// Method is a method that the user writes.
type Method struct {
	// Name is what it is called in the source.
	Name ir.Text
	// Signature is how another package writes it: "SearchWeb(ctx context.Context, in agents.SearchWebInput) (string, error)".
	Signature string
}

// ownType is a type of the generated package in a signature.
var ownType = regexp.MustCompile(`([ (\[*])([A-Z]\w*)`)

// Interfaces returns what New of the generated package takes.
func Interfaces(p *ir.Program) []Interface {
	var all []Interface
	for _, one := range []struct {
		name, what string
		methods    []userMethod
	}{
		{"Tools", "tool", toolMethods(p.Tools)}, {"Guards", "guard", guardMethods(p.Guards)}, {"Funcs", "function", funcMethods(p.Funcs)},
	} {
		i := Interface{Name: one.name, What: one.what}
		for _, m := range one.methods {
			written := jen.Func().Id(names.Method(m.source.Value)).Params(ctxParam(), jen.Id("in").Add(m.in)).Params(m.out, jen.Error())
			signature := strings.TrimPrefix(written.GoString(), "func ")
			i.Methods = append(i.Methods, Method{m.source, ownType.ReplaceAllString(signature, "${1}"+p.Package+".$2")})
		}
		if i.Methods != nil {
			all = append(all, i)
		}
	}

	return all
}
