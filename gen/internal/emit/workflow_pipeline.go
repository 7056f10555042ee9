package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// statePlace is a state of a machine.
type statePlace struct {
	machine *machine
	state   *ir.State
}

// pipeline emits the method that runs a pipeline, and then those of its steps.
func (w *workflow) pipeline(f *jen.File, p *ir.Pipeline) {
	w.pipelineOf(f, p, "")
}

// pipelineOf is pipeline with the variable that holds the item at hand; "" where the run knows it.
func (w *workflow) pipelineOf(f *jen.File, p *ir.Pipeline, this string) {
	b := newSequence(w, p)
	b.this = this
	tasks := b.steps(p.Tasks)

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
func (w *workflow) valueMethod(f *jen.File, doc, name string, b *sequence, params ...jen.Code) {
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
		m := w.stepMachine(p, task, do)
		w.machines = append(w.machines, m)
		m.step(f)
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
			w.places[inside] = statePlace{w.stepMachine(p, task, do), do.States[i]}
		}
		w.pipelineOf(f, inside, this)
	}
	if task.Fallback != nil {
		w.work(f, p, task.Fallback)
	}
}

// steps adds the paragraphs of steps and what the last one gives, and returns those that can run.
func (b *sequence) steps(tasks []*ir.Task) []*ir.Task {
	for i, task := range tasks {
		if b.operation(task); b.left {
			return tasks[:i+1]
		}
	}
	b.paragraph()
	b.add(jen.Return(b.variable(b.value), jen.Nil()))

	return tasks
}
