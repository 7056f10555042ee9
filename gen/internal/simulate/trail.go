package simulate

import "slices"

// trail is where a run has come in the graph of its node: it is behind a point, and some things have
// happened since.
type trail struct {
	from  int
	items []item
	// open says on what it depends whether that is possible, if only a run shows it.
	open string
	// branch are the numbers of the branches side by side in which the run is.
	branch []int
}

// with returns the trail behind something that happens.
func (t trail) with(items ...item) trail {
	t.items = slices.Clip(t.items)
	for _, i := range items {
		i.branch = t.branch
		t.items = append(t.items, i)
	}

	return t
}

// lead adds an edge from the trail to a point, and puts it there.
func (t *trail) lead(n *node, point int) {
	n.add(&edge{from: t.from, to: point, items: t.items, open: t.open})
	t.from, t.items, t.open = point, nil, ""
}

// fail adds that nothing follows.
func (t trail) fail(n *node) { t.lead(n, n.point()) }
