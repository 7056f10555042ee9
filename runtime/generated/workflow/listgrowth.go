package workflow

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/generated/internal/growth"
)

// appendItems returns a list with items behind its own. It takes no longer for a long list than for
// a short one, unless another list was made of the same one before. It returns the errors of
// [makeList].
func (v Value) appendItems(items ...Value) (Value, error) {
	if len(items) == 0 {
		return v, nil
	}
	old := v.shape
	total := len(old.items) + len(items)
	s := &shape{kind: kindList, depth: old.depth, weight: old.weight, growth: old.growth}
	hasRoom := old.growth != nil && total <= cap(old.items)
	if hasRoom && old.growth.Extend(len(old.items), total) {
		s.items = append(old.items, items...)
	} else {
		s.items = append(slices.Clip(old.items), items...)
		s.growth = growth.New(total)
	}

	return s.addWeights(items)
}

// claimAdded returns the items that v has behind those of an earlier list that is its beginning. ok
// is false if it is not, and if these items were returned before: the caller may append their Go
// values to memory that it shares with others.
func (v Value) claimAdded(earlier Value) (added []Value, ok bool) {
	if !v.IsList() || !earlier.IsList() {
		return nil, false
	}
	memory, length, total := v.shape.growth, earlier.memberCount(), v.memberCount()
	isContinued := memory != nil && memory == earlier.shape.growth && length < total
	if !isContinued || !memory.ClaimAdded(length, total) {
		return nil, false
	}

	return v.shape.items[length:], true
}
