package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Known returns the values of names that are known; a nil Known knows none.
type Known func(*ir.Access) (value any, ok bool)

// KeyIs returns a Known of the key alone.
func KeyIs(key string) Known {
	return func(x *ir.Access) (any, bool) { return key, x.Root == ir.RootKey && len(x.Path) == 0 }
}

// Choose returns what becomes of conditions that are asked one after the other until one holds: which of them can be the first
// that holds, and whether none may hold. Where there are too many cases to look at them together, each is judged by itself.
func Choose(conditions []ir.Expression, known Known) (first []bool, none bool) {
	first, none, ok := together(conditions, known)
	if ok {
		return first, none
	}
	first = make([]bool, len(conditions))
	for i, x := range conditions {
		holds, fails := Judge(x, known)
		first[i] = holds
		if !fails {
			return first, false
		}
	}

	return first, true
}

// together is Choose by a value of each sort that the comparisons distinguish, for each name by itself; ok is false where there are too
// many cases.
func together(conditions []ir.Expression, known Known) (first []bool, none, ok bool) {
	var leaves []ir.Expression
	for _, x := range conditions {
		if leaves = append(leaves, Parts(x)...); len(conditions) > 1 && len(leaves) > maxLeaves {
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
			if decided(x) == workflow.Known(true) {
				first[i] = true
				return
			}
		}
		none = true
	})

	return first, none, true
}

// Judge reports whether a condition can hold, and whether it can fail or be unknown. What it calls constant is so; of what has too
// many cases it says that both can be.
func Judge(x ir.Expression, known Known) (canHold, canFail bool) {
	first, none, ok := together([]ir.Expression{x}, known)

	return !ok || first[0], !ok || none
}
