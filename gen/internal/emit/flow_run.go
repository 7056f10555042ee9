package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run returns the call of a step or an agent.
func (w *flow) run(r *ir.Run, broken bool) *jen.Statement {
	input, at := expr(r.Input, broken), w.place(r).code()
	if r.Step != nil {
		return conversation{r.Step, r.Step.Label(w.name)}.call(input, at)
	}

	return methodOf(r.Agent).Call(jen.Id("fx"), input, at)
}

// methodOf returns the method that runs an agent at a place.
func methodOf(ref *ir.AgentRef) *jen.Statement {
	return jen.Id("a").Dot(names.RunAt(ref.Agent.Name.Value))
}

// together returns the call that runs agents side by side, each on a line of its own.
func (w *flow) together(op *ir.Together, broken bool) *jen.Statement {
	args := []jen.Code{jen.Id("fx"), jen.Lit(w.name), jen.Lit(op.Limit), expr(op.Input, broken)}
	for _, ref := range op.Agents {
		args = append(args, jen.Line().Add(in("Branch")).Values(
			jen.Id("Name").Op(":").Lit(ref.Agent.Name.Value), jen.Id("Run").Op(":").Add(methodOf(ref))))
	}

	return in("Together").Call(append(args, jen.Line())...)
}

// forEach returns the call that runs something for each item of a list.
func (w *flow) forEach(op *ir.ForEach, depth int, broken bool) *jen.Statement {
	run := w.closure(op.Run, depth, jen.Id(op.Item).String(), jen.Id("_").Add(in("Place")))
	if op.Run.Agent != nil && op.Run.Input == (ir.TextOf{Var: op.Item}) && op.Run.At.Kind == ir.PlaceFree {
		run = methodOf(op.Run.Agent)
		if broken {
			run = jen.Line().Add(run)
		}
	}

	return in("ForEach").Call(jen.Id("fx"), jen.Lit(w.name), jen.Lit(op.Limit), items(op.List), run)
}

// times returns the call that runs something several times.
func (w *flow) times(op *ir.Times, depth int) *jen.Statement {
	return in("Times").Call(jen.Id("fx"), jen.Lit(w.name), jen.Lit(op.Limit), jen.Lit(op.N), jen.Lit(op.Title),
		w.closure(op.Run, depth))
}

// closure returns a function that runs something, below the first line of a statement that is depth tabs from the left.
func (w *flow) closure(r *ir.Run, depth int, params ...jen.Code) *jen.Statement {
	params = append([]jen.Code{jen.Id("fx").Add(in("Effects"))}, params...)

	return jen.Line().Func().Params(params...).Params(in("Finish"), jen.Error()).Block(
		fitted(depth+2, func(broken bool) *jen.Statement { return jen.Return(w.run(r, broken)) }))
}
