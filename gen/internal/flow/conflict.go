package flow

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// addConflicts adds the fields of the context that several branches of a fork write, where that may
// be a conflict.
func (x *paths) addConflicts(t *ir.Task) {
	do, isFork := t.Do.(*ir.Parallel)
	if !isFork {
		return
	}
	for _, w := range do.Conflicts() {
		x.addRead(w.Path.Access(ir.Type{}, nil))
	}
}

// isConflict reports whether two branches always leave different values of a field, and neither of
// them what both found. A field with a rule fails if it does not permit that.
func (x *paths) isConflict(merge ir.Merge, found, first, second values) bool {
	for _, i := range x.contextVariables {
		v := x.variables[i]
		isCombined := x.isCombined(v)
		if !isCombined && !merge.FailsByConflict() {
			continue
		}
		if !x.isExact(found, i) || !x.isExact(first, i) || !x.isExact(second, i) {
			continue
		}
		isChanged := found.at(i) != first.at(i) && found.at(i) != second.at(i)
		was, one, other := x.onlyValue(found, i), x.onlyValue(first, i), x.onlyValue(second, i)
		if isCombined {
			_, err := workflow.Merge(x.ruleOf(v)).Join(was, one, other)
			if isChanged && err != nil && merge != ir.MergeNone {
				return true
			}
			continue
		}
		if isChanged && !canMerge(one, other) && areDifferent(was, one, other) {
			return true
		}
	}

	return false
}

// canMerge reports whether two values are merged field by field.
func canMerge(a, b workflow.Value) bool { return a.IsObject() && b.IsObject() }

// areDifferent reports whether no two of three values are equal.
func areDifferent(a, b, c workflow.Value) bool {
	first, second, third := a.JSON(), b.JSON(), c.JSON()

	return first != second && first != third && second != third
}
