package expr

import "github.com/agentc-dev/agentc/gen/ir"

// What is computed at compile time is held against others by tests outside of the package.
var (
	Evaluate = evaluate
	Truth    = truth
	Compare  = compare
	Contains = contains
	Method   = method
)

// Judge tells whether a condition can hold and whether it can fail.
func Judge(x ir.Expression) (canHold, canFail bool) {
	v := judge(x)

	return v.canHold, v.canFail
}
