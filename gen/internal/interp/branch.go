package interp

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// branchConditions returns the condition of each branch of a conditional; nil if its key is not an
// expression.
func branchConditions(do *ir.Branch) []ir.Expression {
	if do.Key == nil || do.Key.Root == nil {
		return nil
	}

	return ir.Map(do.Branches, func(arm *ir.Arm) ir.Expression { return BranchCondition(do.Key.Root, arm.Name.Value) })
}

// BranchCondition returns the condition that a key selects a branch.
func BranchCondition(key ir.Expression, branch string) ir.Expression {
	is := func(value any) ir.Expression {
		return &ir.Compare{Op: ir.OpEqual, X: key, Y: &ir.Literal{Value: value}}
	}
	if branch == "true" || branch == "false" {
		return &ir.Logic{Or: true, X: []ir.Expression{is(branch), is(branch == "true")}}
	}

	return is(branch)
}

// IsNoneText reports whether the name of a branch is the text of a missing key.
func IsNoneText(branch string) bool { return branch == (workflow.Value{}).String() }

// GuardCondition returns the condition of a row. A named guard, or one that could not be parsed, is
// an unknown value that is equal whenever it is tested with one key.
func GuardCondition(guard *ir.Guard) ir.Expression {
	switch {
	case guard == nil:
		return &ir.Literal{Value: true}
	case guard.Formula != nil && guard.Formula.Root != nil:
		return guard.Formula.Root
	}
	name := fmt.Sprint("guard at ", guard.Text.Span.Start)
	if guard.Func != nil {
		name = "guard " + guard.Func.Name.Value
	}
	says := &ir.Access{
		Root: ir.RootContext, Path: []ir.Field{{Name: ir.Text{Value: name}}},
		Type: ir.Type{Schema: &ir.Schema{Kind: ir.SchemaBoolean}},
	}
	if guard.Not {
		return &ir.Not{X: says}
	}

	return says
}
