package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitFlow adds the method that runs a flow, and the places of what it runs.
func emitFlow(f *jen.File, a agent, n *ir.Flow) {
	b := &sequence{flow: a.Agent, declared: map[*ir.Output]bool{}, finishes: finishesIn(n)}
	b.flowTasks(n.Body)
	runMethod(f, a, "It does the steps of pattern "+n.Kind+".", func(g *jen.Group) {
		for _, statement := range b.statements {
			g.Add(statement)
		}
	})
	emitPlaces(f, a.Name.Value, ir.Map(ir.OpsOf[*ir.Run](n.Body.Ops()), b.place), "the keys that "+a.Name.Value+" decides on")
}

// finishesIn returns the variables of a flow that hold how a run or an answer ended; any other one
// holds a text, notes or results.
func finishesIn(f *ir.Flow) map[*ir.Output]bool {
	finishes := map[*ir.Output]bool{}
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		switch t.Do.(type) {
		case *ir.Run, *ir.Ask:
			finishes[t.Output] = true
		}
	})

	return finishes
}

func (b *sequence) place(r *ir.Run) place { return place{b.flow.Name.Value, r.At.State, r.At} }

// does returns a method of the runtime that does something on behalf of the flow.
func (b *sequence) does(what string) *jen.Statement {
	return in("rt.Flow").Call(jen.Lit(b.flow.Name.Value)).Dot(what)
}

// runInFlow returns the call of a step or an agent.
func (b *sequence) runInFlow(r *ir.Run, t *ir.Task) *jen.Statement {
	input, at := b.text(t.Value()), b.place(r).code()
	if r.Step != nil {
		return conversation{r.Step, r.Step.Label(b.flow.Name.Value)}.call(input, at...)
	}

	return methodOf(r.Agent).Call(append([]jen.Code{jen.Id("fx"), input}, at...)...)
}

// methodOf returns the method that runs an agent.
func methodOf(ref *ir.AgentRef) *jen.Statement {
	return jen.Id("a").Dot(names.Run(ref.Agent.Name.Value))
}

// flowTasks adds the tasks of a pattern.
func (b *sequence) flowTasks(p *ir.Pipeline) {
	for _, t := range p.Steps() {
		b.flowTask(t)
	}
}

// flowTask adds the statements of a task of a pattern: loops and branches are statements.
func (b *sequence) flowTask(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.Run:
		b.let(variableOf(t.Output), b.runInFlow(do, t))
	case *ir.Ask:
		b.let(variableOf(t.Output), b.does("Ask").Call(jen.Id("fx"), jen.Id(variableOf(ir.OutputOf(t.Value())))))
	case *ir.Parallel:
		b.let(variableOf(t.Output), b.together(do))
	case *ir.PassOn:
		b.assign(t.Output, t.Value())
	case *ir.Loop:
		if do.Reduce == ir.ReduceResults {
			b.let(variableOf(t.Output), b.group(do))
			return
		}
		b.add(jen.For(b.loopHead(do)).Block(b.body(do.Body)...))
	case *ir.Branch:
		b.add(jen.If(b.condition(do.Condition())).Block(b.body(do.Then())...))
	case *ir.Return:
		b.paragraph()
		b.add(jen.Return(b.finish(do, t)))
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
		panic(fmt.Sprintf("no pattern has a %T", do))
	}
}

// assign gives a variable a value, and declares it where it has none yet.
func (b *sequence) assign(to *ir.Output, value ir.Expression) {
	op := ":="
	if b.declared[to] {
		op = "="
	}
	b.declared[to] = true
	b.add(jen.Id(variableOf(to)).Op(op).Add(b.text(value)))
}

// variableOf returns the name of a variable.
func variableOf(o *ir.Output) string { return o.Name.Value }

// together returns the call that runs agents side by side, each on a line of its own. They are all
// given the same.
func (b *sequence) together(do *ir.Parallel) *jen.Statement {
	first := do.Branches[0].Body.Tasks[0]
	args := []jen.Code{jen.Id("fx"), jen.Lit(do.Width), b.text(first.Value())}
	for _, arm := range do.Branches {
		run := arm.Body.Tasks[0].Do.(*ir.Run)
		args = append(args, jen.Line().Add(in("rt.Branch")).Values(
			keyed("Name", jen.Lit(run.Agent.Agent.Name.Value)), keyed("Run", methodOf(run.Agent))))
	}

	return b.does("Together").Call(append(args, jen.Line())...)
}

// group returns the call that runs something several times side by side.
func (b *sequence) group(do *ir.Loop) *jen.Statement {
	args := []jen.Code{jen.Id("fx"), jen.Lit(do.Width)}
	task := do.Body.Tasks[0]
	run := task.Do.(*ir.Run)
	if do.Over == nil {
		return b.does("Times").Call(append(args, jen.Lit(do.Max), jen.Lit(do.Title), b.closure(run, task))...)
	}
	args = append(args, items(do.Over))
	if !isPlainCall(run, task, do.Item) {
		item := b.closure(run, task, jen.Id(variableOf(do.Item)).String(), jen.Id("_").Op("...").Add(in("rt.Place")))
		return b.does("ForEach").Custom(broken, append(args, item)...)
	}

	return b.does("ForEach").Call(append(args, methodOf(run.Agent))...)
}

