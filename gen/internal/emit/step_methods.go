package emit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// runPipelineCode returns the call of the method that runs a pipeline.
func runPipelineCode(p *ir.Pipeline, input *jen.Statement) *jen.Statement {
	return jen.Id("r").Dot(names.Pipeline(p)).Call(input)
}

// emitWorkMethod emits the method that does the work of a step; does describes it.
func (w *workflow) emitWorkMethod(f *jen.File, v names.Verb, p *ir.Pipeline, t *ir.Task, does string, b *sequence, params ...jen.Code) {
	name := names.Work(v, p, t.Name.Value)
	w.emitValueMethod(f, name+does, name, b, params...)
}

// emitBranch emits the method that runs a branch of a conditional step.
func (w *workflow) emitBranch(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Branch) {
	b := newSequence(w, p)
	var params []jen.Code
	switch {
	case do.Key != nil:
		params = []jen.Code{b.addKeyedBranches(do)}
	case do.Func != nil:
		b.addCall("verdict", funcCallCode(do.Func, b.useVariable("input")))
		b.addChoice(do.Func.Name.Value, "verdict")
		b.addBranchSwitch(do, chosenKeyCode)
	default:
		b.addChoice("input", "input")
		b.addBranchSwitch(do, chosenKeyCode)
	}

	does := " runs the branch of step " + t.Name.Value + " that its condition chooses."
	w.emitWorkMethod(f, names.Choose, p, t, does, b, params...)
}

// addKeyedBranches adds the choice of a branch by a key, and returns the parameter that is the key.
func (b *sequence) addKeyedBranches(do *ir.Branch) (param jen.Code) {
	switch b.keyFormOf(do.Key.Root) {
	case keyTruth:
		b.addEitherBranch(do, jen.Id("holds"))

		return jen.Id("holds").Bool()
	case keyDecision:
		b.addErrorCheck("decision")
		b.addEitherBranch(do, jen.Id("decision").Dot("Holds"))

		return jen.Id("decision").Add(inWorkflow("Decision"))
	case keyChosen:
		b.addErrorCheck("chosen")
		b.addBranchSwitch(do, chosenKeyCode)

		return jen.Id("chosen").Add(inWorkflow("Chosen"))
	}
	b.addBranchSwitch(do, func() *jen.Statement { return jen.Id("key") })

	return jen.Id("key").String()
}

// addEitherBranch adds that one branch runs if the condition holds, and another one if not.
func (b *sequence) addEitherBranch(do *ir.Branch, holds *jen.Statement) {
	b.add(jen.If(holds).Block(jen.Return(b.runArmCode(do, ir.TrueKey)...)))
	b.addReturn(b.runArmCode(do, ir.FalseKey)...)
}

// runArmCode returns what a conditional step returns for a key that is known: the result of a
// branch or, without one, an error.
func (b *sequence) runArmCode(do *ir.Branch, key string) []jen.Code {
	body := cmp.Or(do.ArmBody(key), do.Default)
	if body == nil {
		return []jen.Code{noneCode(), noBranchCode(do, jen.Lit(key))}
	}

	return []jen.Code{runPipelineCode(body, b.useVariable("input"))}
}

// addBranchSwitch adds the branch whose name is the key, and what follows if no branch has it.
func (b *sequence) addBranchSwitch(do *ir.Branch, key func() *jen.Statement) {
	b.add(jen.Switch(key()).BlockFunc(func(g *jen.Group) {
		for _, branch := range do.Branches {
			g.Case(textLiteral(branch.Name.Value)).Block(jen.Return(runPipelineCode(branch.Body, b.useVariable("input"))))
		}
	}))
	if do.Default != nil {
		b.addReturn(runPipelineCode(do.Default, b.useVariable("input")))
		return
	}
	b.addReturn(noneCode(), noBranchCode(do, key()))
}

// noBranchCode returns the error of a key that no branch has.
func noBranchCode(do *ir.Branch, key *jen.Statement) *jen.Statement {
	branches := ir.Map(do.Branches, func(branch *ir.Arm) string { return branch.Name.Value })

	return jen.Id("r").Dot("NoBranch").Call(key, wrapItems(quoteTexts(branches)))
}

// chosenKeyCode returns the key of the variable chosen.
func chosenKeyCode() *jen.Statement { return jen.Id("chosen").Dot("Key") }

// addChoice adds the choice of a branch by the value of a variable. source is its name in messages.
func (b *sequence) addChoice(source, variable string) {
	value := func() *jen.Statement { return b.useVariable(variable) }
	b.add(jen.Id("chosen").Op(":=").Add(value()).Dot("Choose").Call(jen.Lit(source), memberCode(jen.Lit(source), value())))
	b.addErrorCheck("chosen")
}

