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
	// withInputs follows what steps are given too.
	withInputs = -1
	// withLeft follows what an import leaves too.
	withLeft = -2
)

// maxText bounds the size of computed texts.
const maxText = 1000

// taskInputs returns the inputs of tasks: the data in the source, or the output of the previous
// task. Tasks with an unknown input are absent.
func taskInputs(body *ir.Pipeline) map[*ir.Task]*ir.Datum {
	given := map[*ir.Task]*ir.Datum{}
	ir.WalkPipelines(body, func(p *ir.Pipeline) {
		var before *ir.Datum
		for _, t := range p.Steps() {
			for by := t; by != nil; by = by.Fallback {
				if input := cmp.Or(by.Input, t.Input, before); input != nil {
					given[by] = input
				}
			}
			before = outputDatum(t)
		}
	})

	return given
}

// outputDatum returns the output of a task as data. It is nil for an import, whose output may be
// None.
func outputDatum(t *ir.Task) *ir.Datum {
	if _, isImport := t.Do.(*ir.Import); isImport || t.Output == nil {
		return nil
	}

	return &ir.Datum{Kind: ir.DatumValue, Value: &ir.Access{Root: ir.RootStep, Output: t.Output, Type: t.Output.Type}}
}

// addInputVariables adds the names from which builtin steps compute, and the names from which steps
// compute the values of variables.
func (x *paths) addInputVariables(body *ir.Pipeline) {
	ir.WalkTasks(body, x.addConflicts)
	ir.WalkTasks(body, func(t *ir.Task) {
		if !isComputed(t) {
			return
		}
		for _, d := range x.outputData(t) { // it may reject its input
			d.Walk(x.addRead)
		}
		for _, w := range t.ContextWrites() { // they may not fit the context
			x.writtenData(t, w).Walk(x.addRead)
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
				x.addArmOutputs(t)
			}
		}
	}
}

// addArmOutputs adds the names from which the branches of a conditional compute its output.
func (x *paths) addArmOutputs(t *ir.Task) {
	if !x.hasArmOutputs(t) {
		return
	}
	for _, body := range outputBodies(t) {
		x.findArmOutput(t, body).Walk(x.addRead)
	}
}

// tasksByOutput returns the tasks that write each output.
func tasksByOutput(body *ir.Pipeline) map[*ir.Output][]*ir.Task {
	giving := map[*ir.Output][]*ir.Task{}
	ir.WalkTasks(body, func(t *ir.Task) { giving[t.Output] = append(giving[t.Output], t) })

	return giving
}

// tasksThatWrite returns the tasks that write to the context.
func tasksThatWrite(body *ir.Pipeline) []*ir.Task {
	return ir.Where(ir.OpsOf[*ir.Task](body.Ops()), func(t *ir.Task) bool { return len(t.ContextWrites()) > 0 })
}

// addDataFor adds the names from which a task, or a fallback of it, computes the value of a
// variable.
func (x *paths) addDataFor(t *ir.Task, v *variable) {
	for by := t; by != nil; by = by.Fallback {
		for _, d := range x.variableData(t, by, v) {
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

// isTracked reports whether an access is a variable: a field of the context, what a step gave, or
// the item of a map.
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

// variableData returns the data of the source from which t, or its fallback by, computes the value
// of a variable.
func (x *paths) variableData(t, by *ir.Task, v *variable) (data []*ir.Datum) {
	isOutput := v.access.Root == ir.RootStep && v.access.Output == t.Output
	for _, w := range t.ContextWrites() {
		if !mayChange(w, v.access) {
			continue
		}
		if d := x.writtenData(t, w); d != nil {
			data = append(data, d)
		}
		isOutput = isOutput || w.IsOutput
	}
	if isOutput {
		data = append(data, x.outputData(by)...)
	}

	return data
}

// mayChange reports whether a write is at the path of a context name, around it or inside of it.
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

// writtenData returns the data of the source that a task writes to the context. It is nil for its
// output, and if it is not known.
func (x *paths) writtenData(t *ir.Task, w ir.ContextWrite) *ir.Datum {
	_, isBuiltin := t.Do.(*ir.UseBuiltin)
	if w.IsOutput || !isBuiltin {
		return nil
	}

	return cmp.Or(w.Value, x.given[t])
}

// outputData returns the data from which a task computes its output, if it computes only from known
// data.
func (x *paths) outputData(t *ir.Task) []*ir.Datum {
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
			if output := outputDatum(last[0]); output != nil {
				return []*ir.Datum{output}
			}
		}
	case *ir.Parallel:
		outputs := x.findArmOutputs(t, do)
		if do.Failed == ir.FailureIgnored || slices.Contains(outputs, nil) {
			return nil
		}
		if isPartlyKnown(do.Reduce) {
			return []*ir.Datum{combineOutputs(do, outputs)}
		}
		return outputs
	case *ir.Run, *ir.Receive, *ir.UseFunc, *ir.Ask, *ir.Import, *ir.Machine, *ir.Branch, *ir.Return: // not known
	}

	return nil
}

// findReadData returns the path in the context that a builtin step reads, and its default; nil if
// only a run knows the path.
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

// readContext returns the first data with a value.
func (x *paths) readContext(data []*ir.Datum, e values) (value workflow.Value, isKnown bool) {
	for _, d := range data {
		value, isKnown = x.datumValue(d, e)
		if !isKnown || !value.IsNone() {
			break
		}
	}

	return value, isKnown
}

// isPartlyKnown reports whether the output of parallel branches is known in part if some of their
// outputs are.
func isPartlyKnown(how ir.Reduce) bool {
	return how == ir.ReduceObject || how == ir.ReduceFirst || how == ir.ReduceLast
}

// combineOutputs returns the data of parallel branches' combined outputs.
func combineOutputs(do *ir.Parallel, outputs []*ir.Datum) *ir.Datum {
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

// findArmOutputs returns the outputs of parallel branches as data that can be read after them. An
// output that only the run knows is nil.
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
			return outputDatum(last[0])
		}
		return nil
	})
}

