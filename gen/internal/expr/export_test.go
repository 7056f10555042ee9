package expr

import "github.com/agentc-dev/agentc/gen/internal/ir"

// What is computed at compile time is held against others by tests outside of the package.
var (
	Evaluate = evaluate
	Truth    = truth
	Compare  = compare
	Contains = contains
	Method   = method
)

// Decide tells what a condition is: 0 it fails, 1 it is unknown, 2 it holds.
func Decide(x ir.Expression, known func(ir.Expression) (any, bool)) int {
	return int(decide(x, known, noLeaves))
}
