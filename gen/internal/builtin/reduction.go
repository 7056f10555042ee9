package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Reduction turns the outputs of parallel branches into one value.
type Reduction struct {
	// Takes are the kinds of outputs that it accepts; any other kind is an error.
	Takes Kind
	// Apply computes the value from the names of the branches and their outputs.
	Apply func(branches []workflow.Member) (workflow.Value, error)
}

// FindReduction returns the reduction; its Apply is nil for one that branches do not have.
func FindReduction(how ir.Reduce) Reduction { return reductions[how] }

var reductions = map[ir.Reduce]Reduction{
	ir.ReduceObject:   {Any, func(branches []workflow.Member) (workflow.Value, error) { return workflow.Object(branches...), nil }},
	ir.ReduceKeys:     {Any, ofBranches(namesOf)},
	ir.ReduceValues:   {Any, ofBranches(outputsOf)},
	ir.ReduceConcat:   {Any, func(branches []workflow.Member) (workflow.Value, error) { return outputsOf(branches).Flatten() }},
	ir.ReduceUnion:    {Object, func(branches []workflow.Member) (workflow.Value, error) { return outputsOf(branches).Union() }},
	ir.ReduceFirst:    {Any, ofBranches(func(branches []workflow.Member) workflow.Value { return outputsOf(branches).At(0) })},
	ir.ReduceLast:     {Any, ofBranches(func(branches []workflow.Member) workflow.Value { return outputsOf(branches).At(len(branches) - 1) })},
	ir.ReduceMajority: {Any, ofBranches(func(branches []workflow.Member) workflow.Value { return outputsOf(branches).Majority() })},
}

func ofBranches(of func([]workflow.Member) workflow.Value) func([]workflow.Member) (workflow.Value, error) {
	return func(branches []workflow.Member) (workflow.Value, error) { return of(branches), nil }
}

// outputsOf returns the outputs of branches.
func outputsOf(branches []workflow.Member) workflow.Value {
	return workflow.List(ir.Map(branches, func(branch workflow.Member) workflow.Value { return branch.Value })...)
}

// namesOf returns the names of branches.
func namesOf(branches []workflow.Member) workflow.Value {
	return workflow.List(ir.Map(branches, func(branch workflow.Member) workflow.Value { return workflow.Text(branch.Name) })...)
}
