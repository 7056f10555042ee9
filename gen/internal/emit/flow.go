package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitFlow adds the method that runs a flow, and the places of what it runs.
func emitFlow(f *jen.File, a agent, n *ir.Flow) {
	b := &sequence{flow: a.Agent}
	b.operations(n.Body)
	runMethod(f, a, "It does the steps of pattern "+n.Kind+".", func(g *jen.Group) {
		for _, statement := range b.statements {
			g.Add(statement)
		}
	})
	emitPlaces(f, a.Name.Value, ir.Map(ir.OpsOf[*ir.Run](n.Body), b.place), "the keys that "+a.Name.Value+" decides on")
}

func (b *sequence) place(r *ir.Run) place { return place{b.flow.Name.Value, r.At.State, r.At} }

// does returns a method of the runtime that does something on behalf of the flow.
func (b *sequence) does(what string) *jen.Statement {
	return in("rt.Flow").Call(jen.Lit(b.flow.Name.Value)).Dot(what)
}

// methodOf returns the method that runs an agent.
func methodOf(ref *ir.AgentRef) *jen.Statement {
	return jen.Id("a").Dot(names.Run(ref.Agent.Name.Value))
}

// group returns the call that does runs side by side.
func (b *sequence) group(op *ir.Parallel) *jen.Statement {
	runs := op.Runs()
	args := []jen.Code{jen.Id("fx"), jen.Lit(op.Limit)}
	switch {
	case op.List != nil:
		return b.forEach(op, append(args, items(op.List)))
	case op.N > 0:
		return b.does("Times").Call(append(args, jen.Lit(op.N), jen.Lit(op.Title), b.closure(runs[0]))...)
	}
	args = append(args, expr(runs[0].Input))
	for _, run := range runs { // each on a line of its own
		args = append(args, jen.Line().Add(in("rt.Branch")).Values(
			keyed("Name", jen.Lit(run.Agent.Agent.Name.Value)), keyed("Run", methodOf(run.Agent))))
	}

	return b.does("Together").Call(append(args, jen.Line())...)
}

// forEach returns the call that runs something with each item of a list: the method of an agent, if nothing has to be around it.
func (b *sequence) forEach(op *ir.Parallel, args []jen.Code) *jen.Statement {
	run := op.Runs()[0]
	if run.Agent == nil || run.Input != (ir.TextOf{Var: op.Item}) || run.At.Kind != ir.PlaceFree {
		item := b.closure(run, jen.Id(op.Item).String(), jen.Id("_").Op("...").Add(in("rt.Place")))
		return b.does("ForEach").Custom(broken, append(args, item)...)
	}

	return b.does("ForEach").Call(append(args, methodOf(run.Agent))...)
}

// closure returns a function that runs something.
func (b *sequence) closure(r *ir.Run, params ...jen.Code) *jen.Statement {
	params = append([]jen.Code{jen.Id("fx").Add(in("Effects"))}, params...)

	return jen.Func().Params(params...).Params(in("Finish"), jen.Error()).Block(jen.Return(b.runInFlow(r)))
}

// finish returns what ends the flow.
func (b *sequence) finish(r *ir.Return) *jen.Statement {
	value := jen.Id(r.Var)
	switch r.Form {
	case ir.FormDocument:
		value = value.Dot("Document").Call()
	case ir.FormObject:
		value = value.Dot("Object").Call()
	}

	fx, at := jen.Id("fx"), jen.Id("at")
	switch r.Key {
	case ir.KeyOwn:
		return b.does("Pass").Call(fx, value)
	case ir.KeyExhausted:
		return b.does("Exhausted").Call(fx, at, value)
	case ir.KeyUnfinished:
		return b.does("Unfinished").Call(fx, at, value, jen.Lit(r.Limit), expr(ir.Value{Var: r.Feedback}))
	}

	return b.does("Done").Call(fx, value)
}

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
		list := ir.Map(e.Sections, func(s ir.Section) jen.Code { return jen.Values(jen.Lit(s.Title), expr(s.Text)) })
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

// items returns the items of a list that an agent has finished with.
func items(l *ir.List) *jen.Statement {
	return in("rt.ListKind").Call(jen.Lit(listKinds[l.Kind])).Dot("Items").Call(jen.Id(l.Of))
}

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
