package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// funcMethods are the methods of Funcs.
func funcMethods(funcs []*ir.Func) []userMethod {
	var methods []userMethod
	for _, fn := range funcs {
		name := fn.Name.Value
		input, output := inWorkflow("Value"), inWorkflow("Value") // any value without a schema
		if fn.Input != nil {
			input = jen.Id(names.FuncArgs(name))
		}
		if fn.Output != nil {
			output = jen.Id(names.FuncResult(name))
		}
		methods = append(methods, userMethod{
			fn.Name, names.Method(name) + " is the function " + name + ".", input, output,
			jen.Id("a").Dot(names.ApplyFunc(name)).Call(jen.Id("ctx"), jen.Id("argument")),
		})
	}

	return methods
}

// funcs emits the Funcs interface, and what calls its methods: by name too, for engines whose workers are other processes.
func (s *shared) funcs(f *jen.File) {
	methods := funcMethods(s.p.Funcs)
	interfaceOf(f, "Funcs", "Funcs are the functions that workflows call. What a method returns as an error fails the step that calls it; "+
		"runtime.ErrNotImplemented ends the run.", methods)
	for _, fn := range s.p.Funcs {
		emitFunc(f, fn)
	}
	if isRemote(s.p) {
		declare(f, names.FuncByName+" calls the function with this name.", ofApp(names.FuncByName).
			Params(ctxParam(), jen.Id("name").String(), jen.Id("argument").Add(rawMessage())).Params(rawMessage(), jen.Error()).
			Block(byName(methods, jen.Nil(), in("ErrNotImplemented"))...))
	}
}

func emitFunc(f *jen.File, fn *ir.Func) {
	name := fn.Name.Value
	decode, encode := inWorkflow("Parse"), inWorkflow("Value").Dot("MarshalJSON")
	if fn.Input != nil {
		decode = in("rt.Decoder").Call(jen.Id("read" + names.FuncArgs(name)))
	}
	if fn.Output != nil {
		encode = jen.Id("encode" + names.FuncResult(name))
	}
	declare(f, names.ApplyFunc(name)+" calls the method for "+name+".",
		ofApp(names.ApplyFunc(name)).Params(ctxParam(), jen.Id("argument").Add(rawMessage())).Params(rawMessage(), jen.Error()).
			Block(jen.Return(inWorkflow("CallFunc").Call(
				jen.Id("ctx"), jen.Id("argument"), decode, jen.Id("a").Dot("funcs").Dot(names.Method(name)), encode))))
	emitSchemaTypes(f, names.FuncArgs(name), fn.Input)
	emitSchemaOutput(f, names.FuncResult(name), fn.Output)
}
