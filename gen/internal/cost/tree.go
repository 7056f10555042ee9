package cost

// tree has extents by index. It is never changed: one with another extent shares all else with it,
// so that states of many visits need little memory, and what two of them share is not compared. A
// nil tree has no extents.
type tree struct {
	extent extent
	isSet  bool
	// children have the other indexes: the i-th one those of which i is the remainder.
	children [treeWidth]*tree
}

const treeWidth = 8

// childOf returns which child has an index other than 0, and the index there.
func childOf(index int) (child, rest int) { return (index - 1) % treeWidth, (index - 1) / treeWidth }

// at returns the extent of an index, and whether there is one.
func (t *tree) at(index int) (e extent, isSet bool) {
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

// with returns the tree with an extent at an index.
func (t *tree) with(index int, e extent) *tree {
	changed := tree{}
	if t != nil {
		changed = *t
	}
	if index == 0 {
		changed.extent, changed.isSet = e, true
		return &changed
	}
	child, rest := childOf(index)
	changed.children[child] = changed.children[child].with(rest, e)

	return &changed
}

// or returns the tree with the larger extents of two. It is one of the two where that has them all.
func (t *tree) or(other *tree) *tree {
	switch {
	case t == other || other == nil:
		return t
	case t == nil:
		return other
	}
	extent, isSet := t.extent.or(other.extent), t.isSet || other.isSet
	isFirst := extent == t.extent && isSet == t.isSet
	isSecond := extent == other.extent && isSet == other.isSet
	var children [treeWidth]*tree
	for i := range children {
		children[i] = t.children[i].or(other.children[i])
		isFirst = isFirst && children[i] == t.children[i]
		isSecond = isSecond && children[i] == other.children[i]
	}
	switch {
	case isSecond: // which is the newer one, and so what others share
		return other
	case isFirst:
		return t
	}

	return &tree{extent, isSet, children}
}

// covers reports whether each extent of another tree has a larger one here, or its equal.
func (t *tree) covers(other *tree) bool {
	switch {
	case t == other || other == nil:
		return true
	case t == nil:
		return false
	}
	if other.isSet && (!t.isSet || !t.extent.covers(other.extent)) {
		return false
	}
	for i := range other.children {
		if !t.children[i].covers(other.children[i]) {
			return false
		}
	}

	return true
}

// grown returns the tree with all extents unbounded that another one, which was there before, does
// not have.
func (t *tree) grown(before *tree) *tree {
	if t == before || t == nil {
		return t
	}
	if before == nil {
		before = &tree{}
	}
	changed := *t
	if t.isSet && (!before.isSet || t.extent != before.extent) {
		changed.extent = unbounded
	}
	for i := range changed.children {
		changed.children[i] = t.children[i].grown(before.children[i])
	}

	return &changed
}

// each calls a function with each index that has an extent, in an order that only depends on the
// indexes.
func (t *tree) each(do func(index int, e extent)) { t.walk(0, 1, do) }

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