// isStable reports whether data is unchanged after steps that write some outputs. It reads none of
// them, and no context.
func isStable(d *ir.Datum, written map[*ir.Output]int) bool {
	is := true
	d.Walk(func(access *ir.Access) {
		is = is && access.Root == ir.RootStep && written[access.Output] == 0
	})

	return is
}

// argument returns an argument of a builtin step; nil without one, or if it is not known.
func (x *paths) argument(t *ir.Task, do *ir.UseBuiltin, p builtin.Param) *ir.Datum {
	if arg := ir.FieldOf(do.Args, p.Name); arg != nil || !p.Data {
		return arg
	}

	return x.given[t]
}

// recordReads records the variables that are read by the writes of a task, or of a fallback of it.
func (x *paths) recordReads(t *ir.Task) {
	var read []int
	visit := func(access *ir.Access) { read = x.appendRead(read, access) }
	for _, i := range x.writableVariables(t) {
		for by := t; by != nil; by = by.Fallback {
			for _, d := range x.variableData(t, by, x.variables[i]) {
				d.Walk(visit)
			}
		}
		if x.isCombined(x.variables[i]) && !slices.Contains(read, i) {
			read = append(read, i)
		}
		source := x.copySource(t, x.variables[i].access)
		if from, isKnown := x.findVariable(source); isKnown {
			x.copies[t], read = append(x.copies[t], copied{i, from}), x.appendRead(read, source)
		}
	}
	x.reads[t] = read
	for _, d := range x.outputData(t) {
		d.Walk(func(access *ir.Access) { x.computes[t] = x.appendRead(x.computes[t], access) })
	}
	x.computes[t] = append(x.computes[t], x.fieldsInherited(t)...)
}

// writableVariables returns the variables that a task may write: of its output, and of the context.
func (x *paths) writableVariables(t *ir.Task) []int {
	given := x.byOutput[t.Output]
	if len(t.ContextWrites()) == 0 {
		return given
	}
	all := slices.Concat(given, x.contextVariables)
	slices.Sort(all)

	return all
}

// appendRead appends the variable of a name that is read, if it is followed.
func (x *paths) appendRead(read []int, access *ir.Access) []int {
	i, isKnown := x.byName[expr.NameOf(access)]
	if !isKnown || access.Default != nil || slices.Contains(read, i) {
		return read
	}

	return append(read, i)
}

// findMisfit returns a write of a builtin step whose value does not fit the declared context; nil
// if each may fit.
func (x *paths) findMisfit(t *ir.Task, e values) *ir.ContextWrite {
	if x.context == nil {
		return nil
	}
	for _, w := range t.ContextWrites() {
		d := x.writtenData(t, w)
		if d == nil || w.Path == nil || w.Merge || w.Path.IsRouting() {
			continue
		}
		schema := x.context.FieldSchema(w.Path.Path)
		if schema != nil && !x.mayFit(schema, d, w.ReadsNumbers, e) {
			return &w
		}
	}

	return nil
}

// mayFit reports whether data may fit a schema. readsNumbers reads a text as a number where the schema
// has one. Of a value that only the run knows, its kind decides, and a missing one may fit.
func (x *paths) mayFit(schema *ir.Schema, d *ir.Datum, readsNumbers bool, e values) bool {
	readsNumbers = readsNumbers && builtin.KindsOf(schema)&builtin.Number != 0
	value, isKnown := x.datumValue(d, e)
	if isKnown {
		number, isNumber := value.ReadNumber()
		isRead := readsNumbers && isNumber && sample.Fits(schema, number.JSON())
		return isRead || sample.Fits(schema, value.JSON())
	}
	isText := builtin.KindsOfDatum(d)&builtin.Text != 0

	return readsNumbers && isText || builtin.KindsOfDatum(d)&(builtin.KindsOf(schema)|builtin.None) != 0
}

