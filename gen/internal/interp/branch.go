package interp

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// armConditions returns what has to hold for each branch of a conditional to be taken; nil where its
// key is no expression.
func armConditions(do *ir.Branch) []ir.Expression {
	if do.Key == nil || do.Key.Root == nil {
		return nil
	}

	return ir.Map(do.Branches, func(arm *ir.Arm) ir.Expression { return Takes(do.Key.Root, arm.Name.Value) })
}

// Takes is the condition that a key takes the branch of a name.
func Takes(key ir.Expression, branch string) ir.Expression {
	is := func(value any) ir.Expression {
		return &ir.Compare{Op: ir.OpEqual, X: key, Y: &ir.Literal{Value: value}}
	}
	if branch == "true" || branch == "false" {
		return &ir.Logic{Or: true, X: []ir.Expression{is(branch), is(branch == "true")}}
	}

	return is(branch)
}

// IsNoneText reports whether the name of a branch is how a missing key is written.
func IsNoneText(branch string) bool { return branch == (workflow.Value{}).String() }

// Condition is what has to hold for a row to be taken. Of a named guard, and of one that could not
// be read, nothing is known but that it says the same whenever it is asked about one key.
func Condition(guard *ir.Guard) ir.Expression {
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
