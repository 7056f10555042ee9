package workflow

import "slices"

// Keep says which of two different changes of one place counts.
type Keep uint8

const (
	// KeepNeither makes it a [Clash].
	KeepNeither Keep = iota
	// KeepFirst is that of the earlier branch.
	KeepFirst
	// KeepLast is that of the later branch.
	KeepLast
)

// Clash is a place that two branches changed, and not in the same way.
type Clash struct {
	Path []string
	// First and Second are the indexes of the branches.
	First, Second int
}

// Reconcile returns the changes of branches that count, in the order of the branches, each place once. A change of an object as a
// whole is a change of every place in it. The clash is nil unless keep is [KeepNeither] and there is one.
func Reconcile(branches [][]Change, keep Keep) ([]Change, *Clash) {
	kept := make([][]Change, len(branches))
	var all claim
	for i := range branches {
		if keep == KeepLast {
			i = len(branches) - 1 - i
		}
		for _, change := range branches[i] {
			clash, again := all.take(change, i)
			if clash != nil && keep == KeepNeither {
				return nil, clash
			}
			if clash == nil && !again {
				kept[i] = append(kept[i], change)
			}
		}
	}

	return slices.Concat(kept...), nil
}

// claim is a place that a branch has changed, or that leads to such places.
type claim struct {
	branch  int     // which was here first
	change  *Change // nil when only places inside are changed
	members map[string]*claim
}

// take claims the place of a change for a branch. It returns a clash if another one has it, and again if that one made the same
// change. The changes of one branch are of places that do not lead into each other.
func (c *claim) take(change Change, branch int) (clash *Clash, again bool) {
	for i, name := range change.Path {
		if c.change != nil {
			return &Clash{Path: change.Path[:i], First: min(c.branch, branch), Second: max(c.branch, branch)}, false
		}
		next := c.members[name]
		if next == nil {
			if c.members == nil {
				c.members = map[string]*claim{}
			}
			next = &claim{branch: branch}
			c.members[name] = next
		}
		c = next
	}

	switch {
	case c.change != nil && c.change.Gone == change.Gone && same(c.change.Value, change.Value):
		return nil, true
	case c.change != nil || c.members != nil:
		return &Clash{Path: change.Path, First: min(c.branch, branch), Second: max(c.branch, branch)}, false
	}
	c.change = &change

	return nil, false
}