// addErrorCheck adds that the step fails if no branch could be chosen, which the field Err of a
// variable says.
func (b *sequence) addErrorCheck(variable string) {
	err := func() *jen.Statement { return jen.Id(variable).Dot("Err") }
	b.add(jen.If(err().Op("!=").Nil()).Block(jen.Return(noneCode(), err())), jen.Line())
}

// addReturn adds the return of a method.
func (b *sequence) addReturn(results ...jen.Code) { b.add(jen.Line(), jen.Return(results...)) }

// emitLoop emits the method that runs a loop.
func (w *workflow) emitLoop(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Loop) {
	b := newSequence(w, p)
	b.add(jen.Id("value").Op(":=").Add(b.useVariable("input")))
	b.value, b.result = "value", "value"
	b.before = outputOfTurn(do)
	b.setAtBound(do, false)
	for _, history := range do.Histories {
		b.add(jen.Id("r").Dot("steps").Dot(names.StepField(history.Name.Value)).Op("=").Add(inWorkflow("Conversation").Values()))
	}
	turns := jen.For(jen.Range().Lit(do.Max))
	body := runPipelineCode(do.Body, jen.Id("value"))
	if readsTurn(do.Body) {
		turns = jen.For(jen.Id("turn").Op(":=").Range().Lit(do.Max))
		body = jen.Id("r").Dot("Turn").Call(jen.Id("turn"), jen.Lit(do.Max), jen.Id("r").Dot(names.Pipeline(do.Body)), jen.Id("value"))
	}
	turn := b.newInner()
	if do.ExitFirst {
		turn.addExit(do)
		turn.add(jen.Line())
	}
	turn.add(jen.Var().Err().Error(), turn.returnOnError(jen.List(jen.Id("value"), jen.Err()).Op("=").Add(body)))
	if !do.ExitFirst {
		turn.addExit(do)
	}
	b.add(turns.Block(turn.statements...))
	isDone := do.OnBound == ir.BoundDone
	if do.ExitFirst && (!isDone || do.AtBound != nil) {
		b.addExit(do)
	}
	b.setAtBound(do, true)
	if isDone {
		b.addReturn(jen.Id("value"), jen.Nil())
	} else {
		b.addReturn(noneCode(), b.loopLimitCode(do))
	}

	w.emitWorkMethod(f, names.Repeat, p, t, " repeats the steps of "+t.Name.Value+describeTurns(do), b)
}

// setAtBound adds that a loop keeps whether it has ended at its bound, if something reads that.
func (b *sequence) setAtBound(do *ir.Loop, is bool) {
	if do.AtBound != nil {
		b.add(jen.Id("r").Dot("steps").Dot(names.StepField(do.AtBound.Name.Value)).Op("=").Add(inWorkflow("Of").Call(jen.Lit(is))))
	}
}

// describeTurns returns how often a loop repeats its steps.
func describeTurns(do *ir.Loop) string {
	until := ""
	switch {
	case do.Exit == nil && do.Func == nil:
		return fmt.Sprintf(" %s.", words.Count(do.Max, "time"))
	case do.ExitFirst:
		until = " while its condition holds"
	default:
		until = " until its exit holds"
	}
	if do.OnBound == ir.BoundDone {
		return fmt.Sprintf("%s, %s at most.", until, words.Count(do.Max, "time"))
	}

	return until + "."
}

// addExit adds that the loop ends if its exit holds.
func (b *sequence) addExit(do *ir.Loop) {
	exit := jen.Return(jen.Id("value"), jen.Nil())
	switch {
	case do.Exit != nil:
		b.add(jen.If(b.exitCode(do.Exit)).Block(exit))
	case do.Func != nil:
		b.addCall("over", funcCallCode(do.Func, jen.Id("value")))
		b.add(jen.If(jen.Id("over").Dot("True").Call()).Block(exit))
	}
}

// readsTurn reports whether the steps in the body of a loop read its turn. The bodies of inner
// loops and maps read their own.
func readsTurn(body *ir.Pipeline) bool {
	return slices.ContainsFunc(body.Steps(), func(t *ir.Task) bool {
		for by := t; by != nil; by = by.Fallback {
			if taskReadsTurn(by) {
				return true
			}
		}
		return false
	})
}

func taskReadsTurn(t *ir.Task) bool {
	reads := false
	t.WalkOwnReads(func(x *ir.Access) { reads = reads || turnMethods[x.Root] != "" })
	loop, isLoop := t.Do.(*ir.Loop)
	if isLoop && !loop.Wraps {
		return reads
	}

	return reads || slices.ContainsFunc(t.Pipelines(), readsTurn)
}

