package verify

import (
	"fmt"
	"go/ast"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// kept is what a run keeps for its steps, or what these ask for.
type kept struct {
	// value are outputs whose value is kept, data those that are kept as Go types too.
	value, data map[*ir.Output]bool
	// all is the object of all outputs, this the item of a map step.
	all, this bool
}

func nothing() kept { return kept{value: map[*ir.Output]bool{}, data: map[*ir.Output]bool{}} }

// runType compares the type of a run, and finds out what it keeps: more than anybody asks for does no harm.
func (w *workflow) runType() {
	w.kept, w.read = nothing(), nothing()
	w.keptSteps()
	want := "struct { workflow.Run\n app *App\n"
	if w.ir.Context != nil {
		want += "context " + names.Context(w.agent) + "\n"
	}
	if len(w.kept.value) > 0 {
		want += "steps " + names.StepsType(w.agent) + "\n"
	}
	typ, known := w.types[w.typ()]
	if !known {
		w.fail(w.typ(), "a type", "none")
		return
	}
	if w.kept.this = w.text(typ) != "" && hasField(typ, "this"); w.kept.this {
		want += "this workflow.Value\n"
	}
	w.written(w.typ(), want+"}", typ)

	if w.ir.Context == nil {
		w.absent(w.method("Bind"))
		return
	}
	w.writtenFunc(w.method("Bind"), "func (r *"+w.typ()+") Bind() { workflow.Declare(&r.Run, &r.context, read"+
		names.Context(w.agent)+") }")
}

// keptSteps reads the type that holds what steps came to: a field for each output that is kept, in the order of the source.
func (w *workflow) keptSteps() {
	name := names.StepsType(w.agent)
	typ, isKept := w.types[name]
	if !isKept {
		return
	}
	fields := fieldsOf(typ)
	for _, o := range w.ir.Outputs {
		if len(fields) == 0 || fields[0].Names[0].Name != names.StepField(o.Name.Value) {
			continue
		}
		w.kept.value[o] = true
		if want := "workflow.Output[" + names.TypeOf(o.Type) + "]"; o.Type.IsStruct() && w.text(fields[0].Type) == want {
			w.kept.data[o] = true
		} else {
			w.written(name+", "+o.Name.Value, "workflow.Value", fields[0].Type)
		}
		fields = fields[1:]
	}
	if len(fields) > 0 {
		w.fail(name, "the steps in order", w.text(fields[0]))
	}
}

// fieldsOf returns the fields of a struct, each of which has one name.
func fieldsOf(typ ast.Expr) []*ast.Field {
	structure, isStruct := typ.(*ast.StructType)
	if !isStruct {
		return nil
	}
	var fields []*ast.Field
	for _, f := range structure.Fields.List {
		if len(f.Names) == 1 {
			fields = append(fields, f)
		}
	}

	return fields
}

func hasField(typ ast.Expr, name string) bool {
	for _, f := range fieldsOf(typ) {
		if f.Names[0].Name == name {
			return true
		}
	}

	return false
}

// field is the field of a run in which the output of a step is kept.
func stepField(o *ir.Output) string { return "r.steps." + names.StepField(o.Name.Value) }

// keptValue is where the value of an output is kept.
func (w *workflow) keptValue(o *ir.Output) string {
	if w.kept.data[o] {
		return stepField(o) + ".Value"
	}

	return stepField(o)
}

// allSteps compares the method that makes an object of all outputs, if there is one.
func (w *workflow) allSteps() {
	if w.funcs[w.method(names.AllSteps)] == nil {
		return
	}
	w.kept.all = true
	members := ""
	for _, o := range w.ir.Outputs {
		members += fmt.Sprintf("workflow.Member{Name: %q, Value: %s}, ", o.Name.Value, w.keptValue(o))
	}
	w.writtenFunc(w.method(names.AllSteps), "func (r *"+w.typ()+") "+names.AllSteps+"() workflow.Value { return workflow.Present("+
		members+") }")
}

// isKept compares what expressions ask for with what is kept.
func (w *workflow) isKept() {
	for _, o := range w.ir.Outputs {
		switch {
		case w.read.data[o] && !w.kept.data[o]:
			w.fail(names.StepsType(w.agent)+", "+o.Name.Value, "workflow.Output", "something else")
		case (w.read.value[o] || w.read.all) && !w.kept.value[o]:
			w.fail(names.StepsType(w.agent)+", "+o.Name.Value, "a field", "none")
		}
	}
	if w.read.all && !w.kept.all {
		w.fail(names.AllSteps, "a method", "none")
	}
	if w.read.this && !w.kept.this {
		w.fail(w.typ()+", this", "a field", "none")
	}
}
