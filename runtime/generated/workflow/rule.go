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
		return old.asList().appendItems(written.listItems()...)
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

// asList returns a list, or none as an empty one.
func (v Value) asList() Value {
	if v.IsNone() {
		return Value{shape: &emptyList}
	}

	return v
}

// listItems returns the items of a list; nil for anything else.
func (v Value) listItems() []Value {
	if !v.IsList() || v.shape == nil {
		return nil
	}

	return slices.Clip(v.shape.items)
}

// contextWrite is a value that is written to a path of the context.
type contextWrite struct {
	path  []string
	value Value
	// merges merges an object into the one at the path.
	merges bool
	// isDropped reports whether nothing changes.
	isDropped bool
	// recorded are the writes of the run with this one.
	recorded *fieldWrite
}

// combineFields returns a write with the rules of the fields in it, or around it, applied.
func (r *Run) combineFields(w contextWrite) (contextWrite, error) {
	w.recorded = r.writes
	for i, rule := range r.rules {
		var err error
		switch {
		case len(rule.Field) < len(w.path) && slices.Equal(rule.Field, w.path[:len(rule.Field)]):
			err = r.combineAround(i, &w)
		case len(rule.Field) >= len(w.path) && slices.Equal(rule.Field[:len(w.path)], w.path):
			err = r.combineInside(i, &w)
		}
		if err != nil {
			return contextWrite{}, err
		}
	}

	return w, nil
}

// combineAround makes a write to a part of a field with a rule one of the field.
func (r *Run) combineAround(rule int, w *contextWrite) error {
	field := r.rules[rule].Field
	of := fieldWrite{rule: rule, inside: w.path[len(field):], value: w.value, merges: w.merges}
	combined, err := of.apply(r.rules[rule], r.context.Get(field...))
	if err != nil {
		return err
	}
	w.path, w.value = field, combined
	r.record(of, w)

	return nil
}

// combineInside combines a field with a rule that is at the path of a write, or inside of it.
func (r *Run) combineInside(rule int, w *contextWrite) error {
	of := r.rules[rule]
	inside := of.Field[len(w.path):]
	at := slot{w.value, true}.slotAt(inside)
	if !at.present {
		return nil
	}
	old := slot{r.context, true}.slotAt(of.Field)
	combined, err := of.combine(old.value, at.value)
	if err != nil {
		return err
	}
	addsNothing := combined.IsNone() && !old.present && of.Merge != Last
	switch {
	case addsNothing && len(inside) == 0:
		w.isDropped = true
		return nil
	case addsNothing:
		w.value = w.value.withoutAt(inside)
		return nil
	}
	w.value, err = w.value.Set(inside, combined)
	if err != nil {
		return pathError(of.Field, err)
	}
	r.record(fieldWrite{rule: rule, value: at.value, merges: w.merges}, w)

	return nil
}

// record adds a write to a field with a rule to those of a branch.
func (r *Run) record(of fieldWrite, w *contextWrite) {
	isNothing := of.value.IsNone() && r.rules[of.rule].Merge != Last
	if r.isBranch && !isNothing {
		of.previous = w.recorded
		w.recorded = &of
	}
}

// withoutAt returns an object without the member at a path.
func (v Value) withoutAt(path []string) Value {
	last := len(path) - 1
	changed, err := v.Set(path[:last], v.Get(path[:last]...).Without(path[last]))
	if err != nil {
		return v
	}

	return changed
}

// fieldWrite is a write to a field with a rule in a branch, and the writes before it. Branches are
// joined as if their writes had been made one after another.
type fieldWrite struct {
	previous *fieldWrite
	// rule is the index of the rule of the field.
	rule int
	// inside is the written path in the field; empty for the field itself.
	inside []string
	value  Value
	// merges merges an object into the one that is there.
	merges bool
}

// apply returns the value of a field that had old after the write.
func (w fieldWrite) apply(rule Rule, old Value) (Value, error) {
	written := w.value
	for _, value := range []Value{old, written} {
		if rule.Open != nil && rule.Open(value) {
			return value, nil
		}
	}
	if w.merges && (rule.Merge == Last || len(w.inside) > 0) {
		written = old.Get(w.inside...).Merge(written)
	}
	whole, err := old.Set(w.inside, written)
	if err != nil {
		return Value{}, pathError(rule.Field, err)
	}

	return rule.combine(old, whole)
}