// exitCode returns whether a loop is over; unknown counts as false.
func (b *sequence) exitCode(f *ir.Formula) *jen.Statement {
	if b.canBeUnknown(f.Root) {
		return b.truthValueCode(f.Root).Dot("Holds").Call()
	}

	return b.formulaCode(f)
}

// loopLimitCode returns the error of a loop that has reached its limit. If the exit can be unknown,
// the error contains its operands.
func (b *sequence) loopLimitCode(do *ir.Loop) *jen.Statement {
	if do.Exit != nil && b.canBeUnknown(do.Exit.Root) {
		condition := do.Exit.Root
		if not, isNot := condition.(*ir.Not); isNot && do.ExitFirst {
			condition = not.X
		}
		args := append([]jen.Code{jen.Lit(do.Max), jen.Lit(do.ExitField)}, b.sourceAndOperands(do.Exit.Text, condition)...)
		return callWithArgs(b.truthValueCode(condition).Dot("LoopLimit"), args)
	}

	return jen.Id("r").Dot("LoopLimit").Call(jen.Lit(do.Max))
}

// emitEach emits the method that runs steps for each item of a list.
func (w *workflow) emitEach(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Loop) {
	if do.RunsApart() {
		w.emitEachApart(f, p, t, do)
		return
	}
	b := newSequence(w, p)
	b.addItems(do)
	body := w.mapBodyCode(do, jen.Id("r").Dot(names.Pipeline(do.Body)))
	each := jen.Id("r").Dot("Each").Call(append([]jen.Code{body}, contextPath(do.ItemsPath())...)...)
	if do.Result == nil {
		b.add(jen.Return(each))
	} else {
		b.value, b.result, b.before = "list", "list", t.Output
		result := b.datumCode(do.Result)
		list := "_"
		if b.used["list"] {
			list = "list"
		}
		b.addCall(list, each)
		b.addReturn(result, jen.Nil())
	}

	w.emitWorkMethod(f, names.Each, p, t, " runs the steps of "+t.Name.Value+" for each item of "+do.ItemsPath().Value+", one after another.", b)
}

// emitEachApart emits the method that runs steps for each item of a list, each with a copy of the
// run.
func (w *workflow) emitEachApart(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Loop) {
	b := newSequence(w, p)
	how := inWorkflow("Items").Add(newFields("Width", jen.Lit(do.Width), "Skip", do.Failed == ir.FailureIgnored, "Keep", do.Failed == ir.FailureKept).onOneLine())
	b.addItems(do)
	body := w.mapBodyCode(do, jen.Parens(jen.Op("*").Id(names.RunType(w.name))).Dot(names.Pipeline(do.Body)), w.receiver())
	each := inWorkflow("EachApart").Call(append([]jen.Code{jen.Id("r"), how, body}, contextPath(do.ItemsPath())...)...)

	list, last := "list", "_"
	taken := w.takeOutputsCode(do.Body, jen.Id("last"))
	if taken != nil {
		last = "last"
	}
	result := jen.Id(list)
	if do.Result != nil {
		b.value, b.result, b.before = list, list, t.Output
		result = b.datumCode(do.Result)
		if !b.used[list] {
			list = "_"
		}
	}
	op := ":="
	if list == "_" && last == "_" {
		b.add(jen.Var().Err().Error())
		op = "="
	}
	b.add(jen.List(jen.Id(list), jen.Id(last), jen.Err()).Op(op).Add(each), b.returnOnError())
	if taken != nil {
		b.add(jen.If(jen.Id("last").Op("!=").Nil()).Block(taken...))
	}
	b.addReturn(result, jen.Nil())

	atATime := ", one after another."
	if do.Width > 1 {
		atATime = fmt.Sprintf(", %d at a time.", do.Width)
	}
	w.emitWorkMethod(f, names.Each, p, t, " runs the steps of "+t.Name.Value+" for each item of "+do.ItemsPath().Value+atATime, b)
}

// takeOutputsCode returns the statements that keep the outputs of the steps in a body that another
// run has run; nil without kept outputs.
func (w *workflow) takeOutputsCode(body *ir.Pipeline, run *jen.Statement) []jen.Code {
	var taken []jen.Code
	for _, o := range w.outputsIn(body) {
		field := names.StepField(o.Name.Value)
		taken = append(taken, jen.Id("r").Dot("steps").Dot(field).Op("=").Add(run.Clone()).Dot("steps").Dot(field))
	}

	return taken
}

