package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// What is computed at compile time is compared with other interpreters by tests outside of the package.

// Evaluate computes an expression. known gives the values of accesses as Go values.
func Evaluate(x ir.Expression, known func(ir.Expression) (any, bool)) workflow.Value {
	return Compute(x, asValues(known))
}

// Decide decides a condition with three values.
func Decide(x ir.Expression, known func(ir.Expression) (any, bool)) workflow.Truth {
	return decide(x, asValues(known), noTruths)
}

func asValues(known func(ir.Expression) (any, bool)) valueFunc {
	return func(x ir.Expression) (workflow.Value, bool) {
		value, ok := known(x)

		return workflow.Of(value), ok
	}
}
