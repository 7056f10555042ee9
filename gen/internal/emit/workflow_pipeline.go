package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// pipeline emits the method that runs a pipeline, and then those of its steps.
func (w *workflow) pipeline(f *jen.File, p *ir.Pipeline) {
	w.pipelineOf(f, p, "")
}

// pipelineOf is pipeline with the variable that holds the item at hand; "" where the run knows it.
func (w *workflow) pipelineOf(f *jen.File, p *ir.Pipeline, this string) {
	b := newParagraphs(w, p)
	b.this = this
	tasks := b.tasks(p.Tasks)

	doc := names.Pipeline(p) + " runs the steps of " + p.What + "."
	if p == w.ir.Body {
		doc = names.Pipeline(p) + " runs the steps at the top."
	}
	w.valueMethod(f, doc, names.Pipeline(p), b)
	for _, task := range tasks {
		w.work(f, p, task)
	}
}

// valueMethod emits a method of a run that takes a value and gives one.
func (w *workflow) valueMethod(f *jen.File, doc, name string, b *paragraphs, params ...jen.Code) {
	declare(f, doc, jen.Func().Params(w.receiver()).Id(name).Params(append(params, jen.Id("input").Add(inWorkflow("Value")))...).
		Params(inWorkflow("Value"), jen.Error()).Block(b.statements...))
}

// work emits the methods that do the work of a step, and the pipelines inside of it.
func (w *workflow) work(f *jen.File, p *ir.Pipeline, task *ir.Task) {
	switch do := task.Do.(type) {
	case *ir.Branch:
		w.choose(f, p, task, do)
	case *ir.Loop:
		if do.Each() {
			w.each(f, p, task, do)
		} else {
			w.repeat(f, p, task, do)
		}
	case *ir.Parallel:
		w.fork(f, p, task, do)
	case *ir.Import:
		w.imports(f, p, task, do)
	case *ir.Machine:
		w.stateMachine(f, p, task, do)
	}
	this := ""
	if loop, isLoop := task.Do.(*ir.Loop); isLoop && loop.Each() {
		this = "input"
	}
	for i, inside := range task.Pipelines() {
		w.places[inside] = w.places[p]
		if do, isMachine := task.Do.(*ir.Machine); isMachine {
			if !runs(do.States[i]) {
				continue
			}
			w.places[inside] = statePlace{w.machineOf(p, task, do), do.States[i]}
		}
		w.pipelineOf(f, inside, this)
	}
	if task.Fallback != nil {
		w.work(f, p, task.Fallback)
	}
}

// paragraphs collects the statements of a method that gives a value.
type paragraphs struct {
	view
	at         *ir.Pipeline
	statements []jen.Code
	// hasValue and hasErr say that the variables value and err are declared.
	hasValue, hasErr bool
	// left says that the steps end here: a person's answer leads to another state.
	left bool
}

// newBody begins a method whose first step is given the method's input.
func newParagraphs(w *workflow, p *ir.Pipeline) *paragraphs {
	return &paragraphs{view: view{w: w, value: "input", used: map[string]bool{}}, at: p}
}

func (b *paragraphs) add(statements ...jen.Code) { b.statements = append(b.statements, statements...) }

// tasks adds the paragraphs of steps, and returns those that can run.
func (b *paragraphs) tasks(tasks []*ir.Task) []*ir.Task {
	for i, task := range tasks {
		if b.task(task); b.left {
			return tasks[:i+1]
		}
	}
	b.end()

	return tasks
}

// end returns the output of the last step.
func (b *paragraphs) end() {
	if len(b.statements) > 0 {
		b.add(jen.Line())
	}
	b.add(jen.Return(b.variable(b.value), jen.Nil()))
}

// task adds the paragraph of a step.
func (b *paragraphs) task(t *ir.Task) {
	if len(b.statements) > 0 {
		b.add(jen.Line())
	}
	b.add(remark("Step " + t.Name.Value + "."))
	b.do(t)
	b.keep(t)
	b.add(jen.Id("r").Dot("Did").Call(jen.Lit(t.Name.Value), b.variable(b.value)))
	b.before = t.Output
	b.leave(t)
}

// do adds the work of a step. Afterwards value is its output.
func (b *paragraphs) do(t *ir.Task) {
	work := b.workOf(t)
	if !work.fails {
		if work.code != nil {
			b.set(work.code)
		}
		return
	}

	b.add(work.before...)
	op := b.declare(&b.hasValue, &b.hasErr)
	b.add(jen.List(jen.Id("value"), jen.Err()).Op(op).Add(b.tried(t, work)))
	b.value = "value"
	b.failed(t, nil)
}

// set gives value what cannot fail.
func (b *paragraphs) set(code *jen.Statement) {
	b.add(jen.Id("value").Op(b.declare(&b.hasValue)).Add(code))
	b.value = "value"
}

// declare returns := if one of the variables is not declared yet, else =.
func (b *paragraphs) declare(variables ...*bool) string {
	op := "="
	for _, declared := range variables {
		if !*declared {
			op = ":="
		}
		*declared = true
	}

	return op
}

// failed adds what happens if something failed: attempt is done in the head of the if; nil when it was done before.
func (b *paragraphs) failed(t *ir.Task, attempt *jen.Statement) {
	head := []jen.Code{jen.Err().Op("!=").Nil()}
	if attempt != nil {
		head = []jen.Code{attempt, head[0]}
	}
	b.add(jen.If(head...).Block(
		jen.Return(inWorkflow("Value").Values(), jen.Id("r").Dot("Failed").Call(jen.Lit(t.Name.Value), jen.Err()))))
}

// keep adds what becomes of a step's output: it is kept for later steps, and put into the context.
func (b *paragraphs) keep(t *ir.Task) {
	kept, typed := b.w.keeps(t.Output)
	field := jen.Id("r").Dot("steps").Dot(names.StepField(t.Output.Name.Value))
	if typed {
		if !b.hasErr {
			b.add(jen.Var().Err().Error())
			b.hasErr = true
		}
		b.failed(t, jen.List(field, jen.Err()).Op("=").Add(inWorkflow("Decode")).
			Call(b.variable(b.value), jen.Id("read"+names.TypeOf(t.Output.Type))))
	}
	if t.Merges() {
		b.failed(t, jen.Err().Op(":=").Id("r").Dot("MergeContext").Call(b.variable(b.value)))
	}
	if t.SinkTo != nil {
		args := append([]jen.Code{b.variable(b.value)}, pathOf(t.SinkTo)...)
		b.failed(t, jen.Err().Op(":=").Id("r").Dot("SetContext").Call(args...))
	}
	if kept && !typed {
		b.add(field.Op("=").Add(b.variable(b.value)))
	}
}

// pathOf returns the names of a place in the context.
func pathOf(p *ir.ContextPath) []jen.Code { return texted(texts(p.Path)) }
