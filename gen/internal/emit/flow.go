package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// flow emits one flow: a method that does its operations one after another, in plain Go.
type flow struct {
	agent *ir.Agent
	name  string
	ir    *ir.Flow
}

func newFlow(a *ir.Agent, n *ir.Flow) *flow { return &flow{agent: a, name: a.Name.Value, ir: n} }

func (w *flow) emit(f *jen.File) {
	runMethod(f, w.agent, "It does the steps of pattern "+w.ir.Kind+". "+finishes, func(g *jen.Group) { w.body(g, w.ir.Body) })
	emitPlaces(f, w.name, w.places(), "the keys that "+w.name+" decides on")
}

// places returns the places of everything that runs in the flow.
func (w *flow) places() []place {
	var places []place
	ir.Walk(w.ir.Body, func(op ir.Op) {
		if r, isRun := op.(*ir.Run); isRun {
			places = append(places, w.place(r))
		}
	})

	return places
}

func (w *flow) place(r *ir.Run) place { return place{w.name, r.At.State, r.At} }

// body adds operations as statements.
func (w *flow) body(g *jen.Group, ops []ir.Op) {
	for i, op := range ops {
		r, isReturn := op.(*ir.Return)
		if !isReturn {
			w.statement(g, op)
			continue
		}
		if i > 0 {
			g.Line()
		}
		g.Return(w.finish(r))
	}
}

// statement adds an operation that is no end.
func (w *flow) statement(g *jen.Group, op ir.Op) {
	switch op := op.(type) {
	case *ir.Run:
		w.result(g, op.Var, w.run(op))
	case *ir.Parallel:
		w.result(g, op.Var, w.group(op))
	case *ir.Ask:
		w.result(g, op.Var, in("rt.AskPerson").Call(jen.Id("fx"), jen.Lit(w.name), jen.Id(op.Question)))
	case *ir.Set:
		assign := "="
		if op.New {
			assign = ":="
		}
		g.Id(op.Var).Op(assign).Add(expr(op.Value))
	case *ir.Loop:
		g.For(loopHead(op)).BlockFunc(func(g *jen.Group) { w.body(g, op.Body.Body) })
	case *ir.Branch:
		g.If(condition(op.Cond)).BlockFunc(func(g *jen.Group) { w.body(g, op.Then()) })
	}
}

// result adds a call that can fail, and what happens if it does.
func (w *flow) result(g *jen.Group, name string, call *jen.Statement) {
	g.List(jen.Id(name), jen.Err()).Op(":=").Add(call)
	g.If(jen.Err().Op("!=").Nil()).Block(jen.Return(in("Finish").Values(), jen.Err()))
}

// finish returns what ends the flow.
func (w *flow) finish(r *ir.Return) *jen.Statement {
	value := jen.Id(r.Var)
	switch r.Form {
	case ir.FormDocument:
		value = value.Dot("Document").Call()
	case ir.FormObject:
		value = value.Dot("Object").Call()
	}

	fx, agent, at := jen.Id("fx"), jen.Lit(w.name), jen.Id("at")
	switch r.Key {
	case ir.KeyOwn:
		return in("rt.Pass").Call(fx, agent, value)
	case ir.KeyExhausted:
		return in("rt.Exhausted").Call(fx, agent, at, value)
	case ir.KeyUnfinished:
		return in("rt.Unfinished").Call(fx, agent, at, value, jen.Lit(r.Limit), expr(ir.Value{Var: r.Feedback}))
	}

	return in("rt.Done").Call(fx, agent, value)
}
