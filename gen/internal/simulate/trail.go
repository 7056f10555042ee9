package simulate

import "slices"

// trail is the position of a run in the graph of its node: the last point, and the items since
// then.
type trail struct {
	from  int
	items []item
	// filled is the number of items in the array behind items, which trails share. Only the longest
	// trail appends to the array. Any other trail copies it.
	filled *int
	// open describes what decides whether the trail is possible, if only a run shows it.
	open string
	// branch are the numbers of the parallel branches that the run is in.
	branch []int
}

// withItems returns the trail after some items.
func (t trail) withItems(items ...item) trail {
	if t.filled == nil || *t.filled != len(t.items) {
		t.items, t.filled = slices.Clip(t.items), new(int)
	}
	for _, i := range items {
		i.branch = t.branch
		t.items = append(t.items, i)
	}
	*t.filled = len(t.items)

	return t
}

// leadTo adds an edge from the trail to a point, and moves it there.
func (t *trail) leadTo(n *node, point int) {
	n.addEdge(&edge{from: t.from, to: point, items: t.items, open: t.open})
	t.from, t.items, t.open = point, nil, ""
}

// endInFailure adds an edge after which nothing follows.
func (t trail) endInFailure(n *node) { t.leadTo(n, n.addPoint()) }
