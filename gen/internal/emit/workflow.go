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
	// reads are what expressions have asked for so far, kept what they ask for altogether: only
	// that is kept.
	reads, kept reads
	// places are the states that contain pipelines, each set before the pipeline is emitted.
	places map[*ir.Pipeline]statePlace
	// machines are the machines that can run, once their methods are emitted.
	machines []*machine
}

// reads are what expressions read, except the output of the previous step.
type reads struct {
	// value are outputs that are read as values, data the outputs whose Go type is used.
	value, data map[*ir.Output]bool
	// all is set if the object of all outputs is read.
	all bool
}

func newReads() reads { return reads{value: map[*ir.Output]bool{}, data: map[*ir.Output]bool{}} }

func newWorkflow(a agent, n *ir.Flow) *workflow {
	w := &workflow{agent: a, name: a.Name.Value, ir: n, reads: newReads(), kept: newReads(), places: map[*ir.Pipeline]statePlace{}}
	// What has to be kept is known when everything was written once.
	w.emitMethods(jen.NewFile(""))
	w.kept = w.reads

	return w
}

// emitWorkflow adds the workflow.
func (w *workflow) emitWorkflow(f *jen.File) {
	w.emitEntries(f)
	w.emitRunType(f)
	w.emitStepsType(f)
	w.machines = nil
	w.emitMethods(f)
	for _, m := range w.machines {
		m.emitStates(f)
		m.emitTerminal(f)
		m.emitRowlessStates(f)
		m.emitStateValues(f)
	}
	w.emitAnswers(f)
	context := "the context of " + w.name
	emitSchema(f, names.Context(w.name), context, w.ir.Context, false)
	emitSchemaText(f, names.ContextSchema(w.name), context, w.ir.Context)
}

// emitEntries emits the methods that run the workflow.
func (w *workflow) emitEntries(f *jen.File) {
	does := "Its key is done."
	end := "Finish"
	if last := w.ir.Body.LastTasks(); last != nil && isMachine(last[0]) {
		does = "Its key is the state in which " + last[0].Name.Value + " ends."
		if len(last) > 1 {
			does = "Its key is the state in which " + last[0].Name.Value + " ends, or done if that fails and another step runs in its place."
		}
		end = "FinishMachine"
	}
	fx, input := jen.Id("fx"), jen.Id("input")
	emitRunMethod(f, w.agent, does, func(g *jen.Group) {
		g.Return(jen.Id("a").Dot(names.RunWith(w.name)).Call(fx, input, jen.Nil()))
	})

	result := jen.Id("r").Dot(end).Call(jen.Id("r").Dot(names.Pipeline(w.ir.Body)).Call(inWorkflow("Text").Call(input)))
	with := names.RunWith(w.name)
	emitDeclaration(f, with+" runs "+w.name+" with an initial context, a JSON object; nil is an empty one.",
		finishMethod(w.agent.method(with), jen.Id("fx").Add(inRuntime("Effects")), jen.Id("input").String(), jen.Id("context").Add(rawMessage())).Block(
			jen.Id("r").Op(":=").Id("a").Dot(names.NewRun(w.name)).Call(fx),
			jen.If(jen.Err().Op(":=").Id("r").Dot("Begin").Call(jen.Id("context")), jen.Err().Op("!=").Nil()).
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
	emitDeclaration(f, names.RunType(w.name)+" is one run of "+w.name+": what its steps share.",
		jen.Type().Id(names.RunType(w.name)).StructFunc(func(g *jen.Group) {
			g.Add(inWorkflow("Run"))
			g.Id("app").Op("*").Id(w.agent.fixed.App)
			if w.ir.Context != nil {
				g.Id("context").Id(names.Context(w.name))
			}
			if len(w.keptOutputs()) > 0 {
				g.Id("steps").Id(names.StepsType(w.name))
			}
		}))
	if w.ir.Context == nil {
		return
	}

	emitDeclaration(f, "Bind makes r.context the context as its schema declares it.",
		jen.Func().Params(w.receiver()).Id("Bind").Params().Block(
			inWorkflow("Declare").Call(jen.Op("&").Id("r").Dot("Run"), jen.Op("&").Id("r").Dot("context"),
				jen.Id("read"+names.Context(w.name)))))
}

func (w *workflow) receiver() *jen.Statement { return jen.Id("r").Op("*").Id(names.RunType(w.name)) }

// isKept reports whether an output is kept for later steps, and typed whether its Go type is.
func (w *workflow) isKept(o *ir.Output) (kept, typed bool) {
	typed = w.kept.data[o]

	return typed || w.kept.value[o] || w.kept.all, typed
}

func (w *workflow) keptOutputs() []*ir.Output {
	return slices.DeleteFunc(slices.Clone(w.ir.Outputs), func(o *ir.Output) bool {
		kept, _ := w.isKept(o)

		return !kept
	})
}

// emitStepsType emits the type that holds the outputs of steps.
func (w *workflow) emitStepsType(f *jen.File) {
	outputs := w.keptOutputs()
	if len(outputs) == 0 {
		return
	}
	name := names.StepsType(w.name)
	emitDeclaration(f, name+" are the outputs of steps of "+w.name+" that others read; none before a step ran.",
		jen.Type().Id(name).StructFunc(func(g *jen.Group) {
			for _, o := range outputs {
				typ := inWorkflow("Value")
				if _, typed := w.isKept(o); typed {
					typ = inWorkflow("Output").Types(jen.Id(names.TypeOf(o.Type)))
				}
				g.Id(names.StepField(o.Name.Value)).Add(typ)
			}
		}))
	if w.kept.all {
		w.emitAllSteps(f)
	}
}

// emitAllSteps emits the method that makes an object of all outputs.
func (w *workflow) emitAllSteps(f *jen.File) {
	var members []jen.Code
	for _, o := range w.ir.Outputs {
		field := jen.Id("r").Dot("steps").Dot(names.StepField(o.Name.Value))
		if _, typed := w.isKept(o); typed {
			field = field.Dot("Value")
		}
		members = append(members, memberCode(jen.Lit(o.Name.Value), field))
	}
	emitDeclaration(f, names.AllSteps+" returns the outputs of the steps that have run, by name.",
		jen.Func().Params(w.receiver()).Id(names.AllSteps).Params().Add(inWorkflow("Value")).
			Block(jen.Return(callWithArgs(inWorkflow("Object"), members).Dot("Present").Call())))
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
		emitVar(f, names.AnswerSpec(of), "is what a person answers step "+task.Name.Value, outputSpecCode(names.AnswerSchema(of), names.Answer(of)))
		answer := "the answer of step " + task.Name.Value
		emitSchema(f, names.Answer(of), answer, ask.Answer.Schema, false)
		emitSchemaText(f, names.AnswerSchema(of), answer, ask.Answer.Schema)
	})
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
		jen.Line(),
		jen.Return(jen.Id("r").Dot("Agent").Call(jen.Op("&").Id("spec"), b.useVariable("input"))))
	name := names.AskAgent(s.Name.Value)
	w.emitValueMethod(f, name+" asks "+s.Name.Value+" with its prompt filled in.", name, b)
}

