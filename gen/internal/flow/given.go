package flow

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Numbers of variables to leave out with which more of them are followed.
const (
	// withAll follows what steps are given too.
	withAll = -1
	// withLeft follows what an import leaves too.
	withLeft = -2
)

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
				if input := cmp.Or(by.Input, t.Input, before); input != nil {
					given[by] = input
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

// addGiven adds the names of which builtin steps compute, those that steps are given, or write,
// that a variable is about, and those with which these are made.
func (x *paths) addGiven(body *ir.Pipeline) {
	ir.WalkTasks(body, x.addConflicts)
	ir.WalkTasks(body, func(t *ir.Task) {
		if !isApplied(t) {
			return
		}
		for _, d := range x.computedOf(t) { // it may refuse what it is given
			d.Walk(x.addRead)
		}
		for _, w := range t.ContextWrites() { // which need not fit the context
			x.dataOf(t, w).Walk(x.addRead)
		}
	})
	giving, writing := tasksByOutput(body), tasksThatWrite(body)
	for i := 0; i < len(x.variables); i++ {
		switch v := x.variables[i]; v.access.Root {
		case ir.RootContext:
			for _, t := range writing {
				x.addDataFor(t, v)
			}
		case ir.RootStep:
			for _, t := range giving[v.access.Output] {
				x.addDataFor(t, v)
				x.addArms(t)
			}
		}
	}
}

// addArms adds the names with which the branches of a conditional make its output.
func (x *paths) addArms(t *ir.Task) {
	if !x.armsGive(t) {
		return
	}
	for _, body := range outputBodies(t) {
		x.findArmOutput(t, body).Walk(x.addRead)
	}
}

// tasksByOutput returns the tasks that give each output.
func tasksByOutput(body *ir.Pipeline) map[*ir.Output][]*ir.Task {
	giving := map[*ir.Output][]*ir.Task{}
	ir.WalkTasks(body, func(t *ir.Task) { giving[t.Output] = append(giving[t.Output], t) })

	return giving
}

// tasksThatWrite returns the tasks that write to the context.
func tasksThatWrite(body *ir.Pipeline) []*ir.Task {
	return ir.Where(ir.OpsOf[*ir.Task](body.Ops()), func(t *ir.Task) bool { return len(t.ContextWrites()) > 0 })
}

// addDataFor adds the names of which a task, or a fallback of it, makes the value of a variable.
func (x *paths) addDataFor(t *ir.Task, v *variable) {
	for by := t; by != nil; by = by.Fallback {
		for _, d := range x.dataFor(t, by, v) {
			d.Walk(x.addRead)
		}
	}
}

// addRead adds the variable of a name that is read.
func (x *paths) addRead(access *ir.Access) {
	_, isKnown := x.byName[expr.NameOf(access)]
	if isTracked(access) && !isKnown {
		x.addVariable(access, nil)
	}
}

// isTracked reports whether an access is a variable: a field of the context, what a step gave, or the
// item of a map.
func isTracked(access *ir.Access) bool {
	if access.Default != nil {
		return false
	}
	if access.Root == ir.RootThis {
		return access.Output == nil
	}
	isField := access.Root == ir.RootContext && len(access.Path) > 0

	return isField || access.Root == ir.RootStep && access.Output != nil
}

// dataFor returns the data of the source that t, or by in its place, makes the value of a variable of.
func (x *paths) dataFor(t, by *ir.Task, v *variable) (data []*ir.Datum) {
	isOutput := v.access.Root == ir.RootStep && v.access.Output == t.Output
	for _, w := range t.ContextWrites() {
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
	if access.Root != ir.RootContext || w.Path == nil || w.Path.IsRouting() {
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
	data, isKnown := x.data[t]
	if !isKnown {
		data = x.findComputed(t)
		x.data[t] = data
	}

	return data
}

func (x *paths) findComputed(t *ir.Task) []*ir.Datum {
	switch do := t.Do.(type) {
	case *ir.PassOn:
		if given := x.given[t]; given != nil {
			return []*ir.Datum{given}
		}
	case *ir.UseBuiltin:
		step, _ := builtin.StepByName(do.Builtin)
		switch {
		case do.Context == ir.ContextRead:
			return findReadData(do)
		case step.Apply == nil:
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
		if do.IsForEach() {
			return itemOutput(t)
		}
		if last := do.Body.LastTasks(); do.Result == nil && len(last) > 0 {
			if output := outputOf(last[0]); output != nil {
				return []*ir.Datum{output}
			}
		}
	case *ir.Parallel:
		outputs := x.findArmOutputs(t, do)
		if do.Failed == ir.FailureIgnored || slices.Contains(outputs, nil) {
			return nil
		}
		if givesWhole(do.Reduce) {
			return []*ir.Datum{joinOutputs(do, outputs)}
		}
		return outputs
	case *ir.Run, *ir.UseFunc, *ir.Ask, *ir.Import, *ir.Machine, *ir.Branch, *ir.Return: // not known
	}

	return nil
}

// findReadData returns the place in the context that a builtin step reads, and what it gives in its
// place; none if only a run knows the place.
func findReadData(do *ir.UseBuiltin) []*ir.Datum {
	if do.Path == nil || do.Path.IsRouting() || len(do.Path.Path) == 0 {
		return nil
	}
	data := []*ir.Datum{{Kind: ir.DatumValue, Value: do.Path.Access(ir.Type{}, nil)}}
	for _, arg := range do.Args {
		step, _ := builtin.StepByName(do.Builtin)
		if arg.Name.Value != step.Place().Name {
			data = append(data, arg.Value)
		}
	}

	return data
}

// readContext returns the first one of data that is there.
func (x *paths) readContext(data []*ir.Datum, e values) (value workflow.Value, isKnown bool) {
	for _, d := range data {
		value, isKnown = x.datumValue(d, e)
		if !isKnown || !value.IsNone() {
			break
		}
	}

	return value, isKnown
}

// givesWhole reports whether branches side by side give data of their outputs that is known in part
// where some of them are.
func givesWhole(how ir.Reduce) bool {
	return how == ir.ReduceObject || how == ir.ReduceFirst || how == ir.ReduceLast
}

// joinOutputs returns the data that branches side by side give of their outputs.
func joinOutputs(do *ir.Parallel, outputs []*ir.Datum) *ir.Datum {
	switch do.Reduce {
	case ir.ReduceFirst:
		return outputs[0]
	case ir.ReduceLast:
		return outputs[len(outputs)-1]
	}
	whole := &ir.Datum{Kind: ir.DatumFields}
	for i, arm := range do.Branches {
		whole.Fields = append(whole.Fields, ir.DatumField{Name: arm.Name, Value: outputs[i]})
	}

	return whole
}

// findArmOutputs returns the outputs of branches side by side as data that can be read behind them: one
// that only the run knows is nil.
func (x *paths) findArmOutputs(t *ir.Task, do *ir.Parallel) []*ir.Datum {
	writers := map[*ir.Output]int{}
	for _, arm := range do.Branches {
		ir.WalkTasks(arm.Body, func(inside *ir.Task) { writers[inside.Output]++ })
	}

	return ir.Map(do.Branches, func(arm *ir.Arm) *ir.Datum {
		last := arm.Body.LastTasks()
		switch {
		case len(last) == 0 && isStable(x.given[t], writers):
			return x.given[t]
		case len(last) > 0 && writers[last[0].Output] == len(last):
			return outputOf(last[0])
		}
		return nil
	})
}

// isStable reports whether data is the same behind steps that write some outputs: it reads none of
// them, and no context.
func isStable(d *ir.Datum, written map[*ir.Output]int) bool {
	is := true
	d.Walk(func(access *ir.Access) {
		is = is && access.Root == ir.RootStep && written[access.Output] == 0
	})

	return is
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
	visit := func(access *ir.Access) { read = x.appendRead(read, access) }
	for _, i := range x.writable(t) {
		for by := t; by != nil; by = by.Fallback {
			for _, d := range x.dataFor(t, by, x.variables[i]) {
				d.Walk(visit)
			}
		}
	}
	x.reads[t] = read
	for _, d := range x.computedOf(t) {
		d.Walk(func(access *ir.Access) { x.computes[t] = x.appendRead(x.computes[t], access) })
	}
}

// writable returns the variables that a task writes, or may write: those of its output, and those of
// the context.
func (x *paths) writable(t *ir.Task) []int {
	given := x.ofOutput[t.Output]
	if len(t.ContextWrites()) == 0 {
		return given
	}
	all := slices.Concat(given, x.ofContext)
	slices.Sort(all)

	return all
}

// appendRead adds the variable of a name that is read to others, if it is followed.
func (x *paths) appendRead(read []int, access *ir.Access) []int {
	i, isKnown := x.byName[expr.NameOf(access)]
	if !isKnown || access.Default != nil || slices.Contains(read, i) {
		return read
	}

	return append(read, i)
}

// misfits reports whether a builtin step writes a value that does not fit the declared context.
func (x *paths) misfits(t *ir.Task, e values) bool {
	for _, w := range t.ContextWrites() {
		d := x.dataOf(t, w)
		if d == nil || w.Path == nil || w.Merge || w.Path.IsRouting() {
			continue
		}
		value, isKnown := x.datumValue(d, e)
		schema := x.context.FieldSchema(w.Path.Path)
		if isKnown && schema != nil && !sample.Fits(schema, value.JSON()) {
			return true
		}
	}

	return false
}

// alwaysFails reports whether a task fails with each of the values of which it computes its output.
func (x *paths) alwaysFails(t *ir.Task, e values) bool {
	do, isImport := t.Do.(*ir.Import)
	switch {
	case isImport && x.refusesInput(t, do), x.context != nil && x.misfits(t, e):
		return true
	case len(x.computedOf(t)) == 0:
		return false
	}
	for _, e := range x.split(e, x.computes[t]) {
		_, _, err := x.computed(t, e)
		if err == nil {
			return false
		}
	}

	return true
}

// outputSchema returns what is known of the output of a task; nil for nothing.
func (x *paths) outputSchema(t *ir.Task, e values) *ir.Schema {
	if t == nil {
		return nil
	}
	if do, isImport := t.Do.(*ir.Import); isImport {
		return cmp.Or(x.p.importedOutput(do), t.Type.Schema)
	}
	value, isKnown, err := x.computed(t, e)
	if isKnown && err == nil {
		return exactly(value)
	}
	if data := x.computedOf(t); len(data) == 1 && data[0].Kind == ir.DatumFields && !isApplied(t) {
		return x.schemaOf(data[0], e)
	}

	return t.Type.Schema
}

// computed returns the output of a task that computes it of what is known, or the error with which
// it fails then.
func (x *paths) computed(t *ir.Task, e values) (value workflow.Value, isKnown bool, err error) {
	data := x.computedOf(t)
	if len(data) == 0 {
		return value, false, nil
	}
	switch do := t.Do.(type) {
	case *ir.Loop:
		if do.IsForEach() {
			return value, false, nil // see collectItem
		}
		value, isKnown = x.datumValue(data[0], e)
	case *ir.UseBuiltin:
		if do.Context == ir.ContextRead {
			value, isKnown = x.readContext(data, e)
		} else {
			value, isKnown, err = x.applyBuiltin(t, do, e)
		}
	case *ir.Parallel:
		if !givesWhole(do.Reduce) {
			value, isKnown, err = x.reduceOutputs(do, data, e)
			break
		}
		value, isKnown = x.datumValue(data[0], e)
	default:
		value, isKnown = x.datumValue(data[0], e)
	}

	return value, isKnown && len(value.JSON()) <= maxText, err
}

// isApplied reports whether a task computes its output of its data, which is not the output itself.
func isApplied(t *ir.Task) bool {
	_, isBuiltin := t.Do.(*ir.UseBuiltin)

	return isBuiltin
}

// applyBuiltin returns what a builtin step computes of arguments that are known.
func (x *paths) applyBuiltin(t *ir.Task, do *ir.UseBuiltin, e values) (value workflow.Value, isKnown bool, err error) {
	step, _ := builtin.StepByName(do.Builtin)
	args := make([]workflow.Value, len(step.Params))
	for i, p := range step.Params {
		arg := x.argument(t, do, p)
		if arg == nil && p.Data {
			return value, false, nil
		}
		if arg == nil {
			continue
		}
		args[i], isKnown = x.datumValue(arg, e)
		if !isKnown {
			return value, false, nil
		}
	}
	value, err = step.Apply(args)

	return value, true, err
}

// reduceOutputs returns what becomes of the outputs of branches side by side that are known.
func (x *paths) reduceOutputs(do *ir.Parallel, outputs []*ir.Datum, e values) (value workflow.Value, isKnown bool, err error) {
	branches := make([]workflow.Member, len(outputs))
	for i, output := range outputs {
		branches[i].Name = do.Branches[i].Name.Value
		branches[i].Value, isKnown = x.datumValue(output, e)
		if !isKnown {
			return value, false, nil
		}
	}
	value, err = builtin.FindReduction(do.Reduce).Apply(branches)

	return value, true, err
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
