package workflow

import "slices"

// Which of two different values of one path is kept: see [Parallel].
const (
	keepNeither = ""
	keepFirst   = "first"
	keepLast    = "last"
)

// clash is a place that two branches changed, and not to the same.
type clash struct {
	Path []string
	// First and Second are the indexes of the branches.
	First, Second int
}

// mergeBranches returns base with the changes of the branches: what only one of them changed, or
// all in the same way, has their value. Objects are compared member by member, new ones too;
// anything else changes as a whole. If two branches differ, keep decides; the conflict is nil
// unless that is keepNeither. Members keep their order, new ones follow in the order of the
// branches.
func mergeBranches(base Value, branches []Value, keep string) (Value, *clash) {
	m := merger{keep: keep}
	merged := part{base, true}
	for i, branch := range branches {
		merged = m.merge(part{base, true}, merged, part{branch, true})
		if m.clashed {
			return Value{}, &clash{Path: m.path, First: changedBy(m.path, base, branches[:i]), Second: i}
		}
	}

	return merged.value, nil
}

// changedBy returns the index of the first branch that has changed a place.
func changedBy(path []string, base Value, branches []Value) int {
	old := part{base, true}.partAt(path)

	return slices.IndexFunc(branches, func(branch Value) bool { return !part{branch, true}.partAt(path).isSame(old) })
}

// part is a value that may be there or not, which is something else than none.
type part struct {
	value Value
	there bool
}

func (p part) memberPart(name string) part {
	if i := p.value.findMember(name); i >= 0 {
		return part{p.value.shape.items[i], true}
	}

	return part{}
}

func (p part) partAt(path []string) part {
	for _, name := range path {
		p = p.memberPart(name)
	}

	return p
}

func (p part) isSame(other part) bool { return p.there == other.there && isSame(p.value, other.value) }

// merger merges what two made of one base.
type merger struct {
	keep string
	// path leads to the place at hand; merging stops at the first clash.
	path    []string
	clashed bool
}

func (m *merger) merge(base, first, second part) part {
	switch {
	case second.isSame(base), first.isSame(second):
		return first
	case first.isSame(base):
		return second
	case first.value.Kind() == kindObject && second.value.Kind() == kindObject && base.mayHold():
		return part{m.mergeMembers(base, first, second), true}
	case m.keep == keepFirst:
		return first
	case m.keep == keepLast:
		return second
	}
	m.clashed = true

	return part{}
}

// mayHold reports whether members could be added to p.
func (p part) mayHold() bool { return p.value.Kind() == kindObject || p.value.Kind() == kindNone }

func (m *merger) mergeMembers(base, first, second part) Value {
	var names []string
	var items []Value
	for _, name := range allOf(first.value, second.value) {
		m.path = append(m.path, name)
		merged := m.merge(base.memberPart(name), first.memberPart(name), second.memberPart(name))
		if m.clashed {
			return Value{}
		}
		m.path = m.path[:len(m.path)-1]
		if merged.there {
			names, items = append(names, name), append(items, merged.value)
		}
	}

	return newObject(names, items)
}

// allOf returns the names of first, and those of second that first does not have.
func allOf(first, second Value) []string {
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
