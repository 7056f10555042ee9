package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitFlow adds the method that runs a flow, and its places.
func emitFlow(f *jen.File, a agent, n *ir.Flow) {
	b := &sequence{flow: a.Agent, declared: map[*ir.Output]bool{}, finishes: finishVariables(n)}
	b.addFlowTasks(n.Body)
	emitRunMethod(f, a, "It does the steps of pattern "+n.Kind+".", func(g *jen.Group) {
		for _, statement := range b.statements {
			g.Add(statement)
		}
	})
	emitPlaces(f, a.Name.Value, ir.Map(ir.OpsOf[*ir.Run](n.Body.Ops()), b.runPlace), "the keys that "+a.Name.Value+" decides on")
}

// finishVariables returns the variables of a flow with the end of a run or an answer; others
// contain a text, notes or results.
func finishVariables(f *ir.Flow) map[*ir.Output]bool {
	finishes := map[*ir.Output]bool{}
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		switch t.Do.(type) {
		case *ir.Run, *ir.Ask:
			finishes[t.Output] = true
		}
	})

	return finishes
}

func (b *sequence) runPlace(r *ir.Run) place { return place{b.flow.Name.Value, r.At.State, r.At} }

// runtimeMethod returns a method of the runtime that acts on behalf of the flow.
func (b *sequence) runtimeMethod(what string) *jen.Statement {
	return inRuntime("rt.Flow").Call(jen.Lit(b.flow.Name.Value)).Dot(what)
}

// flowRunCode returns the call of a step or an agent.
func (b *sequence) flowRunCode(r *ir.Run, t *ir.Task) *jen.Statement {
	input, at := b.textCode(t.InputExpression()), b.runPlace(r).argumentCode()
	if r.Step != nil {
		return conversation{r.Step, r.Step.Label(b.flow.Name.Value)}.callCode(input, at...)
	}

	return agentMethod(r.Agent).Call(append([]jen.Code{jen.Id("fx"), input}, at...)...)
}

// agentMethod returns the method that runs an agent.
func agentMethod(ref *ir.AgentRef) *jen.Statement {
	return jen.Id("a").Dot(names.Run(ref.Agent.Name.Value))
}

// addFlowTasks adds the tasks of a pattern.
func (b *sequence) addFlowTasks(p *ir.Pipeline) {
	for _, t := range p.Steps() {
		b.addFlowTask(t)
	}
}

// addFlowTask adds the statements of a task of a pattern: loops and branches are statements.
func (b *sequence) addFlowTask(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.Run:
		b.addCall(variableName(t.Output), b.flowRunCode(do, t))
	case *ir.Ask:
		b.addCall(variableName(t.Output), b.runtimeMethod("Ask").Call(jen.Id("fx"), jen.Id(variableName(ir.OutputOf(t.InputExpression())))))
	case *ir.Parallel:
		b.addCall(variableName(t.Output), b.parallelCode(do))
	case *ir.PassOn:
		b.addAssignment(t.Output, t.InputExpression())
	case *ir.Loop:
		if do.Reduce == ir.ReduceResults {
			b.addCall(variableName(t.Output), b.repeatedCode(do))
			return
		}
		b.add(jen.For(b.loopHeadCode(do)).Block(b.bodyStatements(do.Body)...))
	case *ir.Branch:
		b.add(jen.If(b.conditionOf(do.Condition())).Block(b.bodyStatements(do.ThenBody())...))
	case *ir.Return:
		b.addEmptyLine()
		b.add(jen.Return(b.finishCode(do, t)))
	case *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
		panic(fmt.Sprintf("no pattern has a %T", do))
	}
}

// addAssignment assigns a value to a variable, and declares it if necessary.
func (b *sequence) addAssignment(to *ir.Output, value ir.Expression) {
	op := ":="
	if b.declared[to] {
		op = "="
	}
	b.declared[to] = true
	b.add(jen.Id(variableName(to)).Op(op).Add(b.textCode(value)))
}

// variableName returns the name of a variable.
func variableName(o *ir.Output) string { return o.Name.Value }

// parallelCode returns the call that runs agents in parallel with the same input, each on a line of
// its own.
func (b *sequence) parallelCode(do *ir.Parallel) *jen.Statement {
	first := do.Branches[0].Body.Tasks[0]
	args := []jen.Code{jen.Id("fx"), jen.Lit(do.Width), b.textCode(first.InputExpression())}
	for _, arm := range do.Branches {
		run := arm.Body.Tasks[0].Do.(*ir.Run)
		args = append(args, jen.Line().Add(inRuntime("rt.Branch")).Values(
			keyedField("Name", jen.Lit(run.Agent.Agent.Name.Value)), keyedField("Run", agentMethod(run.Agent))))
	}

	return b.runtimeMethod("Together").Call(append(args, jen.Line())...)
}

// repeatedCode returns the call that runs something several times in parallel.
func (b *sequence) repeatedCode(do *ir.Loop) *jen.Statement {
	args := []jen.Code{jen.Id("fx"), jen.Lit(do.Width)}
	task := do.Body.Tasks[0]
	run := task.Do.(*ir.Run)
	if do.Over == nil {
		return b.runtimeMethod("Times").Call(append(args, jen.Lit(do.Max), jen.Lit(do.Title), b.closureCode(run, task))...)
	}
	args = append(args, itemsCode(do.Over))
	if !isPlainCall(run, task, do.Item) {
		item := b.closureCode(run, task, jen.Id(variableName(do.Item)).String(), jen.Id("_").Op("...").Add(inRuntime("rt.Place")))
		return b.runtimeMethod("ForEach").Custom(broken, append(args, item)...)
	}

	return b.runtimeMethod("ForEach").Call(append(args, agentMethod(run.Agent))...)
}

