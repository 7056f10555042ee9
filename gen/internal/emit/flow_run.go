package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run returns the call of a step or an agent.
func (w *flow) run(r *ir.Run) *jen.Statement {
	input, at := expr(r.Input), w.place(r).code()
	if r.Step != nil {
		return conversation{r.Step, r.Step.Label(w.name)}.call(input, at...)
	}

	return methodOf(r.Agent).Call(append([]jen.Code{jen.Id("fx"), input}, at...)...)
}

// methodOf returns the method that runs an agent.
func methodOf(ref *ir.AgentRef) *jen.Statement {
	return jen.Id("a").Dot(names.Run(ref.Agent.Name.Value))
}

// group returns the call that does runs side by side.
func (w *flow) group(op *ir.Parallel) *jen.Statement {
	args := []jen.Code{jen.Id("fx"), jen.Lit(w.name), jen.Lit(op.Limit)}
	switch {
	case op.List != nil:
		return in("rt.ForEach").Call(append(args, items(op.List), w.forItem(op))...)
	case op.N > 0:
		return in("rt.Times").Call(append(args, jen.Lit(op.N), jen.Lit(op.Title), w.closure(op.Runs()[0]))...)
	}
	args = append(args, expr(op.Runs()[0].Input))
	for _, run := range op.Runs() { // each on a line of its own
		args = append(args, jen.Line().Add(in("rt.Branch")).Values(
			jen.Id("Name").Op(":").Lit(run.Agent.Agent.Name.Value), jen.Id("Run").Op(":").Add(methodOf(run.Agent))))
	}

	return in("rt.Together").Call(append(args, jen.Line())...)
}

// forItem returns the function that is called with each item of a list: the method of an agent, if nothing has to be around it.
func (w *flow) forItem(op *ir.Parallel) *jen.Statement {
	run := op.Runs()[0]
	if run.Agent == nil || run.Input != (ir.TextOf{Var: op.Item}) || run.At.Kind != ir.PlaceFree {
		return w.closure(run, jen.Id(op.Item).String(), jen.Id("_").Op("...").Add(in("rt.Place")))
	}

	return methodOf(run.Agent)
}

// closure returns a function that runs something.
func (w *flow) closure(r *ir.Run, params ...jen.Code) *jen.Statement {
	params = append([]jen.Code{jen.Id("fx").Add(in("Effects"))}, params...)

	return jen.Func().Params(params...).Params(in("Finish"), jen.Error()).Block(jen.Return(w.run(r)))
}
