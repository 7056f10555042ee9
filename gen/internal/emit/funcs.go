package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// funcs emits the Funcs interface, and what calls its methods.
func (s *shared) funcs(f *jen.File) {
	f.Add(comment("Funcs are the functions that workflows call. What a method returns as an error fails the step that calls it; " +
		"runtime.ErrNotImplemented ends the run."))
	f.Type().Id("Funcs").InterfaceFunc(func(g *jen.Group) {
		for i, fn := range s.p.Funcs {
			if i > 0 {
				g.Line()
			}
			name := fn.Name.Value
			g.Add(comment(names.Method(name) + " is the function " + name + "."))
			g.Id(names.Method(name)).Params(ctxParam(), jen.Id("in").Add(argsType(fn))).Params(resultType(fn), jen.Error())
		}
	})
	f.Line()
	for _, fn := range s.p.Funcs {
		emitFunc(f, fn)
	}
	if isRemote(s.p) {
		s.funcByName(f)
	}
}

// funcByName emits the method that calls a function by its name, for processes that are told nothing else.
func (s *shared) funcByName(f *jen.File) {
	f.Add(comment(names.FuncByName + " calls the function with this name."))
	f.Func().Params(jen.Id("a").Op("*").Id("App")).Id(names.FuncByName).
		Params(ctxParam(), jen.Id("name").String(), jen.Id("argument").Add(rawMessage())).Params(rawMessage(), jen.Error()).
		Block(
			jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
				for _, fn := range s.p.Funcs {
					name := fn.Name.Value
					g.Case(jen.Lit(name)).Block(
						jen.Return(jen.Id("a").Dot(names.ApplyFunc(name)).Call(jen.Id("ctx"), jen.Id("argument"))))
				}
			}),
			jen.Line(),
			jen.Return(jen.Nil(), in("ErrNotImplemented")))
	f.Line()
}

// argsType and resultType are the Go types of what a function takes and gives: any value without a schema.
func argsType(fn *ir.Func) *jen.Statement {
	if fn.Input == nil {
		return inWorkflow("Value")
	}

	return jen.Id(names.FuncArgs(fn.Name.Value))
}

func resultType(fn *ir.Func) *jen.Statement {
	if fn.Output == nil {
		return inWorkflow("Value")
	}

	return jen.Id(names.FuncResult(fn.Name.Value))
}

func emitFunc(f *jen.File, fn *ir.Func) {
	name := fn.Name.Value
	f.Add(comment(names.ApplyFunc(name) + " decodes the argument of " + name + ", calls the method and encodes what it returns."))
	f.Func().Params(jen.Id("a").Op("*").Id("App")).Id(names.ApplyFunc(name)).
		Params(ctxParam(), jen.Id("argument").Add(rawMessage())).Params(rawMessage(), jen.Error()).
		BlockFunc(func(g *jen.Group) { applyFunc(g, fn) })
	f.Line()
	if fn.Input != nil {
		emitSchemaTypes(f, names.FuncArgs(name), fn.Input)
	}
	if fn.Output != nil {
		emitSchemaOutput(f, names.FuncResult(name), fn.Output)
	}
}

func applyFunc(g *jen.Group, fn *ir.Func) {
	name := fn.Name.Value
	if fn.Input == nil && fn.Output == nil {
		g.Return(inWorkflow("CallValue").Call(jen.Id("ctx"), jen.Id("argument"), jen.Id("a").Dot("funcs").Dot(names.Method(name))))
		return
	}
	failed := jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
	decode := inWorkflow("Parse").Call(jen.Id("argument"))
	if fn.Input != nil {
		decode = decodeOf(names.FuncArgs(name), jen.Id("argument"))
	}
	encode := jen.Id("out").Dot("MarshalJSON").Call()
	if fn.Output != nil {
		encode = jen.Id("encode" + names.FuncResult(name)).Call(jen.Id("out"))
	}
	g.List(jen.Id("in"), jen.Err()).Op(":=").Add(decode)
	g.Add(failed)
	g.List(jen.Id("out"), jen.Err()).Op(":=").Id("a").Dot("funcs").Dot(names.Method(name)).Call(jen.Id("ctx"), jen.Id("in"))
	g.Add(failed.Clone())
	g.Line()
	g.Return(encode)
}

func funcNames(funcs []*ir.Func) []string {
	var list []string
	for _, fn := range funcs {
		list = append(list, fn.Name.Value)
	}

	return list
}
