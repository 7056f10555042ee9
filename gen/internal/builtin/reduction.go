package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Reduction is what becomes of the outputs of branches side by side.
type Reduction struct {
	// Takes are the kinds of the outputs that it takes: another one fails it.
	Takes Kind
	// Apply computes it of the names of the branches and their outputs.
	Apply func(branches []workflow.Member) (workflow.Value, error)
}

// FindReduction returns what becomes of the outputs of branches; Apply is nil for what branches do
// not have.
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

// outputsOf are the outputs of branches.
func outputsOf(branches []workflow.Member) workflow.Value {
	return workflow.List(ir.Map(branches, func(branch workflow.Member) workflow.Value { return branch.Value })...)
}

// namesOf are the names of branches.
func namesOf(branches []workflow.Member) workflow.Value {
	return workflow.List(ir.Map(branches, func(branch workflow.Member) workflow.Value { return workflow.Text(branch.Name) })...)
}