// writesTo returns the writes to the field of a rule, in their order.
func (w *fieldWrite) writesTo(rule int) (writes []fieldWrite) {
	for ; w != nil; w = w.previous {
		if w.rule == rule {
			writes = append(writes, *w)
		}
	}
	slices.Reverse(writes)

	return writes
}

// BeginBranch makes the run that of a branch, which records what it writes to fields with rules.
// It is for simulations: [Fork] and [EachApart] call it.
func (r *Run) BeginBranch() { r.isBranch, r.writes = true, nil }

// BranchWrites returns what a branch has written to fields with rules, which decides how it is
// joined. It is for simulations.
func (r *Run) BranchWrites() Value {
	var all []Value
	for w := r.writes; w != nil; w = w.previous {
		path := Text(formatPath(append(slices.Clip(r.rules[w.rule].Field), w.inside...)))
		all = append(all, newList([]Value{path, w.value, booleanValue(w.merges)}))
	}

	return newList(all)
}

// branchEnd is what a branch left.
type branchEnd struct {
	name    string
	context Value
	writes  *fieldWrite
}

// joinFields returns a merged context, with the fields that have rules. ends are what the branches
// left, which began with base.
func (r *Run) joinFields(merged, base Value, ends []branchEnd) (Value, error) {
	for i, rule := range r.rules {
		old := slot{base, true}.slotAt(rule.Field)
		var changed []branchEnd
		var writes [][]fieldWrite
		for _, end := range ends {
			own, hasWritten := end.writesOf(i, rule, old)
			if hasWritten {
				changed, writes = append(changed, end), append(writes, own)
			}
		}
		if len(changed) == 0 {
			continue
		}
		joined, err := rule.join(old.value, changed, writes)
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

// writesOf returns the writes of a branch to a field that had the value old. Where they do not lead
// to what it left, something has replaced the value, and the change is one write.
func (end branchEnd) writesOf(index int, rule Rule, old slot) (writes []fieldWrite, hasWritten bool) {
	left := slot{end.context, true}.slotAt(rule.Field)
	writes = end.writes.writesTo(index)
	if len(writes) > 0 {
		replayed, err := rule.replay(old.value, writes)
		if err == nil && isSame(replayed, left.value) {
			return writes, true
		}
	}
	if left.isSame(old) {
		return nil, false
	}

	return []fieldWrite{{rule: index, value: rule.difference(old.value, left.value)}}, true
}

// replay returns the value of a field that had old after some writes.
func (rule Rule) replay(old Value, writes []fieldWrite) (Value, error) {
	isList := rule.Merge == Append || rule.Merge == Union
	if isList && rule.Open == nil { // all at once, because each combination copies the list
		var added []Value
		for _, w := range writes {
			if !w.value.IsList() || len(w.inside) > 0 {
				return Value{}, rule.Merge.mismatchError(w.value, "a list")
			}
			added = append(added, w.value.listItems()...)
		}
		return rule.combine(old, newList(added))
	}
	for _, w := range writes {
		combined, err := w.apply(rule, old)
		if err != nil {
			return Value{}, err
		}
		old = combined
	}

	return old, nil
}

// join returns the value of a field after branches have written it, in their order.
func (rule Rule) join(old Value, changed []branchEnd, writes [][]fieldWrite) (Value, error) {
	if len(changed) == 1 {
		return changed[0].context.Get(rule.Field...), nil
	}
	if rule.Merge != Once {
		return rule.replay(old, slices.Concat(writes...))
	}
	for i, end := range changed {
		joined, err := rule.replay(old, writes[i])
		if err != nil {
			return Value{}, differentValuesError(rule.Field, changed[0].name, end.name)
		}
		old = joined
	}

	return old, nil
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

// difference returns what a branch that has changed old to left has written, as far as that can be
// seen.
func (rule Rule) difference(old, left Value) Value {
	switch {
	case rule.Merge == Sum && old.IsNumber() && left.IsNumber():
		return left.Minus(old)
	case rule.Merge == Append && left.IsList():
		return newList(addedItems(old, left))
	}

	return left
}

// Join returns a joined value after one more branch has changed old to left; none if it depends on
// the order in which fractions are added.
func (m Merge) Join(old, joined, left Value) (Value, error) {
	isExact := !slices.ContainsFunc([]Value{old, joined, left}, func(v Value) bool { return v.IsNumber() && !v.isWhole() })
	if m == Sum && !isExact {
		return Value{}, nil
	}
	rule := Rule{Merge: m}

	return rule.combine(joined, rule.difference(old, left))
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
