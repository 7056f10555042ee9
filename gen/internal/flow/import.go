package flow

import (
	"math/bits"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// imports is how the workflows of a program are imported, and what is known of what they leave.
type imports struct {
	// isEmpty has the workflows that always begin with an empty context.
	isEmpty map[*ir.Flow]bool
	// namesState has the workflows whose initial context may name the state in which the first
	// machine begins: a run begins with them, or an import gives them an object.
	namesState map[*ir.Flow]bool
	// copied are the places in the context of a workflow that imports copy back.
	copied map[*ir.Flow][]*ir.ContextPath
	// left are the values that a workflow leaves at such a place, by its names; outputs are the
	// values of its output. Of others nothing is known.
	left    map[*ir.Flow]map[string]*ir.Schema
	outputs map[*ir.Flow]*ir.Schema
}

// findImports finds how workflows are imported.
func findImports(program *ir.Program) *imports {
	found := &imports{
		isEmpty: map[*ir.Flow]bool{}, namesState: map[*ir.Flow]bool{}, copied: map[*ir.Flow][]*ir.ContextPath{},
		left: map[*ir.Flow]map[string]*ir.Schema{}, outputs: map[*ir.Flow]*ir.Schema{},
	}
	begins := ir.SetOf(slices.Concat(program.EntryPoints(), program.TopLevelAgents()))
	for _, a := range program.Agents {
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			found.isEmpty[w], found.namesState[w] = !begins[a], begins[a]
		}
	}
	for _, a := range program.Agents {
		w, isWorkflow := ir.WorkflowOf(a.Node)
		if !isWorkflow {
			continue
		}
		for _, do := range ir.OpsOf[*ir.Import](w.Body.Ops()) {
			found.record(do)
		}
	}

	return found
}

// record records an import.
func (x *imports) record(do *ir.Import) {
	child := importedFlow(do)
	if child == nil {
		return
	}
	if do.Inherit || do.InputTo != ir.InputToPrompt {
		delete(x.isEmpty, child)
	}
	x.namesState[child] = x.namesState[child] || do.InputTo != ir.InputToPrompt
	for _, output := range do.Outputs {
		x.copied[child] = append(x.copied[child], output.Child)
	}
}

// importedFlow returns the workflow that is imported; nil where it is not known.
func importedFlow(do *ir.Import) *ir.Flow {
	if do.Agent == nil || do.Agent.Agent == nil {
		return nil
	}
	w, _ := ir.WorkflowOf(do.Agent.Agent.Node)

	return w
}

// addNamesLeft adds the names whose values an import leaves: those that are copied back, and the output.
func (x *paths) addNamesLeft(w *ir.Flow) {
	for _, place := range x.p.imports.copied[w] {
		if !place.IsRouting() && len(place.Path) > 0 {
			x.addRead(place.Access(ir.Type{}, nil))
		}
	}
	for _, t := range w.Body.LastTasks() {
		outputDatum(t).Walk(x.addRead)
	}
}

// variablesLeft returns the numbers of the variables whose values an import leaves.
func (x *paths) variablesLeft(w *ir.Flow) (left []int) {
	for _, place := range x.p.imports.copied[w] {
		left = x.appendRead(left, place.Access(ir.Type{}, nil))
	}
	for _, t := range w.Body.LastTasks() {
		outputDatum(t).Walk(func(access *ir.Access) { left = x.appendRead(left, access) })
	}

	return left
}

// recordLeft records the values that a workflow leaves in the runs that end well.
func (x *paths) recordLeft(w *ir.Flow, ends runs) {
	left := map[string]*ir.Schema{}
	for _, place := range x.p.imports.copied[w] {
		left[place.Name()] = x.schemaIn(place.Access(ir.Type{}, nil), ends)
	}
	x.p.imports.left[w] = left
	last := w.Body.LastTasks()
	if len(last) != 1 {
		return
	}
	if output := outputDatum(last[0]); output != nil {
		x.p.imports.outputs[w] = x.schemaIn(output.Value.(*ir.Access), ends)
	}
}

// schemaIn returns the values that a name has in some runs; nil where one of them is not known, or
// not written.
func (x *paths) schemaIn(access *ir.Access, in runs) *ir.Schema {
	i, isKnown := x.byName[expr.NameOf(access)]
	if !isKnown || len(in) == 0 {
		return nil
	}
	v, found := x.variables[i], set(0)
	for e := range in {
		found |= e.at(i)
	}
	if found == 0 || found&^v.exact != 0 || found&v.unwritten != 0 {
		return nil
	}
	var values []string
	for rest := found; rest != 0; rest &= rest - 1 {
		values = append(values, v.values[bits.TrailingZeros64(uint64(rest))].JSON())
	}

	return &ir.Schema{Enum: values}
}

// ImportCanFail reports whether the import of a workflow can fail before its writes: because the
// workflow fails, or does not take its context.
func (p *Program) ImportCanFail(t *ir.Task) bool {
	do := t.Do.(*ir.Import)
	w := importedFlow(do)
	isBounded := t.Tokens > 0 || t.USD > 0
	if isBounded || w == nil || w.Context != nil || do.InputTo != ir.InputToPrompt {
		return true
	}

	return do.OnFailure == ir.FailureAbort && !p.neverFails[w]
}

// copiedBack returns what an import is known to write to a place of the context; nil where that is
// not known.
func (p *Program) copiedBack(do *ir.Import, to *ir.ContextPath) *ir.Schema {
	output := ir.First(do.Outputs, func(output ir.ImportOutput) bool { return output.Parent == to })
	if output.Child == nil {
		return nil
	}

	return p.imports.left[importedFlow(do)][output.Child.Name()]
}

// importedOutput returns what is known of the output of an import that fails with what it imports.
func (p *Program) importedOutput(do *ir.Import) *ir.Schema {
	if do.OnFailure != ir.FailureAbort {
		return nil
	}

	return p.imports.outputs[importedFlow(do)]
}

// refusesInput reports whether the context of what is imported has no place for the input.
func (x *paths) refusesInput(t *ir.Task, do *ir.Import) bool {
	w := importedFlow(do)
	if do.InputTo == ir.InputToPrompt || w == nil || w.Context == nil {
		return false
	}
	context := w.Context.Resolved()
	lacks := func(name string) bool {
		return !ir.IsContextRouting(name) && context.Property(name) == nil && context.Additional == nil
	}
	given := x.given[t]
	if given != nil && given.Kind == ir.DatumFields {
		return slices.ContainsFunc(given.Fields, func(f ir.DatumField) bool { return lacks(f.Name.Value) })
	}

	return x.kindsGiven(t)&builtin.Object == 0 && lacks(do.Key)
}

// RunCanFail reports whether a task that runs an agent can fail before its writes. Only a workflow
// that takes every context and never fails cannot.
func (p *Program) RunCanFail(t *ir.Task) bool {
	w := calledWorkflow(t)
	isBounded := t.Timeout > 0 || t.Tokens > 0 || t.USD > 0

	return isBounded || w == nil || w.Context != nil || !p.neverFails[w]
}
