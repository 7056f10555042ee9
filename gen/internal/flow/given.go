package flow

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// withAll is the number of variables to leave out with which what steps are given is followed too.
const withAll = -1

// maxText bounds the texts that are computed.
const maxText = 1000

// givenIn returns what the tasks of a workflow are given that return it or compute something of it: what the source has, or the
// output of the task before. A task of which that is not known has nothing there.
func givenIn(body *ir.Pipeline) map[*ir.Task]*ir.Datum {
	given := map[*ir.Task]*ir.Datum{}
	ir.WalkPipelines(body, func(p *ir.Pipeline) {
		var before *ir.Datum
		for _, t := range p.Steps() {
			for by := t; by != nil; by = by.Fallback {
				if given[by] = cmp.Or(by.Input, t.Input, before); given[by] == nil {
					delete(given, by)
				}
			}
			before = outputOf(t)
		}
	})

	return given
}

// outputOf returns the output of a task as data; nil for that of an import, which may be none where the task has ended well.
func outputOf(t *ir.Task) *ir.Datum {
	if _, isImport := t.Do.(*ir.Import); isImport || t.Output == nil {
		return nil
	}

	return &ir.Datum{Kind: ir.DatumValue, Value: &ir.Access{Root: ir.RootStep, Output: t.Output, Type: t.Output.Type}}
}

// addGiven adds the names that steps are given, or write, that a variable is about, and those with which these are made.
func (x *paths) addGiven(body *ir.Pipeline) {
	for i := 0; i < len(x.variables); i++ {
		v := x.variables[i]
		ir.WalkTasks(body, func(t *ir.Task) {
			for by := t; by != nil; by = by.Fallback {
				for _, d := range x.dataFor(t, by, v) {
					d.Walk(x.addRead)
				}
			}
		})
	}
}

// addRead adds the variable of a name that is read.
func (x *paths) addRead(access *ir.Access) {
	_, isKnown := x.byName[expr.NameOf(access)]
	if isTracked(access) && !isKnown {
		x.addVariable(access, nil)
	}
}

// isTracked reports whether an access is a variable: a field of the context, or what a step gave.
func isTracked(access *ir.Access) bool {
	if access.Default != nil {
		return false
	}
	isField := access.Root == ir.RootContext && len(access.Path) > 0

	return isField || access.Root == ir.RootStep && access.Output != nil
}

// dataFor returns the data of the source that t, or by in its place, makes the value of a variable of.
func (x *paths) dataFor(t, by *ir.Task, v *variable) (data []*ir.Datum) {
	isOutput := v.access.Root == ir.RootStep && v.access.Output == t.Output
	for _, w := range t.Writes() {
		if !mayChange(w, v.access) {
			continue
		}
		if d := x.dataOf(t, w); d != nil {
			data = append(data, d)
		}
		isOutput = isOutput || w.IsOutput
	}
	if isOutput {
		data = append(data, x.computedOf(by)...)
	}

	return data
}

// mayChange reports whether a write is at the place of a name of the context, around it or inside of it.
func mayChange(w ir.ContextWrite, access *ir.Access) bool {
	if access.Root != ir.RootContext || w.Path == nil || w.Path.Routes() {
		return false
	}
	for i, name := range w.Path.Path[:min(len(w.Path.Path), len(access.Path))] {
		if name.Value != access.Path[i].Name.Value {
			return false
		}
	}

	return true
}

// dataOf returns the data of the source that a task writes to the context; nil for its output, and for what is not known.
func (x *paths) dataOf(t *ir.Task, w ir.ContextWrite) *ir.Datum {
	_, isBuiltin := t.Do.(*ir.UseBuiltin)
	if w.IsOutput || !isBuiltin {
		return nil
	}

	return cmp.Or(w.Value, x.given[t])
}

// computedOf returns the data of which a task makes its output, where it computes nothing but what is known here.
func (x *paths) computedOf(t *ir.Task) []*ir.Datum {
	switch do := t.Do.(type) {
	case *ir.PassOn:
		if given := x.given[t]; given != nil {
			return []*ir.Datum{given}
		}
	case *ir.UseBuiltin:
		step, _ := builtin.StepByName(do.Builtin)
		if step.Apply == nil {
			return nil
		}
		var args []*ir.Datum
		for _, p := range step.Params {
			if arg := x.argument(t, do, p); arg != nil {
				args = append(args, arg)
			}
		}
		return args
	case *ir.Loop:
		if last := do.Body.Last(); !do.Each() && do.Result == nil && len(last) > 0 {
			if output := outputOf(last[0]); output != nil {
				return []*ir.Datum{output}
			}
		}
	}

	return nil
}

