package verify

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// kept is what a run keeps for its steps, as its types say: more than they ask for does no harm.
type kept struct {
	// value are outputs whose value is kept, data those that are kept as Go types too.
	value, data map[*ir.Output]bool
	// this is the item of a map step.
	this bool
}

// runType compares the type of a run, and finds out what it keeps.
func (w *workflow) runType() {
	w.kept = kept{value: map[*ir.Output]bool{}, data: map[*ir.Output]bool{}}
	w.keptSteps()
	want := "struct { workflow.Run\n app *App\n"
	if w.ir.Context != nil {
		want += "context " + names.Context(w.agent) + "\n"
	}
	if len(w.kept.value) > 0 {
		want += "steps " + names.StepsType(w.agent) + "\n"
	}
	if w.kept.this = hasField(w.types[w.typ()], "this"); w.kept.this {
		want += "this workflow.Value\n"
	}
	w.typeOf(w.typ(), want+"}")

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

// areKept compares what steps are asked for with what is kept.
func (w *workflow) areKept() {
	fields := map[string]bool{}
	for o := range w.kept.value {
		fields[names.StepField(o.Name.Value)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(w.funcs)) {
		if !strings.HasPrefix(name, w.method("")) {
			continue
		}
		ast.Inspect(w.funcs[name], func(n ast.Node) bool {
			selector, isSelector := n.(*ast.SelectorExpr)
			if isSelector && w.text(selector.X) == "r.steps" && !fields[selector.Sel.Name] {
				w.fail(name, "a step that is kept", selector.Sel.Name)
			}
			return true
		})
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

// allSteps compares the method that makes an object of all outputs, if an expression asks for it.
func (w *workflow) allSteps() {
	if !w.asksAll {
		return
	}
	members := ""
	for _, o := range w.ir.Outputs {
		members += fmt.Sprintf("workflow.Member{Name: %q, Value: %s}, ", o.Name.Value, w.keptValue(o))
	}
	w.writtenFunc(w.method(names.AllSteps), "func (r *"+w.typ()+") "+names.AllSteps+"() workflow.Value { return workflow.Present("+
		members+") }")
}
