package rehearsal

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Outputs are alike if nothing that decides how a run goes on can tell them from each other: of many that a step may give one of
// each kind is enough.

// deciders are what decides how runs of workflows go on, and how values come there.
type deciders struct {
	// conditions are those of rows, branches and loops.
	conditions []ir.Expression
	// moved are the paths that steps read which only move values on.
	moved []*ir.Access
	// outputs are, for each step, the outputs that its own becomes: that of the step which runs it last too.
	outputs map[*ir.Task][]*ir.Output
	// passed are the steps whose output is moved on as it is.
	passed map[*ir.Task]bool
	// copied are the places of contexts that imports copy.
	copied []ir.ImportOutput
}

// look takes what decides in a pipeline, which the steps of last run: their output is that of its last step.
func (d *deciders) look(p *ir.Pipeline, last []*ir.Task) {
	if p == nil {
		return
	}
	for i, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			d.outputs[t] = append(d.outputs[t], p.Tasks[i].Output, t.Output)
			if i+1 < len(p.Tasks) {
				d.passed[t] = movesOn(p.Tasks[i+1])
			} else {
				for _, around := range last {
					d.outputs[t] = append(d.outputs[t], d.outputs[around]...)
					d.passed[t] = d.passed[t] || d.passed[around]
				}
			}
			d.task(t)
			for _, inside := range t.Pipelines() {
				d.look(inside, append(last[:len(last):len(last)], t))
			}
		}
	}
}

// movesOn reports whether a step may give on, or write into the context, what it is given.
func movesOn(t *ir.Task) bool {
	if t.Input != nil {
		return false
	}
	switch do := t.Do.(type) {
	case *ir.Run, *ir.UseFunc, *ir.Hitl, *ir.Machine:
		return false
	case *ir.Conditional:
		return do.Key == nil
	}

	return true
}

func (d *deciders) task(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.UseBuiltin:
		for _, arg := range do.Args {
			d.move(arg.Value)
		}
		d.moveFrom(do.Path)
	case *ir.Import:
		d.copied = append(d.copied, do.Outputs...)
	case *ir.Conditional:
		if do.Key != nil {
			d.conditions = append(d.conditions, do.Key.Root)
		}
	case *ir.Repeat:
		if do.Exit != nil {
			d.conditions = append(d.conditions, do.Exit.Root)
		}
	case *ir.Each:
		d.move(do.Result)
		d.moveFrom(do.Items)
	case *ir.Machine:
		for _, row := range do.Rows() {
			if row.When != nil {
				d.conditions = append(d.conditions, row.When.Formula.Root)
			}
		}
	}
	switch t.Do.(type) {
	case *ir.Run, *ir.UseFunc, *ir.Hitl, *ir.Machine:
	default:
		d.move(t.Input)
	}
}

// move takes the paths that data read.
func (d *deciders) move(data *ir.Datum) {
	data.Walk(accesses(d.reads))
}

// moveFrom takes a place in the context as one that is read.
func (d *deciders) moveFrom(p *ir.ContextPath) {
	if p == nil {
		return
	}
	x := &ir.Access{Root: ir.RootContext}
	for _, name := range p.Path {
		x.Path = append(x.Path, ir.Field{Name: name})
	}
	d.reads(x)
}

func (d *deciders) reads(x *ir.Access) { d.moved = append(d.moved, x) }

// eachAccess calls visit for the paths in an expression.
func eachAccess(x ir.Expression, visit func(*ir.Access)) {
	ir.WalkExpression(x, accesses(visit))
}

// accesses returns a visitor of expressions that passes on the paths.
func accesses(visit func(*ir.Access)) func(ir.Expression) {
	return func(x ir.Expression) {
		if access, isAccess := x.(*ir.Access); isAccess {
			visit(access)
		}
	}
}

// unlike returns the first of values that are alike as the output of a step; nil deciders tell all of them apart.
func (d *deciders) unlike(t *ir.Task, values []workflow.Value) []workflow.Value {
	if d == nil {
		return values
	}
	seen := map[string]bool{}
	var list []workflow.Value
	for _, v := range values {
		if sign := d.sign(t, v); !seen[sign] {
			seen[sign] = true
			list = append(list, v)
		}
	}

	return list
}

// sign is the same for values that are alike as the output of a step.
func (d *deciders) sign(t *ir.Task, v workflow.Value) string {
	own := map[*ir.Output]bool{}
	e := &env{run: workflow.Start(nobody{}, ""), outputs: map[*ir.Output]workflow.Value{}, order: d.outputs[t], input: v, answer: v}
	for _, o := range d.outputs[t] {
		own[o] = true
		e.outputs[o] = v
	}
	var b strings.Builder
	if t.UpdatesContext && e.run.MergeContext(v) != nil || t.SinkTo != nil && e.run.SetContext(v, names(t.SinkTo)...) != nil {
		b.WriteString("fails")
	}
	d.copy(e, v)
	b.WriteString(v.Get(ir.NextState).JSON() + e.run.NextState().JSON())
	if d.passed[t] {
		b.WriteString(v.JSON())
	}
	in := eval{env: e, result: v, this: v}
	for _, x := range d.moved {
		if own[x.Output] || given[x.Root] {
			b.WriteString(in.access(x).JSON())
		}
	}
	for _, x := range d.conditions {
		in.decided(x, own, &b)
	}

	return b.String()
}

// copy puts what is in a context also where imports copy it to.
func (d *deciders) copy(e *env, v workflow.Value) {
	context := e.run.Context()
	for _, o := range d.copied {
		for _, from := range []workflow.Value{context, v} {
			if value := from.Get(names(o.Child)...); !value.IsNone() && e.run.SetContext(value, names(o.Parent)...) == nil {
				break
			}
		}
	}
}

// given are the roots that may be an output, wherever it comes from.
var given = map[ir.Root]bool{
	ir.RootContext: true, ir.RootResult: true, ir.RootAnswer: true, ir.RootInput: true, ir.RootThis: true, ir.RootSteps: true,
}

// decided writes what becomes of the parts of a condition that depend on the outputs alone.
func (e eval) decided(x ir.Expression, own map[*ir.Output]bool, b *strings.Builder) {
	alone, any := true, false
	eachAccess(x, func(a *ir.Access) {
		mine := a.Root == ir.RootStep && own[a.Output] || given[a.Root]
		alone, any = alone && mine, any || mine
	})
	if !any {
		return
	}
	if alone {
		b.WriteString(e.value(x).JSON())
		return
	}
	switch x := x.(type) {
	case *ir.Logic:
		for _, operand := range x.X {
			e.decided(operand, own, b)
		}
	case *ir.Not:
		e.decided(x.X, own, b)
	default:
		eachAccess(x, func(a *ir.Access) { b.WriteString(e.access(a).JSON()) })
	}
}
