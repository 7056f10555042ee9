package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// workflowPath is the import path of the package that workflows link against, in addition to the
// runtime.
const workflowPath = linkedPath + "/workflow"

// inWorkflow returns the qualified name of something in package workflow.
func inWorkflow(name string) *jen.Statement { return jen.Qual(workflowPath, name) }

// noneCode returns the missing value.
func noneCode() *jen.Statement { return inWorkflow("Value").Values() }

// workflow emits one workflow: the type of its runs, with a method for each pipeline and for each
// step with pipelines.
type workflow struct {
	agent agent
	name  string
	ir    *ir.Flow
	// reads are the reads of all expressions. An output that none reads is not kept.
	reads reads
	// machines are the machines that can run.
	machines []*machine
	// places has the pipelines inside of steps that can run, with the states that contain them.
	places map[*ir.Pipeline]statePlace
	// items has the pipelines in the bodies of maps, with the item of the innermost map.
	items map[*ir.Pipeline]*mapItem
}

// newWorkflow returns a workflow whose machines, places and reads are known.
func newWorkflow(a agent, n *ir.Flow) *workflow {
	w := &workflow{
		agent: a, name: a.Name.Value, ir: n, reads: newReads(),
		places: map[*ir.Pipeline]statePlace{}, items: map[*ir.Pipeline]*mapItem{},
	}
	w.scanPipeline(n.Body)
	for _, s := range n.Conversations {
		s.Template.Walk(w.readsAfter(w.ir.Body, nil))
	}

	return w
}

// emitWorkflow adds the workflow.
func (w *workflow) emitWorkflow(f *jen.File) {
	w.emitEntries(f)
	w.emitRunType(f)
	w.emitStepsType(f)
	w.emitMethods(f)
	for _, m := range w.machines {
		m.emitStates(f)
		m.emitTerminal(f)
		m.emitRowlessStates(f)
		m.emitStateValues(f)
	}
	w.emitAnswers(f)
	input := "the input of " + w.name
	emitSchema(f, names.WorkflowInput(w.name), input, w.ir.InputSchema(), false)
	emitSchemaText(f, names.WorkflowInputSchema(w.name), input, w.ir.InputSchema())
	emitSchema(f, names.Output(w.name), "the output of "+w.name, w.ir.OutputSchema(), false)
	w.emitLoopStates(f)
	context := "the context of " + w.name
	emitSchema(f, names.Context(w.name), context, w.ir.Context, false)
	emitSchemaText(f, names.ContextSchema(w.name), context, w.ir.Context)
}

// emitEntries emits the methods that run the workflow.
func (w *workflow) emitEntries(f *jen.File) {
	does := "Its key is done."
	end := "Finish"
	if last := w.ir.FinalSteps(); last != nil && isMachine(last[0]) {
		does = "Its key is the state in which " + last[0].Name.Value + " ends."
		if len(last) > 1 {
			does = "Its key is the state in which " + last[0].Name.Value + " ends, or done if it fails and its fallback runs."
		}
		end = "FinishMachine"
	}
	fx, input := jen.Id("fx"), jen.Id("input")
	emitRunMethod(f, w.agent, does, func(g *jen.Group) {
		g.Return(jen.Id("a").Dot(names.RunWith(w.name)).Call(fx, input, jen.Nil()))
	})

	result := jen.Id("r").Dot(end).Call(jen.Id("r").Dot(names.Pipeline(w.ir.Body)).Call(inWorkflow("Text").Call(input)))
	with := names.RunWith(w.name)
	emitDeclaration(f, with+" runs "+w.name+" on effects, with an initial context: a JSON object, or nil for an empty one.",
		finishMethod(w.agent.method(with), jen.Id("fx").Add(inRuntime("Effects")), jen.Id("input").String(), jen.Id("initial").Add(rawMessage())).Block(
			jen.Id("r").Op(":=").Id("a").Dot(names.NewRun(w.name)).Call(fx),
			jen.If(jen.Err().Op(":=").Id("r").Dot("Begin").Call(jen.Id("initial")), jen.Err().Op("!=").Nil()).
				Block(jen.Return(inRuntime("Finish").Values(), jen.Err())),
			jen.Line(),
			jen.Return(result)))

	emitDeclaration(f, names.NewRun(w.name)+" returns a run that has not begun.",
		w.agent.method(names.NewRun(w.name)).Params(jen.Id("fx").Add(inRuntime("Effects"))).
			Op("*").Id(names.RunType(w.name)).BlockFunc(w.addNewRun))
}

