package cost

// tree holds extents by index. It is immutable: a changed tree shares its other parts with the
// original, so that states of many visits need little memory, and shared parts are not compared. A
// nil tree is empty.
type tree struct {
	extent extent
	isSet  bool
	// children have the other indexes, by the remainder of the index.
	children [treeWidth]*tree
}

const treeWidth = 8

// childOf returns the child of an index other than 0, and the index in it.
func childOf(index int) (child, rest int) { return (index - 1) % treeWidth, (index - 1) / treeWidth }

// get returns the extent of an index, and whether there is one.
func (t *tree) get(index int) (e extent, isSet bool) {
	for t != nil && index > 0 {
		var child int
		child, index = childOf(index)
		t = t.children[child]
	}
	if t == nil {
		return extent{}, false
	}

	return t.extent, t.isSet
}

// set returns the tree with an extent at an index.
func (t *tree) set(index int, e extent) *tree {
	changed := tree{}
	if t != nil {
		changed = *t
	}
	if index == 0 {
		changed.extent, changed.isSet = e, true
		return &changed
	}
	child, rest := childOf(index)
	changed.children[child] = changed.children[child].set(rest, e)

	return &changed
}

// union returns the tree with the larger extents of two. It returns one of the two if possible.
func (t *tree) union(other *tree) *tree {
	switch {
	case t == other || other == nil:
		return t
	case t == nil:
		return other
	}
	extent, isSet := t.extent.Or(other.extent), t.isSet || other.isSet
	isFirst := extent == t.extent && isSet == t.isSet
	isSecond := extent == other.extent && isSet == other.isSet
	var children [treeWidth]*tree
	for i := range children {
		children[i] = t.children[i].union(other.children[i])
		isFirst = isFirst && children[i] == t.children[i]
		isSecond = isSecond && children[i] == other.children[i]
	}
	switch {
	case isSecond: // the newer one, which other trees share
		return other
	case isFirst:
		return t
	}

	return &tree{extent, isSet, children}
}

// covers reports whether t has an extent at least as large for each extent of another tree.
func (t *tree) covers(other *tree) bool {
	switch {
	case t == other || other == nil:
		return true
	case t == nil:
		return false
	}
	if other.isSet && (!t.isSet || !t.extent.Covers(other.extent)) {
		return false
	}
	for i := range other.children {
		if !t.children[i].covers(other.children[i]) {
			return false
		}
	}

	return true
}

// unboundGrowth makes extents unbounded that differ from those of an earlier tree.
func (t *tree) unboundGrowth(before *tree) *tree {
	if t == before || t == nil {
		return t
	}
	if before == nil {
		before = &tree{}
	}
	changed := *t
	if t.isSet && (!before.isSet || t.extent != before.extent) {
		changed.extent = unboundedExtent
	}
	for i := range changed.children {
		changed.children[i] = t.children[i].unboundGrowth(before.children[i])
	}

	return &changed
}

// visit calls a function with each index that has an extent, in an order that depends only on the
// indexes.
func (t *tree) visit(do func(index int, e extent)) { t.walk(0, 1, do) }

func (t *tree) walk(index, scale int, do func(index int, e extent)) {
	if t == nil {
		return
	}
	if t.isSet {
		do(index, t.extent)
	}
	for i, child := range t.children {
		child.walk(index+(i+1)*scale, scale*treeWidth, do)
	}
}
