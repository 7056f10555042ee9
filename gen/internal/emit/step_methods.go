package emit

import (
	"fmt"

	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run returns the call of the method that runs a pipeline.
func run(p *ir.Pipeline, input *jen.Statement) *jen.Statement {
	return jen.Id("r").Dot(names.Pipeline(p)).Call(input)
}

// workMethod emits the method that does the work of a step; does says what that is.
func (w *workflow) workMethod(f *jen.File, v names.Verb, p *ir.Pipeline, t *ir.Task, does string, b *sequence, params ...jen.Code) {
	name := names.Work(v, p, t.Name.Value)
	w.valueMethod(f, name+does, name, b, params...)
}

// choose emits the method that runs a branch of a conditional step.
func (w *workflow) choose(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Branch) {
	b := newSequence(w, p)
	var params []jen.Code
	key := func() *jen.Statement { return jen.Id("chosen").Dot("Key") }
	switch {
	case do.Key != nil && b.canBeMissing(do.Key.Root):
		params = []jen.Code{jen.Id("chosen").Add(inWorkflow("Chosen"))}
		b.failUnlessChosen()
	case do.Key != nil:
		params = []jen.Code{jen.Id("key").String()}
		key = func() *jen.Statement { return jen.Id("key") }
	case do.Func != nil:
		b.let("verdict", callFunc(do.Func, b.variable("input")))
		b.choose(do.Func.Name.Value, "verdict")
	default:
		b.choose("input", "input")
	}
	b.add(jen.Switch(key()).BlockFunc(func(g *jen.Group) {
		for _, branch := range do.Branches {
			g.Case(text(branch.Name.Value)).Block(jen.Return(run(branch.Body, b.variable("input"))))
		}
	}))
	if do.Default != nil {
		b.end(run(do.Default, b.variable("input")))
	} else {
		branches := ir.Map(do.Branches, func(branch *ir.Arm) string { return branch.Name.Value })
		b.end(none(), jen.Id("r").Dot("NoBranch").Call(key(), list(literals(branches))))
	}

	w.workMethod(f, names.Choose, p, t, " runs the branch of step "+t.Name.Value+" that has the key.", b, params...)
}

// choose adds that the value of a variable chooses the branch. source is what a message calls it.
func (b *sequence) choose(source, variable string) {
	value := func() *jen.Statement { return b.variable(variable) }
	b.add(jen.Id("chosen").Op(":=").Add(value()).Dot("Choose").Call(jen.Lit(source), memberOf(jen.Lit(source), value())))
	b.failUnlessChosen()
}

// failUnlessChosen adds that the step fails if no branch could be chosen.
func (b *sequence) failUnlessChosen() {
	err := func() *jen.Statement { return jen.Id("chosen").Dot("Err") }
	b.add(jen.If(err().Op("!=").Nil()).Block(jen.Return(none(), err())), jen.Line())
}

// end adds what a method returns.
func (b *sequence) end(results ...jen.Code) { b.add(jen.Line(), jen.Return(results...)) }

// repeat emits the method that runs a loop.
func (w *workflow) repeat(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Loop) {
	b := newSequence(w, p)
	b.add(jen.Id("value").Op(":=").Add(b.variable("input")))
	b.value, b.result = "value", "value"
	if last := do.Body.Last(); last != nil {
		b.before = last[0].Output
	}
	turn := b.inner()
	turn.add(jen.Var().Err().Error(), turn.fails(jen.List(jen.Id("value"), jen.Err()).Op("=").Add(run(do.Body, jen.Id("value")))))
	exit := jen.Return(jen.Id("value"), jen.Nil())
	switch {
	case do.Exit != nil:
		turn.add(jen.If(turn.exit(do.Exit)).Block(exit))
	case do.Func != nil:
		turn.let("over", callFunc(do.Func, jen.Id("value")))
		turn.add(jen.If(jen.Id("over").Dot("True").Call()).Block(exit))
	}
	b.add(jen.For(jen.Range().Lit(do.Max)).Block(turn.statements...))
	until := " until its exit holds."
	if do.OnBound == ir.BoundDone {
		until = fmt.Sprintf(" until its exit holds, %d times at most.", do.Max)
		b.end(jen.Id("value"), jen.Nil())
	} else {
		b.end(none(), b.loopLimit(do))
	}

	w.workMethod(f, names.Repeat, p, t, " repeats the steps of "+t.Name.Value+until, b)
}

// exit returns whether a loop is over: not if that is unknown.
func (b *sequence) exit(f *ir.Formula) *jen.Statement {
	if b.canBeUnknown(f.Root) {
		return b.truth(f.Root).Dot("Holds").Call()
	}

	return b.formula(f)
}

// loopLimit returns the error of a loop whose turns are used up. If the exit can be unknown, the
// error says why it did not hold.
func (b *sequence) loopLimit(do *ir.Loop) *jen.Statement {
	if do.Exit != nil && b.canBeUnknown(do.Exit.Root) {
		return listed(b.truth(do.Exit.Root).Dot("LoopLimit"), append([]jen.Code{jen.Lit(do.Max)}, b.operandsOf(do.Exit.Text, do.Exit.Root)...))
	}

	return jen.Id("r").Dot("LoopLimit").Call(jen.Lit(do.Max))
}

// each emits the method that runs steps for each item of a list.
func (w *workflow) each(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Loop) {
	b := newSequence(w, p)
	each := jen.Id("r").Dot("Each").Call(append([]jen.Code{jen.Id("r").Dot(names.Pipeline(do.Body))}, pathOf(do.Items())...)...)
	if do.Result == nil {
		b.add(jen.Return(each))
	} else {
		b.value, b.result, b.before = "list", "list", t.Output
		result := b.datum(do.Result)
		list := "_"
		if b.used["list"] {
			list = "list"
		}
		b.let(list, each)
		b.end(result, jen.Nil())
	}

	w.workMethod(f, names.Each, p, t, " runs the steps of "+t.Name.Value+" for each item of "+do.Items().Value+", one after another.", b)
}

// imports emits the method that runs another workflow.
func (w *workflow) imports(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Import) {
	b := newSequence(w, p)
	child := do.Agent.Agent
	var back *jen.Statement
	if t.UpdatesContext && len(do.Outputs) > 0 {
		back = jen.Index().Index(jen.Lit(2)).Index().String().Values(ir.Map(do.Outputs, func(output ir.ImportOutput) jen.Code {
			return jen.Values(jen.Values(pathOf(output.Child)...), jen.Values(pathOf(output.Parent)...))
		})...)
	}
	how := inWorkflow("Import").Add(fieldsOf(
		"Inherit", do.Inherit,
		"Key", wanted(do.InputTo != ir.InputToPrompt, jen.Lit(do.Key)),
		"All", do.All && t.UpdatesContext,
		"Next", do.Next,
		"Back", back,
		"Skip", do.OnFailure == ir.FailureSkip,
		"Default", do.OnFailure == ir.FailureDefault).braces())
	b.add(jen.Id("child").Op(":=").Id("r").Dot("app").Dot(names.NewRun(child.Name.Value)).Call(jen.Id("r").Dot("Fx").Call()))
	run := jen.Id("child").Dot(names.Pipeline(child.Node.(*ir.Flow).Body))
	b.end(jen.Id("r").Dot("Import").Call(jen.Op("&").Id("child").Dot("Run"), how, run, b.variable("input")))

	w.workMethod(f, names.Import, p, t, " runs "+child.Name.Value+" with a context of its own.", b)
}

// fork emits the method that runs branches side by side.
func (w *workflow) fork(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Parallel) {
	b := newSequence(w, p)
	args := []jen.Code{jen.Id("r"), joined(t, do), b.variable("input")}
	branches := ir.Map(do.Branches, func(branch *ir.Arm) jen.Code { return jen.Line().Add(w.branch(branch)) })
	b.let("branches", inWorkflow("Fork").Call(slices.Concat(args, branches, []jen.Code{jen.Line()})...))
	w.takeOutputs(b, do)
	b.end(reduced(do.Reduce)...)

	w.workMethod(f, names.Fork, p, t, " runs the branches of "+t.Name.Value+" side by side.", b)
}

// joined returns what becomes of the branches.
func joined(t *ir.Task, do *ir.Parallel) *jen.Statement {
	return inWorkflow("Parallel").Add(fieldsOf(
		"Step", jen.Lit(t.Name.Value), "Isolated", do.Merge == ir.MergeNone, "Keep", do.Merge.Keeps(), "Ignore", do.Failed == ir.FailureIgnored).line())
}

func (w *workflow) branch(branch *ir.Arm) *jen.Statement {
	typ := jen.Id(names.RunType(w.name))
	paths := ir.Map(branch.Fields, func(p *ir.ContextPath) jen.Code { return jen.Values(pathOf(p)...) })
	back := wanted(branch.Only, jen.Index().Index().String().Values(paths...))

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

	return ir.Where(w.keptOutputs(), func(o *ir.Output) bool { return inside[o] })
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