func (w *workflow) addNewRun(g *jen.Group) {
	run := jen.Op("&").Id(names.RunType(w.name)).Values(
		jen.Id("Run").Op(":").Add(inWorkflow("Start").Call(jen.Id("fx"), jen.Lit(w.name))), jen.Id("app").Op(":").Id("a"))
	if w.ir.Context == nil {
		g.Return(run)
		return
	}
	g.Id("r").Op(":=").Add(run)
	g.Id("r").Dot("Bind").Call()
	g.Line()
	g.Return(jen.Id("r"))
}

func rawMessage() *jen.Statement { return jen.Qual("encoding/json", "RawMessage") }

// emitRunType emits the type of a run.
func (w *workflow) emitRunType(f *jen.File) {
	emitDeclaration(f, names.RunType(w.name)+" is one run of "+w.name+".",
		jen.Type().Id(names.RunType(w.name)).StructFunc(func(g *jen.Group) {
			g.Add(inWorkflow("Run"))
			g.Id("app").Op("*").Id(w.agent.fixed.App)
			if w.ir.Context != nil {
				g.Id("context").Id(names.Context(w.name))
			}
			if len(w.keptOutputs()) > 0 {
				g.Id("steps").Id(names.StepsType(w.name))
			}
			w.addMapItems(g)
		}))
	if w.ir.Context == nil {
		return
	}

	emitDeclaration(f, "Bind makes r.context the typed context of the run.",
		jen.Func().Params(w.receiver()).Id("Bind").Params().Block(
			inWorkflow("Declare").Call(append([]jen.Code{
				jen.Op("&").Id("r").Dot("Run"), jen.Op("&").Id("r").Dot("context"), jen.Id("read" + names.Context(w.name)),
			}, w.fieldRules()...)...)))
}

// mergeNames are the names of the ways to combine values.
var mergeNames = map[ir.FieldMerge]string{
	ir.FieldAppend: "Append", ir.FieldUnion: "Union", ir.FieldFirst: "First", ir.FieldLast: "Last",
	ir.FieldSum: "Sum", ir.FieldMax: "Max", ir.FieldOnce: "Once",
}

// fieldRules returns the rules of the fields of the context, each on its own line.
func (w *workflow) fieldRules() []jen.Code {
	var rules []jen.Code
	for _, rule := range w.ir.Context.FieldRules() {
		field := jen.Index().String().Values(textLiterals(rule.Path)...)
		rules = append(rules, jen.Line().Add(inWorkflow("Rule").Values(
			jen.Id("Field").Op(":").Add(field), jen.Id("Merge").Op(":").Add(inWorkflow(mergeNames[rule.Merge])))))
	}
	if rules != nil {
		rules = append(rules, jen.Line())
	}

	return rules
}

func (w *workflow) receiver() *jen.Statement { return jen.Id("r").Op("*").Id(names.RunType(w.name)) }

// keptOutputs returns the outputs that are kept for later steps.
func (w *workflow) keptOutputs() []*ir.Output { return ir.Where(w.ir.Outputs, w.reads.isKept) }

// isKept reports whether an output is kept for later steps. The output of a part of a step has no
// field of its own.
func (w *workflow) isKept(o *ir.Output) bool {
	return w.reads.isKept(o) && slices.Contains(w.ir.Outputs, o)
}

// emitStepsType emits the type that holds the outputs of steps.
func (w *workflow) emitStepsType(f *jen.File) {
	outputs := w.keptOutputs()
	if len(outputs) == 0 {
		return
	}
	name := names.StepsType(w.name)
	emitDeclaration(f, name+" has the outputs of steps of "+w.name+" that other steps read. The output of a step that has not run is zero.",
		jen.Type().Id(name).StructFunc(func(g *jen.Group) {
			for _, o := range outputs {
				typ := inWorkflow("Value")
				switch {
				case w.reads.typed[o]:
					typ = inWorkflow("Output").Types(jen.Id(names.TypeOf(o.Type)))
				case o.Type.Owner == ir.OwnerHistory:
					typ = inWorkflow("Conversation")
				}
				g.Id(names.StepField(o.Name.Value)).Add(typ)
			}
		}))
	if w.reads.all {
		w.emitAllSteps(f)
	}
}