// alwaysFails reports whether a task fails with each of the values from which it computes its
// output.
func (x *paths) alwaysFails(t *ir.Task, e values) bool {
	do, isImport := t.Do.(*ir.Import)
	if isImport {
		return x.refusesInput(t, do) || x.refusesContext(t, do, e)
	}
	misfit := x.findMisfit(t, e)
	if misfit != nil {
		x.p.misfits[t] = misfit
		return true
	}
	if len(x.outputData(t)) == 0 {
		return false
	}
	for _, e := range x.split(e, x.computes[t]) {
		_, _, err := x.computeOutput(t, e)
		if err == nil {
			return false
		}
	}

	return true
}

// outputSchema returns the schema of a task's output; nil if nothing is known.
func (x *paths) outputSchema(t *ir.Task, e values) *ir.Schema {
	if t == nil {
		return nil
	}
	if do, isImport := t.Do.(*ir.Import); isImport {
		return cmp.Or(x.p.importedOutput(do), t.Type.Schema)
	}
	value, isKnown, err := x.computeOutput(t, e)
	if isKnown && err == nil {
		return exactSchema(value)
	}
	if data := x.outputData(t); len(data) == 1 && data[0].Kind == ir.DatumFields && !isComputed(t) {
		return x.datumSchema(data[0], e)
	}

	return t.Type.Schema
}

// computeOutput returns the output of a task that computes it from known values, or the error with
// which it fails.
func (x *paths) computeOutput(t *ir.Task, e values) (value workflow.Value, isKnown bool, err error) {
	data := x.outputData(t)
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
		if !isPartlyKnown(do.Reduce) {
			value, isKnown, err = x.reduceOutputs(do, data, e)
			break
		}
		value, isKnown = x.datumValue(data[0], e)
	default:
		value, isKnown = x.datumValue(data[0], e)
	}

	return value, isKnown && len(value.JSON()) <= maxText, err
}

// isComputed reports whether a task computes its output from its data, and does not just return it.
func isComputed(t *ir.Task) bool {
	_, isBuiltin := t.Do.(*ir.UseBuiltin)

	return isBuiltin
}

// applyBuiltin returns the result of a builtin step with known arguments.
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

// reduceOutputs returns the reduced outputs of parallel branches with known outputs.
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

// datumValue computes data of the source from known variables.
func (x *paths) datumValue(d *ir.Datum, e values) (value workflow.Value, isKnown bool) {
	value, isKnown = expr.DatumValue(d, func(access *ir.Access) (any, bool) {
		i, known := x.byName[expr.NameOf(access)]
		if !known || !x.isExact(e, i) {
			return nil, false
		}
		return x.onlyValue(e, i), true
	})

	return value, isKnown && len(value.JSON()) <= maxText
}

// isExact reports whether a variable has a single value that represents no others.
func (x *paths) isExact(e values, i int) bool {
	s := e.at(i)

	return s != 0 && s&(s-1) == 0 && s&x.variables[i].exact != 0
}

// outputValues returns the values of a variable after a task has written an output with a schema.
func (x *paths) outputValues(v *variable, by *ir.Task, output *ir.Schema) set {
	if by != nil && output == by.Type.Schema && len(v.access.Path) == 0 {
		if given := x.given[by]; given != nil && isTemplate(by, given) {
			return v.possibleTexts(given)
		}
	}

	return v.valuesAt(output, v.access.Path)
}

// isTemplate reports whether the output of a task is a template of the source.
func isTemplate(t *ir.Task, given *ir.Datum) bool {
	_, passes := t.Do.(*ir.PassOn)

	return passes && given.Kind == ir.DatumText
}

// exactSchema returns the schema of one value.
func exactSchema(value workflow.Value) *ir.Schema { return &ir.Schema{Enum: []string{value.JSON()}} }

// memberSchema returns the schema of a member of an enumeration's values. A value without it has
// None.
func memberSchema(schema *ir.Schema, name string) *ir.Schema {
	values := expr.Constants(schema)

	return &ir.Schema{Enum: ir.Map(values, func(v workflow.Value) string { return v.Get(name).JSON() })}
}

// datumSchema returns the schema of a value in the source; nil if only the run decides it.
func (x *paths) datumSchema(d *ir.Datum, e values) *ir.Schema {
	if d == nil {
		return nil
	}
	if value, isKnown := x.datumValue(d, e); isKnown {
		return exactSchema(value)
	}
	if d.Kind != ir.DatumFields {
		return nil
	}
	properties := ir.Map(d.Fields, func(field ir.DatumField) *ir.Property {
		return &ir.Property{Name: field.Name, Required: !field.Optional, Schema: x.datumSchema(field.Value, e)}
	})

	return &ir.Schema{Kind: ir.SchemaObject, Properties: properties}
}
