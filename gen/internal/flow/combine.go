package flow

import (
	"math/bits"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// isCombined reports whether a write to a field of the context, or to a part of it, is combined
// with the value that it has.
func (x *paths) isCombined(v *variable) bool {
	if len(x.rules) == 0 || v.access.Root != ir.RootContext {
		return false
	}
	rules := x.rules.Overlapping(v.access.PathNames())

	return slices.ContainsFunc(rules, func(r ir.FieldRule) bool { return !r.Merge.ReplacesValue() })
}

// ruleOf returns the rule of a field; "" if it has parts with rules, or is a part of a field with
// one.
func (x *paths) ruleOf(v *variable) ir.FieldMerge { return x.rules.Of(v.access.PathNames()) }

// writeCombined writes to a variable of the context by its rule, or else as writeField does.
func (x *paths) writeCombined(e values, i int, w ir.ContextWrite) values {
	v := x.variables[i]
	written := x.writeField(e, i, w).at(i)
	if w.Replaces || !mayChange(w, v.access) || !x.isCombined(v) {
		return e.with(i, written)
	}
	added := x.writeField(e.with(i, 0), i, w).at(i)
	if added == 0 { // the write does not have the field
		return e
	}
	combined := x.combineSets(v, e.at(i), added)
	if added != written { // it may not have it
		combined |= e.at(i)
	}

	return e.with(i, combined)
}

// combineSets returns the values of a field that had one of a set, after one of another set was
// written to it.
func (x *paths) combineSets(v *variable, old, written set) set {
	merge := x.ruleOf(v)
	if old == 0 || merge == "" {
		return written | v.anyValue(old, written)
	}
	found := set(0)
	for before := old; before != 0; before &= before - 1 {
		for added := written; added != 0; added &= added - 1 {
			was, adds := before&-before, added&-added
			if (was|adds)&^v.exact != 0 {
				found |= v.anyValue(was, adds)
				continue
			}
			value, err := workflow.Merge(merge).Combine(v.valueOf(was), v.valueOf(adds))
			switch {
			case err != nil: // the step fails
			case value.IsNone():
				found |= was
			default:
				found |= v.addValues(value)
			}
		}
	}
	if found == 0 {
		return v.anyValue(old, written)
	}

	return found
}

// joinValues returns the values of a field after a branch has changed was to second, and earlier
// branches have changed it to first.
func (x *paths) joinValues(v *variable, was, first, second set) set {
	isExact := (was|first|second)&^v.exact == 0
	isOne := bits.OnesCount64(uint64(was)) == 1 && bits.OnesCount64(uint64(first)) == 1 && bits.OnesCount64(uint64(second)) == 1
	switch merge := x.ruleOf(v); {
	case isExact && second == was && x.keepsLast(v): // the branch may have written it again
		return first | second
	case isExact && second == was:
		return first
	case isExact && first == was:
		return second
	case isExact && isOne && merge != "":
		joined, err := workflow.Merge(merge).Join(v.valueOf(was), v.valueOf(first), v.valueOf(second))
		if err == nil && !joined.IsNone() {
			return v.addValues(joined)
		}
	}

	return first&second | v.anyValue(first, second)
}

// keepsLast reports whether a field, or one around it, has the last value that branches write.
func (x *paths) keepsLast(v *variable) bool {
	rules := x.rules.Overlapping(v.access.PathNames())

	return slices.ContainsFunc(rules, func(r ir.FieldRule) bool { return r.Merge == ir.FieldLast })
}

// anyValue returns the set of all values. It has no None if one of the combined sets has none.
func (v *variable) anyValue(combined ...set) set {
	missing := none & v.exact
	isThere := func(s set) bool { return s&(missing|v.unwritten) == 0 }
	if v.anything == 0 && slices.ContainsFunc(combined, isThere) {
		return v.all() &^ missing
	}

	return v.all()
}

// valueOf returns the only value of a set.
func (v *variable) valueOf(one set) workflow.Value {
	return v.values[bits.TrailingZeros64(uint64(one))]
}

// joinItems returns runs after an item that ran in a branch. The fields that items combine have any
// values, because each item finds what there was before the list.
func (x *paths) joinItems(t *ir.Task, done runs) runs {
	if !t.Do.(*ir.Loop).RunsApart() || len(x.rules) == 0 {
		return done
	}
	joined, written := runs{}, x.writtenIn(t)
	for e, calls := range done {
		for _, i := range written {
			if v := x.variables[i]; x.isCombined(v) {
				e = e.with(i, e.at(i)|v.anyValue(e.at(i)))
			}
		}
		joined.add(e, calls)
	}

	return joined
}