// emitAllSteps emits the method that makes an object of all outputs.
func (w *workflow) emitAllSteps(f *jen.File) {
	var members []jen.Code
	for _, o := range w.ir.StepOutputs() {
		field := jen.Id("r").Dot("steps").Dot(names.StepField(o.Name.Value))
		if w.reads.typed[o] {
			field = field.Dot("Value")
		}
		members = append(members, memberCode(jen.Lit(o.Name.Value), field))
	}
	emitDeclaration(f, names.AllSteps+" returns the outputs of the steps that have run, by name.",
		jen.Func().Params(w.receiver()).Id(names.AllSteps).Params().Add(inWorkflow("Value")).
			Block(jen.Return(callWithArgs(inWorkflow("Object"), members).Dot("WithoutNone").Call())))
}

// emitMethods emits the methods of a run, pipeline by pipeline.
func (w *workflow) emitMethods(f *jen.File) {
	w.emitPipeline(f, w.ir.Body)
	for _, s := range w.ir.Conversations {
		w.emitAskAgent(f, s)
	}
}

// contextSpecCode returns the specification of the context of a workflow for engines and command
// lines.
func contextSpecCode(name string, w *ir.Flow) *jen.Statement {
	var schema *jen.Statement
	check := jen.Nil()
	if w.Context != nil {
		schema, check = jen.Id(names.ContextSchema(name)), checkFunc(names.Context(name))
	}

	return jen.Op("&").Add(inRuntime("compiled.Context")).
		Add(newFields("Schema", schema, "Check", inWorkflow("CheckContext").Call(check), "Run", jen.Id("a").Dot(names.RunWith(name))).onLines())
}

// inputSpecCode returns the specification of the input of a workflow for engines and command lines; nil
// without an input_schema.
func inputSpecCode(name string, w *ir.Flow) *jen.Statement {
	if w.InputSchema() == nil {
		return nil
	}

	return jen.Op("&").Add(inRuntime("compiled.Input")).Add(newFields(
		"Schema", jen.Id(names.WorkflowInputSchema(name)), "Check", checkFunc(names.WorkflowInput(name))).onLines())
}

// emitAnswers emits the specifications of people's answers with a schema, each once.
func (w *workflow) emitAnswers(f *jen.File) {
	known := map[string]bool{}
	ir.WalkTasks(w.ir.Body, func(task *ir.Task) {
		ask, asks := task.Do.(*ir.Ask)
		if !asks || ask.Answer.Schema == nil || known[ask.Answer.OwnerName] {
			return
		}
		of := ask.Answer.OwnerName
		known[of] = true
		emitVar(f, names.AnswerSpec(of), "describes the answer of a person to step "+task.Name.Value, outputSpecCode(names.AnswerSchema(of), names.Answer(of)))
		answer := "the answer of step " + task.Name.Value
		emitSchema(f, names.Answer(of), answer, ask.Answer.Schema, false)
		emitSchemaText(f, names.AnswerSchema(of), answer, ask.Answer.Schema)
	})
}

// emitLoopStates emits the types of the variables of loops.
func (w *workflow) emitLoopStates(f *jen.File) {
	for _, t := range ir.OpsOf[*ir.Task](w.ir.Body.Ops()) {
		loop, isLoop := t.Do.(*ir.Loop)
		if isLoop && loop.State != nil {
			emitSchema(f, names.TypeOf(loop.State.Type), "the variables of loop "+t.Name.Value, loop.State.Type.Schema, false)
		}
	}
}