// statePlace is a state of a machine.
type statePlace struct {
	machine *machine
	state   *ir.State
}

// emitPipeline emits the method that runs a pipeline, and then the methods of its steps.
func (w *workflow) emitPipeline(f *jen.File, p *ir.Pipeline) {
	b := newSequence(w, p)
	tasks := b.addSteps(p.Tasks)

	doc := names.Pipeline(p) + " runs the steps of " + p.Description + "."
	if p == w.ir.Body {
		doc = names.Pipeline(p) + " runs the steps at the top."
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
		if do.IsForEach() {
			w.emitEach(f, p, task, do)
		} else {
			w.emitLoop(f, p, task, do)
		}
	case *ir.Parallel:
		w.emitFork(f, p, task, do)
	case *ir.Import:
		w.emitImport(f, p, task, do)
	case *ir.Machine:
		m := w.newStepMachine(p, task, do)
		w.machines = append(w.machines, m)
		m.emitStepMethods(f)
	case *ir.Run, *ir.PassOn, *ir.UseFunc, *ir.UseBuiltin, *ir.Ask, *ir.Return: // done where the step is
	}
	for i, inside := range task.Pipelines() {
		w.places[inside] = w.places[p]
		if do, isMachine := task.Do.(*ir.Machine); isMachine {
			if !hasRunnableSteps(do.States[i]) {
				continue
			}
			w.places[inside] = statePlace{w.newStepMachine(p, task, do), do.States[i]}
		}
		w.emitPipeline(f, inside)
	}
	if task.Fallback != nil {
		w.emitWork(f, p, task.Fallback)
	}
}

// addSteps adds the paragraphs of steps and the return of the last output, and returns the steps
// that can run.
func (b *sequence) addSteps(tasks []*ir.Task) []*ir.Task {
	b.titled = len(tasks) > 1
	for i, task := range tasks {
		b.addTask(task)
		if b.left {
			return tasks[:i+1]
		}
	}
	b.addEmptyLine()
	b.add(jen.Return(b.useVariable(b.value), jen.Nil()))

	return tasks
}
