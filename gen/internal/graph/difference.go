package graph

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// mark says what is with a part of a picture. It is the name of a class.
type mark string

const (
	faulty  mark = "error"
	added   mark = "added"
	removed mark = "removed"
)

// Difference draws agents as they were and as they are in one Mermaid flowchart, each without the
// inner ones: what is new is green, what is gone is red, and their labels say so. Parts are the
// same if they have the same names in frames of the same names.
func Difference(before, after []*ir.Agent) string {
	now := &builder{shallow: true}
	top := now.buildPicture(after)
	was := &builder{shallow: true, count: now.count}
	d := &difference{same: map[string]string{}}
	d.mergeFrame(was.buildPicture(before), top)

	return writeMermaid(top)
}

// Alone draws an agent without the inner ones, by which two versions of it can be compared. It is
// "" for one that has no picture.
func Alone(a *ir.Agent) string {
	if !hasFrame(a) {
		return ""
	}

	return drawMermaid(&builder{shallow: true}, []*ir.Agent{a})
}

// difference merges a picture into a newer one.
type difference struct {
	// same are the ids of the older picture, with those of the newer.
	same map[string]string
}

// mergeFrame adds to a frame what an older one has besides.
func (d *difference) mergeFrame(was, now *frame) {
	d.same[was.id] = now.id
	now.nodes, now.frames = d.mergeParts(was.nodes, now.nodes), d.mergeParts(was.frames, now.frames)
	edges := unmatched[edge]{}
	for i, e := range now.edges {
		edges[e] = append(edges[e], i)
	}
	for _, e := range was.edges {
		e.from, e.to = cmp.Or(d.same[e.from], e.from), cmp.Or(d.same[e.to], e.to)
		if _, ok := edges.takeFirst(e); !ok {
			e.mark = removed
			now.edges = append(now.edges, e)
		}
	}
	for _, i := range edges.remaining() {
		now.edges[i].mark = added
	}
}

// mergeParts returns the nodes or the inner frames of a frame with those that an older one has besides.
func (d *difference) mergeParts(was, now []*frame) []*frame {
	type look struct {
		kind  kind
		label string
	}
	known := unmatched[look]{}
	for i, f := range now {
		known[look{f.kind, f.label}] = append(known[look{f.kind, f.label}], i)
	}
	all := now
	for _, f := range was {
		if i, ok := known.takeFirst(look{f.kind, f.label}); ok {
			d.mergeFrame(f, now[i])
			continue
		}
		f.markAll(removed)
		all = append(all, f)
	}
	for _, i := range known.remaining() {
		now[i].markAll(added)
	}

	return all
}

// markAll marks a frame with all that is in it.
func (f *frame) markAll(m mark) {
	f.mark = m
	for i := range f.edges {
		f.edges[i].mark = m
	}
	for _, inner := range slices.Concat(f.nodes, f.frames) {
		inner.markAll(m)
	}
}

// unmatched are the places of parts that look alike, in their order.
type unmatched[K comparable] map[K][]int

// takeFirst returns the first part that looks so, which is matched from then on.
func (u unmatched[K]) takeFirst(look K) (int, bool) {
	of := u[look]
	if len(of) == 0 {
		return 0, false
	}
	u[look] = of[1:]

	return of[0], true
}

// remaining are the parts that nothing has matched.
func (u unmatched[K]) remaining() []int { return slices.Concat(slices.Collect(maps.Values(u))...) }

// signs are in front of labels of what has changed. A plus or a minus would begin a list, which
// Mermaid does not draw.
var signs = map[mark]string{added: "new", removed: "gone"}

// prefixLabel is a label of a part that may have changed; an empty one stays empty.
func (m mark) prefixLabel(label string) string {
	if signs[m] == "" || label == "" {
		return label
	}

	return signs[m] + ": " + label
}

// The colours of what has an error, of what is new and of what is gone; pictures are read by them.
var markStyles = map[mark]string{
	faulty:  "stroke:" + errorColour + ",stroke-width:4px",
	added:   "stroke:#15803d,stroke-width:4px",
	removed: "stroke:" + errorColour + ",stroke-width:3px,stroke-dasharray:6 4",
}