// argument returns an argument of a builtin step; nil where it has none, or where it is not known.
func (x *paths) argument(t *ir.Task, do *ir.UseBuiltin, p builtin.Param) *ir.Datum {
	if arg := ir.FieldOf(do.Args, p.Name); arg != nil || !p.Data {
		return arg
	}

	return x.given[t]
}

// findReads notes which variables are read by what a task, or a fallback of it, writes.
func (x *paths) findReads(t *ir.Task) {
	var read []int
	visit := func(access *ir.Access) {
		if i, known := x.byName[expr.NameOf(access)]; known && access.Default == nil && !slices.Contains(read, i) {
			read = append(read, i)
		}
	}
	for _, v := range x.variables {
		for by := t; by != nil; by = by.Fallback {
			for _, d := range x.dataFor(t, by, v) {
				d.Walk(visit)
			}
		}
	}
	x.reads[t] = read
}

// outputSchema returns what is known of the output of a task; nil for nothing.
func (x *paths) outputSchema(t *ir.Task, e values) *ir.Schema {
	if t == nil {
		return nil
	}
	value, isKnown := x.computed(t, e)
	if isKnown {
		return exactly(value)
	}
	if _, passes := t.Do.(*ir.PassOn); passes && t.Input != nil && t.Input.Kind == ir.DatumFields {
		return x.schemaOf(t.Input, e)
	}

	return t.Type.Schema
}

// computed returns the output of a task that computes it of what is known.
func (x *paths) computed(t *ir.Task, e values) (value workflow.Value, isKnown bool) {
	data := x.computedOf(t)
	if len(data) == 0 {
		return value, false
	}
	do, isBuiltin := t.Do.(*ir.UseBuiltin)
	if !isBuiltin {
		return x.datumValue(data[0], e)
	}
	step, _ := builtin.StepByName(do.Builtin)
	args := make([]workflow.Value, len(step.Params))
	for i, p := range step.Params {
		arg := x.argument(t, do, p)
		if arg == nil {
			if p.Data {
				return value, false
			}
			continue
		}
		if args[i], isKnown = x.datumValue(arg, e); !isKnown {
			return value, false
		}
	}
	value, err := step.Apply(args)

	return value, err == nil && len(value.JSON()) <= maxText
}

// datumValue computes data of the source of what is known of variables.
func (x *paths) datumValue(d *ir.Datum, e values) (value workflow.Value, isKnown bool) {
	value, isKnown = expr.DatumValue(d, func(access *ir.Access) (any, bool) {
		i, known := x.byName[expr.NameOf(access)]
		if !known || !x.isExact(e, i) {
			return nil, false
		}
		return x.value(e, i), true
	})

	return value, isKnown && len(value.JSON()) <= maxText
}

// isExact reports whether a variable has one value alone, which is what it is.
func (x *paths) isExact(e values, i int) bool {
	s := e.at(i)

	return s != 0 && s&(s-1) == 0 && s&x.variables[i].exact != 0
}

// insideOutput returns what a variable is when a task has given an output of a schema.
func (x *paths) insideOutput(v *variable, by *ir.Task, output *ir.Schema) set {
	if by != nil && output == by.Type.Schema && len(v.access.Path) == 0 {
		if given := x.given[by]; given != nil && isTemplate(by, given) {
			return v.texts(given)
		}
	}

	return v.inside(output, v.access.Path)
}

// isTemplate reports whether the output of a task is a template of the source.
func isTemplate(t *ir.Task, given *ir.Datum) bool {
	_, passes := t.Do.(*ir.PassOn)

	return passes && given.Kind == ir.DatumText
}

// exactly is the schema of one value.
func exactly(value workflow.Value) *ir.Schema { return &ir.Schema{Enum: []string{value.JSON()}} }

// memberOf returns the schema of a member of the values of an enumeration, of which one without it has none.
func memberOf(schema *ir.Schema, name string) *ir.Schema {
	values := expr.Constants(schema)

	return &ir.Schema{Enum: ir.Map(values, func(v workflow.Value) string { return v.Get(name).JSON() })}
}

// schemaOf returns what is known of a value of the source; nil for one that only the run decides.
func (x *paths) schemaOf(d *ir.Datum, e values) *ir.Schema {
	if d == nil {
		return nil
	}
	if value, isKnown := x.datumValue(d, e); isKnown {
		return exactly(value)
	}
	if d.Kind != ir.DatumFields {
		return nil
	}
	properties := ir.Map(d.Fields, func(field ir.DatumField) *ir.Property {
		return &ir.Property{Name: field.Name, Required: true, Schema: x.schemaOf(field.Value, e)}
	})

	return &ir.Schema{Kind: ir.SchemaObject, Properties: properties}
}
