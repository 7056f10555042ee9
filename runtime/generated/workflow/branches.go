package workflow

import "slices"

// Which of two different values of one path is kept: see [Parallel].
const (
	keepNeither = ""
	keepFirst   = "first"
	keepLast    = "last"
)

// conflict is a path to which two branches wrote different values.
type conflict struct {
	Path []string
	// First and Second are the indexes of the branches.
	First, Second int
}

// mergeBranches returns base with the changes of the branches. A value that one of them changed, or
// that all changed in the same way, is the changed one. Objects are compared member by member, new
// ones too; anything else changes as a whole. If two branches differ, keep decides. The conflict is
// nil unless keep is keepNeither. Members keep their order, new ones follow in the order of the
// branches. Fields with a rule are left to [Run.joinFields].
func mergeBranches(base Value, branches []Value, keep string, rules []Rule) (Value, *conflict) {
	m := merger{keep: keep, rules: rules}
	merged := slot{base, true}
	for i, branch := range branches {
		merged = m.merge(slot{base, true}, merged, slot{branch, true})
		if m.conflicted {
			return Value{}, &conflict{Path: m.path, First: findFirstChanger(m.path, base, branches[:i]), Second: i}
		}
	}

	return merged.value, nil
}

// findFirstChanger returns the index of the first branch that changed the value at a path.
func findFirstChanger(path []string, base Value, branches []Value) int {
	old := slot{base, true}.slotAt(path)

	return slices.IndexFunc(branches, func(branch Value) bool { return !slot{branch, true}.slotAt(path).isSame(old) })
}

// slot is a place in an object. It may have no value, which is different from a value that is none.
type slot struct {
	value   Value
	present bool
}

func (p slot) memberSlot(name string) slot {
	if i := p.value.findMember(name); i >= 0 {
		return slot{p.value.shape.items[i], true}
	}

	return slot{}
}

func (p slot) slotAt(path []string) slot {
	for _, name := range path {
		p = p.memberSlot(name)
	}

	return p
}

func (p slot) isSame(other slot) bool {
	return p.present == other.present && isSame(p.value, other.value)
}

// merger merges two changed copies of one base.
type merger struct {
	keep  string
	rules []Rule
	// path leads to the current slot. Merging stops at the first conflict.
	path       []string
	conflicted bool
}

func (m *merger) merge(base, first, second slot) slot {
	switch {
	case second.isSame(base), first.isSame(second), m.hasRule():
		return first
	case first.isSame(base):
		return second
	case first.value.Kind() == kindObject && second.value.Kind() == kindObject && base.canHoldMembers():
		return slot{m.mergeMembers(base, first, second), true}
	case m.keep == keepFirst:
		return first
	case m.keep == keepLast:
		return second
	}
	m.conflicted = true

	return slot{}
}

// hasRule reports whether the current slot is a field with a rule.
func (m *merger) hasRule() bool {
	return slices.ContainsFunc(m.rules, func(rule Rule) bool { return slices.Equal(rule.Field, m.path) })
}

// canHoldMembers reports whether members could be added to p.
func (p slot) canHoldMembers() bool {
	return p.value.Kind() == kindObject || p.value.Kind() == kindNone
}

func (m *merger) mergeMembers(base, first, second slot) Value {
	var names []string
	var items []Value
	for _, name := range unionNames(first.value, second.value) {
		m.path = append(m.path, name)
		merged := m.merge(base.memberSlot(name), first.memberSlot(name), second.memberSlot(name))
		if m.conflicted {
			return Value{}
		}
		m.path = m.path[:len(m.path)-1]
		if merged.present {
			names, items = append(names, name), append(items, merged.value)
		}
	}

	return newObject(names, items)
}

// unionNames returns the names of first, then the names of second that first does not have.
func unionNames(first, second Value) []string {
	var names []string
	for name := range first.Members() {
		names = append(names, name)
	}
	for name := range second.Members() {
		if !first.Has(name) {
			names = append(names, name)
		}
	}

	return names
}