// emitAskAgent emits the method that asks an agent, if its prompt has placeholders.
func (w *workflow) emitAskAgent(f *jen.File, s *ir.Step) {
	if s.Template == nil {
		return
	}
	b := newSequence(w, w.ir.Body)
	b.add(
		jen.Id("spec").Op(":=").Id(names.Spec(s.Label(w.name))),
		jen.Id("spec").Dot("Prompt").Op("=").Add(b.templateCode(s.Template)),
	)
	name, call := names.AskAgent(s.Name.Value), jen.Id("r").Dot("Agent")
	var params, args []jen.Code
	if w.isRemembered(s) {
		call, args = jen.Id("r").Dot("Converse"), []jen.Code{jen.Id("earlier")}
		params = []jen.Code{jen.Id("earlier").Op("*").Add(inWorkflow("Conversation"))}
	}
	b.addReturn(call.Call(append(args, jen.Op("&").Id("spec"), b.useVariable("input"))...))
	w.emitValueMethod(f, name+" asks "+s.Name.Value+" with its prompt filled in.", name, b, params...)
}

// historyCode returns a pointer to what a conversation remembers, or nil.
func historyCode(r *ir.Run) *jen.Statement {
	if r.History == nil {
		return jen.Nil()
	}

	return jen.Op("&").Id("r").Dot("steps").Dot(names.StepField(r.History.Name.Value))
}

// isRemembered reports whether a conversation of the workflow is carried across the turns of a loop.
func (w *workflow) isRemembered(s *ir.Step) bool {
	return slices.ContainsFunc(ir.OpsOf[*ir.Run](w.ir.Body.Ops()), func(r *ir.Run) bool { return r.Step == s && r.History != nil })
}

// emitPipeline emits the method that runs a pipeline, and then the methods of its steps.
func (w *workflow) emitPipeline(f *jen.File, p *ir.Pipeline) {
	b := newSequence(w, p)
	b.titled = len(p.Tasks) > 1
	tasks := w.runnableTasks(p)
	b.addSteps(tasks)

	doc := names.Pipeline(p) + " runs the steps of " + p.Description + "."
	if p == w.ir.Body {
		doc = names.Pipeline(p) + " runs the top-level steps."
	}
	w.emitValueMethod(f, doc, names.Pipeline(p), b)
	for _, task := range tasks {
		w.emitWork(f, p, task)
	}
}

// emitValueMethod emits a method of a run that takes a value and returns one.
func (w *workflow) emitValueMethod(f *jen.File, doc, name string, b *sequence, params ...jen.Code) {
	emitDeclaration(f, doc, jen.Func().Params(w.receiver()).Id(name).Params(append(params, jen.Id("input").Add(inWorkflow("Value")))...).
		Params(inWorkflow("Value"), jen.Error()).Block(b.statements...))
}

// emitWork emits the methods that do the work of a step, and its pipelines.
func (w *workflow) emitWork(f *jen.File, p *ir.Pipeline, task *ir.Task) {
	switch do := task.Do.(type) {
	case *ir.Branch:
		w.emitBranch(f, p, task, do)
	case *ir.Loop:
		switch {
		case do.IsForEach():
			w.emitEach(f, p, task, do)
		case !do.Wraps:
			w.emitLoop(f, p, task, do)
		}
	case *ir.Parallel:
		w.emitFork(f, p, task, do)
	case *ir.Import:
		w.emitImport(f, p, task, do)
	case *ir.Machine:
		ir.First(w.machines, func(m *machine) bool { return m.ir == do }).emitStepMethods(f)
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Ask, *ir.Return: // done where the step is
	}
	for _, inside := range task.Pipelines() {
		if _, canRun := w.places[inside]; canRun {
			w.emitPipeline(f, inside)
		}
	}
	if task.Fallback != nil {
		w.emitWork(f, p, task.Fallback)
	}
}

// addSteps adds the paragraphs of steps, and the return of the last output unless the last step
// leaves the state.
func (b *sequence) addSteps(tasks []*ir.Task) {
	for i, task := range tasks {
		if i+1 < len(tasks) && isReplaced(task, tasks[i+1]) {
			b.addEmptyLine()
			b.addIgnoredTurns(task)
			continue
		}
		b.addTask(task)
	}
	if n := len(tasks); n > 0 && b.w.alwaysLeaves(b.at, tasks[n-1]) {
		return
	}
	b.addEmptyLine()
	b.add(jen.Return(b.useVariable(b.value), jen.Nil()))
}
