package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// funcs emits the Funcs interface, and what calls its methods.
func (s *shared) funcs(f *jen.File) {
	declare(f, "Funcs are the functions that workflows call. What a method returns as an error fails the step that calls it; "+
		"runtime.ErrNotImplemented ends the run.",
		jen.Type().Id("Funcs").InterfaceFunc(func(g *jen.Group) {
			for i, fn := range s.p.Funcs {
				if i > 0 {
					g.Line()
				}
				name := fn.Name.Value
				g.Add(comment(names.Method(name) + " is the function " + name + "."))
				g.Id(names.Method(name)).Params(ctxParam(), jen.Id("in").Add(argsType(fn))).Params(resultType(fn), jen.Error())
			}
		}))
	for _, fn := range s.p.Funcs {
		emitFunc(f, fn)
	}
	if isRemote(s.p) {
		s.funcByName(f)
	}
}

// funcByName emits the method that calls a function by its name, for engines whose workers are other processes.
func (s *shared) funcByName(f *jen.File) {
	declare(f, names.FuncByName+" calls the function with this name.",
		jen.Func().Params(jen.Id("a").Op("*").Id("App")).Id(names.FuncByName).
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
				jen.Return(jen.Nil(), in("ErrNotImplemented"))))
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
	decode, encode := inWorkflow("Parse"), inWorkflow("Value").Dot("MarshalJSON")
	if fn.Input != nil {
		decode = in("Decoder").Call(jen.Id("read" + names.FuncArgs(name)))
	}
	if fn.Output != nil {
		encode = jen.Id("encode" + names.FuncResult(name))
	}
	declare(f, names.ApplyFunc(name)+" calls the method for "+name+".",
		jen.Func().Params(jen.Id("a").Op("*").Id("App")).Id(names.ApplyFunc(name)).
			Params(ctxParam(), jen.Id("argument").Add(rawMessage())).Params(rawMessage(), jen.Error()).
			Block(jen.Return(inWorkflow("CallFunc").Call(
				jen.Id("ctx"), jen.Id("argument"), decode, jen.Id("a").Dot("funcs").Dot(names.Method(name)), encode))))
	if fn.Input != nil {
		emitSchemaTypes(f, names.FuncArgs(name), fn.Input)
	}
	if fn.Output != nil {
		emitSchemaOutput(f, names.FuncResult(name), fn.Output)
	}
}

func funcNames(funcs []*ir.Func) []string {
	var list []string
	for _, fn := range funcs {
		list = append(list, fn.Name.Value)
	}

	return list
}
