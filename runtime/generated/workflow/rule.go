package workflow

import (
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
)

// Rule is how a field of the context combines the values that steps write to it.
type Rule struct {
	// Field is the path of the field.
	Field []string
	Merge Merge
	// Open reports whether a value represents any other, so that nothing is known of what it is
	// combined with. It is nil but in simulations.
	Open func(Value) bool
}

// Merge combines the values of a field: what it has, and what a step writes. None adds nothing,
// except with [Last].
type Merge string

// The ways to combine values.
const (
	// Append appends the items of the written list.
	Append Merge = "append"
	// Union appends those items of the written list that the field does not have.
	Union Merge = "union"
	// First keeps the first value.
	First Merge = "first"
	// Last keeps the last value, as a field without a rule does. It also decides between branches.
	Last Merge = "last"
	// Sum adds the written number, and Max keeps the largest one.
	Sum Merge = "sum"
	Max Merge = "max"
	// Once is an error for a value that is different from the one that the field has.
	Once Merge = "error"
)

// Combine returns the value of a field that has old after written was written to it. The error is a
// *[runtime.ValueError].
func (m Merge) Combine(old, written Value) (Value, error) {
	switch {
	case m == Last:
		return written, nil
	case written.IsNone():
		return old, nil
	case m == First && !old.IsNone():
		return old, nil
	case m == Once && !old.IsNone() && !isSame(old, written):
		return Value{}, &runtime.ValueError{Problem: "it has another value, and its merge rule is error"}
	case m == Append || m == Union:
		return m.combineLists(old, written)
	case m == Sum || m == Max:
		return m.combineNumbers(old, written)
	}

	return written, nil
}

func (m Merge) combineLists(old, written Value) (Value, error) {
	for _, list := range []Value{old, written} {
		if !list.IsNone() && !list.IsList() {
			return Value{}, m.mismatchError(list, "a list")
		}
	}
	if m == Append {
		return makeList(slices.Concat(old.listItems(), written.listItems()))
	}
	items := slices.Clone(old.listItems())
	known := map[string][]Value{}
	for _, item := range items {
		known[item.bucket()] = append(known[item.bucket()], item)
	}
	for _, item := range written.listItems() {
		key := item.bucket()
		if !slices.ContainsFunc(known[key], func(other Value) bool { return isSame(other, item) }) {
			known[key] = append(known[key], item)
			items = append(items, item)
		}
	}

	return makeList(items)
}

// bucket is the same for equal values, and for few others.
func (v Value) bucket() string {
	if v.IsList() || v.IsObject() {
		_, weight := v.measure()
		return strconv.Itoa(weight)
	}

	return v.JSON()
}

func (m Merge) combineNumbers(old, written Value) (Value, error) {
	for _, number := range []Value{old, written} {
		if !number.IsNone() && !number.IsNumber() {
			return Value{}, m.mismatchError(number, "a number")
		}
	}
	switch {
	case old.IsNone():
		return written, nil
	case m == Max && old.Less(written):
		return written, nil
	case m == Max:
		return old, nil
	}
	sum := old.Plus(written)
	if problem := sum.Problem(); problem != "" {
		return Value{}, &runtime.ValueError{Problem: problem}
	}

	return sum, nil
}

func (m Merge) mismatchError(found Value, expected string) error {
	return &runtime.ValueError{Problem: "found " + found.describeKind() + ", expected " + expected + " (merge: " + string(m) + ")"}
}

// listItems returns the items of a list; nil for anything else.
func (v Value) listItems() []Value {
	if !v.IsList() || v.shape == nil {
		return nil
	}

	return v.shape.items
}

// combineFields returns a value that is written to a path of the context, with the rules of the
// fields in it applied.
func (r *Run) combineFields(path []string, written Value) (Value, error) {
	for _, rule := range r.rules {
		if len(rule.Field) < len(path) || !slices.Equal(rule.Field[:len(path)], path) {
			continue
		}
		inside := rule.Field[len(path):]
		at := slot{written, true}.slotAt(inside)
		if !at.present {
			continue
		}
		combined, err := rule.combine(r.context.Get(rule.Field...), at.value)
		if err != nil {
			return Value{}, err
		}
		written, err = written.Set(inside, combined)
		if err != nil {
			return Value{}, pathError(rule.Field, err)
		}
	}

	return written, nil
}

// joinFields returns a merged context, with the fields that have rules. contexts are what the
// branches left, which began with base.
func (r *Run) joinFields(merged, base Value, contexts []Value, names []string) (Value, error) {
	for _, rule := range r.rules {
		old := slot{base, true}.slotAt(rule.Field)
		var changed []int
		for i, context := range contexts {
			if !(slot{context, true}.slotAt(rule.Field).isSame(old)) {
				changed = append(changed, i)
			}
		}
		if len(changed) == 0 {
			continue
		}
		joined, err := rule.join(old.value, contexts, changed, names)
		if err != nil {
			return Value{}, err
		}
		merged, err = merged.Set(rule.Field, joined)
		if err != nil {
			return Value{}, pathError(rule.Field, err)
		}
	}

	return merged, nil
}

// join returns the value of a field after branches have changed it, in their order.
func (rule Rule) join(old Value, contexts []Value, changed []int, names []string) (Value, error) {
	first := contexts[changed[0]].Get(rule.Field...)
	if len(changed) == 1 {
		return first, nil
	}
	joined := old
	isList := rule.Merge == Append || rule.Merge == Union
	if isList && rule.Open == nil { // all at once, because each combination copies the list
		var added []Value
		for _, i := range changed {
			added = append(added, addedItems(old, contexts[i].Get(rule.Field...))...)
		}
		return rule.combine(old, newList(added))
	}
	for _, i := range changed {
		written := contexts[i].Get(rule.Field...)
		combined, err := rule.joinBranch(old, joined, written)
		if err != nil && rule.Merge == Once {
			return Value{}, conflictError(rule.Field, names[changed[0]], names[i])
		}
		if err != nil {
			return Value{}, err
		}
		joined = combined
	}

	return joined, nil
}

// combine is [Merge.Combine] with an error that has the field.
func (rule Rule) combine(old, written Value) (Value, error) {
	for _, value := range []Value{old, written} {
		if rule.Open != nil && rule.Open(value) {
			return value, nil
		}
	}
	combined, err := rule.Merge.Combine(old, written)
	if err != nil {
		return Value{}, pathError(rule.Field, err)
	}

	return combined, nil
}

// joinBranch returns the joined value of earlier branches after another one has changed old to
// written.
func (rule Rule) joinBranch(old, joined, written Value) (Value, error) {
	switch {
	case rule.Merge == Sum && old.IsNumber() && written.IsNumber():
		written = written.Minus(old)
	case rule.Merge == Append && written.IsList():
		written = newList(addedItems(old, written))
	}

	return rule.combine(joined, written)
}

// Join returns a joined value after one more branch has changed old to written.
func (m Merge) Join(old, joined, written Value) (Value, error) {
	return Rule{Merge: m}.joinBranch(old, joined, written)
}

// addedItems returns the items that a branch has added to a list; all of them if it has replaced
// the list.
func addedItems(old, list Value) []Value {
	before, items := old.listItems(), list.listItems()
	if len(items) >= len(before) && slices.EqualFunc(before, items[:len(before)], isSame) {
		return items[len(before):]
	}

	return items
}
