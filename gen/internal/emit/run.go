package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// runMethod emits the method of App that runs an agent. does is what it does besides, in sentences.
func runMethod(f *jen.File, a *ir.Agent, does string, body func(g *jen.Group)) {
	name := a.Name.Value
	declare(f, strings.TrimSpace(sentence(names.Run(name)+" runs "+name, a.Description.Value)+" "+does),
		method(names.Run(name), jen.Id("fx").Add(in("Effects")), jen.Id("input").String(), jen.Id("at").Op("...").Add(in("rt.Place"))).
			BlockFunc(func(g *jen.Group) {
				limited(g, a)
				body(g)
			}))
}

// emitEntry emits the method of App that runs an agent on an engine. What it returns is typed where the agent's value, or the context of
// a workflow, has a schema.
func emitEntry(f *jen.File, a *ir.Agent) {
	name := a.Name.Value
	doc := names.Entry(name) + " runs " + name + " on an engine."
	head := ofApp(names.Entry(name))
	params := []jen.Code{jen.Id("ctx").Qual("context", "Context"), jen.Id("engine").Add(in("compiled.Engine")), jen.Id("input").String()}
	program := []jen.Code{jen.Id("a").Dot("Program").Call(), jen.Lit(name), jen.Id("input")}
	typed := append([]jen.Code{jen.Id("ctx"), jen.Id("engine")}, program...)
	result := func(typ string) *jen.Statement { return in("Result").Types(jen.Id(typ)) }

	w, isWorkflow := a.Node.(*ir.Workflow)
	switch typ := valueType(a); {
	case isWorkflow && w.Context != nil:
		typ = names.Context(name)
		doc = names.Entry(name) + " runs " + name + " on an engine, from an initial context to the final one."
		head.Custom(broken, append(params, jen.Id("initial").Id(typ))...).Params(result(typ), jen.Error()).Block(
			jen.Return(in("compiled.RunFrom").Call(append(typed, jen.Id("initial"), jen.Id("read"+typ))...)))
	case typ != "":
		head.Params(params...).Params(result(typ), jen.Error()).Block(
			jen.Return(in("compiled.Run").Call(append(typed, jen.Id("read"+typ))...)))
	default:
		head.Params(params...).Params(in("Finish"), jen.Error()).Block(
			jen.Return(jen.Id("engine").Dot("Run").Call(append([]jen.Code{jen.Id("ctx")}, program...)...)))
	}
	declare(f, doc, head)
}

// valueType is the Go type of what an agent finishes with; "" if that is any text.
func valueType(a *ir.Agent) string {
	if steps := a.Conversations(); len(steps) == 1 && steps[0].Output() != nil && steps[0].List() == nil {
		switch a.Node.(type) {
		case *ir.React, *ir.Oneshot:
			return names.Output(a.Name.Value)
		}
	}

	return ""
}

// finishes says what the last parameter of a method is that runs an agent which chooses its key.
const finishes = "at says with which keys it may finish; without at, with any."

// method returns the head of a method of App that returns a finish.
func method(name string, params ...jen.Code) *jen.Statement {
	return ofApp(name).Params(params...).Params(in("Finish"), jen.Error())
}
