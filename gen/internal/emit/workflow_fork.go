package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// fork emits the method that runs branches side by side.
func (w *workflow) fork(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Parallel) {
	b := newSequence(w, p)
	args := []jen.Code{jen.Id("r"), joined(t, do), b.variable("input")}
	for _, branch := range do.Branches {
		args = append(args, jen.Line().Add(w.branch(branch)))
	}
	b.let("branches", inWorkflow("Fork").Call(append(args, jen.Line())...))
	w.takeOutputs(b, do)
	b.end(reduced(do.Reduce)...)

	name := names.Work(names.Fork, p, t.Name.Value)
	w.valueMethod(f, name+" runs the branches of "+t.Name.Value+" side by side.", name, b)
}

// joined returns what becomes of the branches.
func joined(t *ir.Task, do *ir.Parallel) *jen.Statement {
	var keep *jen.Statement
	switch do.Merge {
	case ir.MergeKeepFirst:
		keep = jen.Lit("first")
	case ir.MergeOverwrite:
		keep = jen.Lit("last")
	}

	return inWorkflow("Parallel").Add(fieldsOf(
		"Step", jen.Lit(t.Name.Value), "Isolated", do.Merge == ir.MergeNone, "Keep", keep, "Ignore", do.Ignore).line())
}

func (w *workflow) branch(branch *ir.Arm) *jen.Statement {
	typ := jen.Id(names.RunType(w.name))
	var back *jen.Statement
	if branch.Only {
		back = jen.Index().Index().String().Values(eachOf(branch.Fields, func(p *ir.ContextPath) jen.Code { return jen.Values(pathOf(p)...) })...)
	}

	return inWorkflow("Branch").Types(typ).Add(fieldsOf(
		"Name", jen.Lit(branch.Name.Value), "Run", jen.Parens(jen.Op("*").Add(typ)).Dot(names.Pipeline(branch.Body)), "Fields", back).line())
}

// takeOutputs adds that the outputs of steps in branches are kept like those of other steps.
func (w *workflow) takeOutputs(b *sequence, do *ir.Parallel) {
	var cases []jen.Code
	for _, branch := range do.Branches {
		var taken []jen.Code
		for _, o := range w.outputsIn(branch.Body) {
			field := names.StepField(o.Name.Value)
			taken = append(taken, jen.Id("r").Dot("steps").Dot(field).Op("=").
				Id("branch").Dot("Run").Dot("steps").Dot(field))
		}
		if taken != nil {
			cases = append(cases, jen.Case(jen.Lit(branch.Name.Value)).Block(taken...))
		}
	}
	if cases == nil {
		return
	}
	b.add(jen.For(jen.List(jen.Id("_"), jen.Id("branch")).Op(":=").Range().Id("branches")).Block(
		jen.Switch(jen.Id("branch").Dot("Name")).Block(cases...)))
}

// outputsIn returns the outputs of a pipeline's steps that are kept, each once.
func (w *workflow) outputsIn(p *ir.Pipeline) []*ir.Output {
	inside := map[*ir.Output]bool{}
	ir.WalkTasks(p, func(t *ir.Task) { inside[t.Output] = true })
	var found []*ir.Output
	for _, o := range w.keptOutputs() {
		if inside[o] {
			found = append(found, o)
		}
	}

	return found
}

// reducers are the methods of branches, or of the list of what they returned, that reduce them.
var reducers = map[ir.Reduce]string{
	ir.ReduceObject: "Outputs", ir.ReduceKeys: "Names", ir.ReduceValues: "Values", ir.ReduceUnion: "Union",
	ir.ReduceFirst: "First", ir.ReduceLast: "Last", ir.ReduceMajority: "Majority", ir.ReduceConcat: "Flatten",
}

// reduced returns the output of branches, and its error.
func reduced(how ir.Reduce) []jen.Code {
	branches := jen.Id("branches")
	switch how {
	case ir.ReduceConcat, ir.ReduceUnion:
		return []jen.Code{branches.Dot("Values").Call().Dot(reducers[how]).Call()}
	case ir.ReduceMajority:
		branches.Dot("Values").Call()
	}

	return []jen.Code{branches.Dot(reducers[how]).Call(), jen.Nil()}
}
