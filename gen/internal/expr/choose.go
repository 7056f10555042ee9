package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// maxLeaves bounds how many parts of conditions are looked at together.
const maxLeaves = 48

// Known tells the values of names, where they are known; a nil Known knows none.
type Known func(*ir.Access) (value any, ok bool)

// KeyIs knows that the key is a text.
func KeyIs(key string) Known {
	return func(x *ir.Access) (any, bool) { return key, x.Root == ir.RootKey && len(x.Path) == 0 }
}

// Choose says what becomes of conditions that are asked one after the other until one holds: which
// of them can be the first that holds, and whether none may hold. ok is false where there are too
// many cases to look at together.
func Choose(conditions []ir.Expression, known Known) (first []bool, none, ok bool) {
	var leaves []ir.Expression
	for _, x := range conditions {
		if leaves = leavesOf(x, leaves); len(leaves) > maxLeaves {
			return nil, false, false
		}
	}
	groups, ok := groupsOf(leaves, known)
	if !ok {
		return nil, false, false
	}
	cases := 1
	for _, g := range groups {
		if cases *= len(g.cases); cases > maxCases {
			return nil, false, false
		}
	}

	first = make([]bool, len(conditions))
	eachCase(groups, cases, func(decided func(ir.Expression) workflow.Truth) {
		for i, x := range conditions {
			if decided(x) == workflow.True {
				first[i] = true
				return
			}
		}
		none = true
	})

	return first, none, true
}

// Judge says whether a condition can hold, and whether it can fail or be unknown.
func Judge(x ir.Expression, known Known) (canHold, canFail bool) {
	v := judge(x, known)

	return v.canHold, v.canFail
}
