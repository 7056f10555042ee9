package rehearsal

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// env is what a run of a workflow knows at a point. It is never changed: what follows has a copy.
type env struct {
	agent *ir.Agent
	// run has the context, and where the innermost machine stands.
	run workflow.Run
	// schema is that of the context; nil if it is open.
	schema *ir.Schema
	// outputs are those of the steps that have run, by name; keys are their names in the order of the workflow.
	outputs map[*ir.Output]workflow.Value
	order   []*ir.Output
	// input is that of the innermost pipeline, this the item of the innermost map, answer the newest one of a person.
	input, this, answer workflow.Value
	// named is the next_state of the newest output that has one, lastStep the newest step that went well, and event how the
	// state came out, all in the innermost machine.
	named, lastStep workflow.Value
	event           string
	// ended is the end state of the machine that ended last; "" if it ended in none.
	ended string
}

// nobody watches what is rehearsed.
type nobody struct{ runtime.Effects }

func (nobody) Watched() bool { return false }

// newEnv begins a run of a workflow with a context; ok is false if its schema refuses that.
func newEnv(a *ir.Agent, context workflow.Value) (e *env, ok bool) {
	w := a.Node.(*ir.Workflow)
	e = &env{agent: a, run: workflow.Start(nobody{}, a.Name.Value), schema: w.Context, order: w.Outputs}

	return e, e.write(func(r *workflow.Run) error { return r.Inherit(context) })
}

// copied returns a copy that may be changed.
func (e *env) copied() *env {
	c := *e

	return &c
}

// eval evaluates what stands in the pipeline.
func (e *env) eval() eval { return eval{env: e, this: e.this} }

// write changes the context; ok is false if what becomes of it does not fit its schema, which is a failure of the step.
func (e *env) write(change func(*workflow.Run) error) (ok bool) {
	if err := change(&e.run); err != nil {
		return false
	}
	if e.schema == nil {
		return true
	}
	filled := withDefaults(e.schema, e.run.Context())
	if !isUnknown(filled) && !fits(e.schema, filled) {
		return false
	}

	return e.run.Inherit(filled) == nil
}

func (e *env) output(o *ir.Output) workflow.Value { return e.outputs[o] }

func (e *env) allOutputs() workflow.Value {
	var members []workflow.Member
	for _, o := range e.order {
		members = append(members, workflow.Member{Name: o.Name.Value, Value: e.outputs[o]})
	}

	return workflow.Present(members...)
}

// did records what a step came to.
func (e *env) did(t *ir.Task, v workflow.Value) {
	e.took(t.Output, v)
	e.lastStep = workflow.Text(t.Name.Value)
	if next := v.Get(ir.NextState); v.Kind() == workflow.KindObject && next.Kind() == workflow.KindText {
		e.named = next
	}
}

// took keeps the output of a step.
func (e *env) took(o *ir.Output, v workflow.Value) {
	outputs := make(map[*ir.Output]workflow.Value, len(e.outputs)+1)
	for known, value := range e.outputs {
		outputs[known] = value
	}
	outputs[o] = v
	e.outputs = outputs
}

// whole is the context with the next_state that was put there.
func (e *env) whole() workflow.Value {
	context := e.run.Context()
	if next := e.run.NextState(); !next.IsNone() {
		context = context.Merge(workflow.Object(workflow.Member{Name: ir.NextState, Value: next}))
	}

	return context
}

// key is the same for points from which the same can follow.
func (e *env) key(b *strings.Builder) {
	for _, v := range []workflow.Value{e.whole(), e.input, e.this, e.answer, e.named, e.lastStep} {
		b.WriteString(v.JSON())
		b.WriteByte(0)
	}
	for _, o := range e.order {
		b.WriteString(e.outputs[o].JSON())
		b.WriteByte(0)
	}
	b.WriteString(e.ended)
	b.WriteString(e.event)
}