// isPlainCall reports whether a task runs an agent with only an item, so that the agent's method
// needs no closure.
func isPlainCall(run *ir.Run, t *ir.Task, item *ir.Output) bool {
	given, isAccess := t.InputExpression().(*ir.Access)

	return run.Agent != nil && run.At.Kind == ir.PlaceFree && isAccess && given.Output == item
}

// closureCode returns a function that runs something.
func (b *sequence) closureCode(r *ir.Run, t *ir.Task, params ...jen.Code) *jen.Statement {
	params = append([]jen.Code{jen.Id("fx").Add(inRuntime("Effects"))}, params...)

	return jen.Func().Params(params...).Params(inRuntime("Finish"), jen.Error()).Block(jen.Return(b.flowRunCode(r, t)))
}

// finishCode returns the statement that ends the flow.
func (b *sequence) finishCode(r *ir.Return, t *ir.Task) *jen.Statement {
	fx, at, value := jen.Id("fx"), jen.Id("at"), b.heldCode(t.InputExpression())
	switch r.Key {
	case ir.KeyOwn:
		return b.runtimeMethod("Pass").Call(fx, value)
	case ir.KeyExhausted:
		return b.runtimeMethod("Exhausted").Call(fx, at, value)
	case ir.KeyUnfinished:
		return b.runtimeMethod("Unfinished").Call(fx, at, value, jen.Lit(r.Limit), b.textCode(r.Feedback))
	}

	return b.runtimeMethod("Done").Call(fx, value)
}

// heldCode returns the content of a variable in some form, or notes.
func (b *sequence) heldCode(x ir.Expression) *jen.Statement {
	switch x := x.(type) {
	case *ir.Access:
		return jen.Id(x.Written)
	case *ir.Notes:
		return b.notesCode(x)
	case *ir.Document:
		return b.heldCode(x.X).Dot("Document").Call()
	case *ir.Object:
		return b.heldCode(x.X).Dot("Object").Call()
	}

	panic(fmt.Sprintf("no variable holds a %T", x))
}

// textCode returns a text that is passed on, or notes.
func (b *sequence) textCode(x ir.Expression) *jen.Statement {
	switch x := x.(type) {
	case *ir.Access:
		if x.Root == ir.RootStep && b.finishes[x.Output] {
			return b.heldCode(x).Dot("Value")
		}
	case *ir.Report:
		return b.heldCode(x.X).Dot("String").Call()
	}

	return b.heldCode(x)
}

// notesCode returns titled texts, after the notes that they are added to, with a line each if there
// are more than two.
func (b *sequence) notesCode(x *ir.Notes) *jen.Statement {
	several := len(x.Sections) > 2
	if x.Base == nil {
		list := ir.Map(x.Sections, func(s ir.Section) jen.Code { return jen.Values(jen.Lit(s.Title), b.textCode(s.Text)) })
		if several {
			return inRuntime("rt.Brief").Custom(block, list...)
		}
		return inRuntime("rt.Brief").Values(list...)
	}
	all := b.heldCode(x.Base)
	for _, s := range x.Sections {
		all.Op(".")
		if several {
			all.Line()
		}
		all.Id("Add").Call(jen.Lit(s.Title), b.textCode(s.Text))
	}

	return all
}

// itemsCode returns the items of a list that is the final value of a run.
func itemsCode(x ir.Expression) *jen.Statement {
	list := x.(*ir.ListOf)

	return inRuntime("rt.ListKind").Call(jen.Lit(listKinds[list.Kind])).Dot("Items").Call(jen.Id(variableName(list.Of)))
}

// conditionOf returns a condition of a pattern.
func (b *sequence) conditionOf(x ir.Expression) *jen.Statement {
	if says, isSays := x.(*ir.SaysDone); isSays {
		return inRuntime("rt.SaysDone").Call(b.textCode(says.X))
	}
	if limit, isLimit := ir.TurnTestOf(x); isLimit {
		return jen.Id(variableName(limit.Turn)).Op("==").Lit(limit.N)
	}
	test, isTest := ir.KeyTestOf(x)
	if !isTest {
		panic(fmt.Sprintf("no pattern asks a %T", x))
	}
	is := jen.Id(variableName(test.Of)).Dot("Is").Call(jen.Lit(test.Key))
	if test.Not {
		return jen.Op("!").Add(is)
	}

	return is
}

// loopHeadCode returns the code after the word for.
func (b *sequence) loopHeadCode(l *ir.Loop) *jen.Statement {
	switch {
	case l.Over != nil:
		return jen.List(jen.Id("_"), jen.Id(variableName(l.Item))).Op(":=").Range().Add(itemsCode(l.Over))
	case l.Turn == nil && l.Max == 0:
		return jen.Empty()
	case l.Turn == nil:
		return jen.Range().Lit(l.Max)
	}

	turn := variableName(l.Turn)
	from, next := jen.Id(turn).Op(":=").Lit(1), jen.Id(turn).Op("++")
	if l.Max == 0 {
		return from.Op(";").Op(";").Add(next)
	}

	return from.Op(";").Id(turn).Op("<=").Lit(l.Max).Op(";").Add(next)
}