// emitImport emits the method that runs another workflow.
func (w *workflow) emitImport(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Import) {
	b := newSequence(w, p)
	child := do.Agent.Agent
	var back *jen.Statement
	if t.UpdatesContext && len(do.Outputs) > 0 {
		back = jen.Index().Index(jen.Lit(2)).Index().String().Values(ir.Map(do.Outputs, func(output ir.ImportOutput) jen.Code {
			return jen.Values(jen.Values(contextPath(output.Child)...), jen.Values(contextPath(output.Parent)...))
		})...)
	}
	how := inWorkflow("Import").Add(newFields(
		"Inherit", do.Inherit,
		"Key", codeIf(do.InputTo != ir.InputToPrompt, jen.Lit(do.Key)),
		"All", do.All && t.UpdatesContext,
		"Next", do.Next,
		"Back", back,
		"Skip", do.OnFailure == ir.FailureSkip,
		"Default", do.OnFailure == ir.FailureDefault).onLines())
	b.add(jen.Id("child").Op(":=").Id("r").Dot("app").Dot(names.NewRun(child.Name.Value)).Call(jen.Id("r").Dot("Fx").Call()))
	run := jen.Id("child").Dot(names.Pipeline(child.Node.(*ir.Flow).Body))
	b.addReturn(jen.Id("r").Dot("Import").Call(jen.Op("&").Id("child").Dot("Run"), how, run, b.useVariable("input")))

	w.emitWorkMethod(f, names.Import, p, t, " runs "+child.Name.Value+" with a separate context.", b)
}

// emitFork emits the method that runs branches in parallel.
func (w *workflow) emitFork(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Parallel) {
	b := newSequence(w, p)
	args := []jen.Code{jen.Id("r"), joinCode(t, do), b.useVariable("input")}
	branches := ir.Map(do.Branches, func(branch *ir.Arm) jen.Code { return jen.Line().Add(w.branchCode(branch)) })
	b.addCall("branches", inWorkflow("Fork").Call(slices.Concat(args, branches, []jen.Code{jen.Line()})...))
	w.addTakenOutputs(b, do)
	b.addReturn(reduceCode(do.Reduce)...)

	w.emitWorkMethod(f, names.Fork, p, t, " runs the branches of "+t.Name.Value+" in parallel.", b)
}

// joinCode returns the reduction of the branches.
func joinCode(t *ir.Task, do *ir.Parallel) *jen.Statement {
	return inWorkflow("Parallel").Add(newFields(
		"Step", jen.Lit(t.Name.Value), "Isolated", do.Merge == ir.MergeNone, "Keep", do.Merge.Winner(), "Ignore", do.Failed == ir.FailureIgnored).onOneLine())
}

func (w *workflow) branchCode(branch *ir.Arm) *jen.Statement {
	typ := jen.Id(names.RunType(w.name))
	paths := ir.Map(branch.Fields, func(p *ir.ContextPath) jen.Code { return jen.Values(contextPath(p)...) })
	back := codeIf(branch.Only, jen.Index().Index().String().Values(paths...))

	return inWorkflow("Branch").Types(typ).Add(newFields(
		"Name", jen.Lit(branch.Name.Value), "Run", jen.Parens(jen.Op("*").Add(typ)).Dot(names.Pipeline(branch.Body)), "Fields", back).onOneLine())
}

// addTakenOutputs adds that the outputs of steps in branches are kept like other outputs.
func (w *workflow) addTakenOutputs(b *sequence, do *ir.Parallel) {
	var cases []jen.Code
	for _, branch := range do.Branches {
		taken := w.takeOutputsCode(branch.Body, jen.Id("branch").Dot("Run"))
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

// outputsIn returns the kept outputs of a pipeline's steps, each once.
func (w *workflow) outputsIn(p *ir.Pipeline) []*ir.Output {
	inside := map[*ir.Output]bool{}
	ir.WalkTasks(p, func(t *ir.Task) {
		inside[t.Output] = true
		switch do := t.Do.(type) {
		case *ir.Run:
			inside[do.History] = true
		case *ir.Loop:
			inside[do.AtBound] = true
		}
	})

	return ir.Where(w.keptOutputs(), func(o *ir.Output) bool { return inside[o] })
}

// reducers are the methods that reduce branches, or the list of their results.
var reducers = map[ir.Reduce]string{
	ir.ReduceObject: "Outputs", ir.ReduceKeys: "Names", ir.ReduceValues: "Values", ir.ReduceUnion: "Union",
	ir.ReduceFirst: "First", ir.ReduceLast: "Last", ir.ReduceMajority: "Majority", ir.ReduceConcat: "Flatten",
}

// reduceCode returns the output of branches, and its error.
func reduceCode(how ir.Reduce) []jen.Code {
	branches := jen.Id("branches")
	switch how {
	case ir.ReduceConcat, ir.ReduceUnion:
		return []jen.Code{branches.Dot("Values").Call().Dot(reducers[how]).Call()}
	case ir.ReduceMajority:
		branches.Dot("Values").Call()
	}

	return []jen.Code{branches.Dot(reducers[how]).Call(), jen.Nil()}
}