// isPlainCall reports whether a task runs an agent with nothing but an item, so that the agent's
// method needs no function around it.
func isPlainCall(run *ir.Run, t *ir.Task, item *ir.Output) bool {
	given, isAccess := t.Value().(*ir.Access)

	return run.Agent != nil && run.At.Kind == ir.PlaceFree && isAccess && given.Output == item
}

// closure returns a function that runs something.
func (b *sequence) closure(r *ir.Run, t *ir.Task, params ...jen.Code) *jen.Statement {
	params = append([]jen.Code{jen.Id("fx").Add(in("Effects"))}, params...)

	return jen.Func().Params(params...).Params(in("Finish"), jen.Error()).Block(jen.Return(b.runInFlow(r, t)))
}

// finish returns what ends the flow.
func (b *sequence) finish(r *ir.Return, t *ir.Task) *jen.Statement {
	fx, at, value := jen.Id("fx"), jen.Id("at"), b.held(t.Value())
	switch r.Key {
	case ir.KeyOwn:
		return b.does("Pass").Call(fx, value)
	case ir.KeyExhausted:
		return b.does("Exhausted").Call(fx, at, value)
	case ir.KeyUnfinished:
		return b.does("Unfinished").Call(fx, at, value, jen.Lit(r.Limit), b.text(r.Feedback))
	}

	return b.does("Done").Call(fx, value)
}

// held returns what a variable holds as it is, in some form, or notes.
func (b *sequence) held(x ir.Expression) *jen.Statement {
	switch x := x.(type) {
	case *ir.Access:
		return jen.Id(x.Written)
	case *ir.Notes:
		return b.notes(x)
	case *ir.Document:
		return b.held(x.X).Dot("Document").Call()
	case *ir.Object:
		return b.held(x.X).Dot("Object").Call()
	}

	panic(fmt.Sprintf("no variable holds a %T", x))
}

// text returns a text that is handed on, or notes.
func (b *sequence) text(x ir.Expression) *jen.Statement {
	switch x := x.(type) {
	case *ir.Access:
		if x.Root == ir.RootStep && b.finishes[x.Output] {
			return b.held(x).Dot("Value")
		}
	case *ir.Report:
		return b.held(x.X).Dot("String").Call()
	}

	return b.held(x)
}

// notes returns titled texts, behind those of the notes that they are added to: a line each if
// there are more than two.
func (b *sequence) notes(x *ir.Notes) *jen.Statement {
	several := len(x.Sections) > 2
	if x.Base == nil {
		list := ir.Map(x.Sections, func(s ir.Section) jen.Code { return jen.Values(jen.Lit(s.Title), b.text(s.Text)) })
		if several {
			return in("rt.Brief").Custom(block, list...)
		}
		return in("rt.Brief").Values(list...)
	}
	all := b.held(x.Base)
	for _, s := range x.Sections {
		all.Op(".")
		if several {
			all.Line()
		}
		all.Id("Add").Call(jen.Lit(s.Title), b.text(s.Text))
	}

	return all
}

// items returns the items of a list that a run has finished with.
func items(x ir.Expression) *jen.Statement {
	list := x.(*ir.ListOf)

	return in("rt.ListKind").Call(jen.Lit(listKinds[list.Kind])).Dot("Items").Call(jen.Id(variableOf(list.Of)))
}

// condition returns a condition of a pattern.
func (b *sequence) condition(x ir.Expression) *jen.Statement {
	if says, isSays := x.(*ir.SaysDone); isSays {
		return in("rt.SaysDone").Call(b.text(says.X))
	}
	if limit, isLimit := ir.TurnTestOf(x); isLimit {
		return jen.Id(variableOf(limit.Turn)).Op("==").Lit(limit.N)
	}
	test, isTest := ir.KeyTestOf(x)
	if !isTest {
		panic(fmt.Sprintf("no pattern asks a %T", x))
	}
	is := jen.Id(variableOf(test.Of)).Dot("Is").Call(jen.Lit(test.Key))
	if test.Not {
		return jen.Op("!").Add(is)
	}

	return is
}

// loopHead returns what follows the word for.
func (b *sequence) loopHead(l *ir.Loop) *jen.Statement {
	switch {
	case l.Over != nil:
		return jen.List(jen.Id("_"), jen.Id(variableOf(l.Item))).Op(":=").Range().Add(items(l.Over))
	case l.Turn == nil && l.Max == 0:
		return jen.Empty()
	case l.Turn == nil:
		return jen.Range().Lit(l.Max)
	}

	turn := variableOf(l.Turn)
	from, next := jen.Id(turn).Op(":=").Lit(1), jen.Id(turn).Op("++")
	if l.Max == 0 {
		return from.Op(";").Op(";").Add(next)
	}

	return from.Op(";").Id(turn).Op("<=").Lit(l.Max).Op(";").Add(next)
}
