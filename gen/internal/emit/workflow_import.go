package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// imports emits the method that runs another workflow.
func (w *workflow) imports(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Import) {
	b := newParagraphs(w, p)
	child, childRun := do.Agent.Agent, jen.Op("&").Id("child").Dot("Run")
	b.add(jen.Id("child").Op(":=").Id("r").Dot("app").Dot(names.NewRun(child.Name.Value)).
		Call(jen.Id("r").Dot("Fx").Call()))
	context := inWorkflow("Object").Call()
	if do.Inherit {
		context = jen.Id("r").Dot("Context").Call()
	}
	b.add(tries(jen.Id("child").Dot("Inherit").Call(context)))
	if do.InputTo != ir.InputToPrompt {
		b.add(tries(jen.Id("child").Dot("TakeInput").Call(jen.Lit(do.Key), b.variable("input"))))
	}
	b.add(jen.List(jen.Id("value"), jen.Err()).Op(":=").Id("child").
		Dot(names.Pipeline(child.Node.(*ir.Workflow).Body)).Call(b.variable("input")))
	b.add(jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(onFailure(do.OnFailure)...)))
	switch {
	case do.All && t.UpdatesContext:
		b.add(tries(jen.Id("r").Dot("TakeAll").Call(childRun)))
	case do.Next:
		b.add(jen.Id("r").Dot("TakeNext").Call(childRun))
	case t.UpdatesContext:
		for _, output := range do.Outputs {
			b.add(tries(jen.Id("r").Dot("TakeBack").Call(childRun.Clone(), jen.Id("value"), placeIn(output.Child), placeIn(output.Parent))))
		}
	}
	b.add(jen.Line(), jen.Return(jen.Id("value"), jen.Nil()))

	name := names.Work(names.Import, p, t.Name.Value)
	w.valueMethod(f, name+" runs "+child.Name.Value+" with a context of its own.", name, b)
}

// tries returns a statement that ends the method if a call fails.
func tries(call *jen.Statement) jen.Code {
	return jen.If(jen.Err().Op(":=").Add(call), jen.Err().Op("!=").Nil()).
		Block(jen.Return(inWorkflow("Value").Values(), jen.Err()))
}

// onFailure returns what a failed child results in.
func onFailure(how ir.ImportFailure) []jen.Code {
	switch how {
	case ir.FailureSkip:
		return []jen.Code{jen.Id("r").Dot("Instead").Call(inWorkflow("Value").Values(), jen.Err())}
	case ir.FailureDefault:
		return []jen.Code{jen.Id("r").Dot("Instead").Call(inWorkflow("Object").Call(), jen.Err())}
	}

	return []jen.Code{inWorkflow("Value").Values(), jen.Err()}
}

// placeIn returns a place of the context as a list of names.
func placeIn(p *ir.ContextPath) *jen.Statement { return jen.Index().String().Values(pathOf(p)...) }
