package graph

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// mark is the state of a part of a picture. It is the prefix of a CSS class.
type mark string

const (
	faulty  mark = "error"
	added   mark = "added"
	removed mark = "removed"
)

// DrawDifference draws the older and the newer agents in one Mermaid flowchart, without inner agents.
// New parts are green, removed parts are red, and their labels name the change. Parts correspond if
// they have the same names in frames with the same names.
func DrawDifference(before, after []*ir.Agent) string {
	newBuilder := &builder{shallow: true}
	top := newBuilder.buildPicture(after)
	oldBuilder := &builder{shallow: true, count: newBuilder.count}
	d := &difference{same: map[string]string{}}
	d.mergeFrame(oldBuilder.buildPicture(before), top)

	return writeMermaid(top)
}

// DrawAlone draws an agent without its inner agents, to compare two versions of it. It returns "" for
// an agent without a picture.
func DrawAlone(a *ir.Agent) string {
	if !hasFrame(a) {
		return ""
	}

	return drawMermaid(&builder{shallow: true}, []*ir.Agent{a})
}

// difference merges an older picture into a newer one.
type difference struct {
	// same maps ids of the older picture to ids of the newer.
	same map[string]string
}

// mergeFrame adds to a frame the parts that only the older frame has.
func (d *difference) mergeFrame(old, now *frame) {
	d.same[old.id] = now.id
	now.nodes, now.frames = d.mergeParts(old.nodes, now.nodes), d.mergeParts(old.frames, now.frames)
	edges := unmatched[edge]{}
	for i, e := range now.edges {
		edges[e] = append(edges[e], i)
	}
	for _, e := range old.edges {
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

// mergeParts returns the nodes or inner frames of a frame, and those that only the older frame has.
func (d *difference) mergeParts(old, now []*frame) []*frame {
	type look struct {
		kind  kind
		label string
	}
	candidates := unmatched[look]{}
	for i, f := range now {
		candidates[look{f.kind, f.label}] = append(candidates[look{f.kind, f.label}], i)
	}
	all := now
	for _, f := range old {
		if i, ok := candidates.takeFirst(look{f.kind, f.label}); ok {
			d.mergeFrame(f, now[i])
			continue
		}
		f.markAll(removed)
		all = append(all, f)
	}
	for _, i := range candidates.remaining() {
		now[i].markAll(added)
	}

	return all
}

// markAll marks a frame and all its contents.
func (f *frame) markAll(m mark) {
	f.mark = m
	for i := range f.edges {
		f.edges[i].mark = m
	}
	for _, inner := range slices.Concat(f.nodes, f.frames) {
		inner.markAll(m)
	}
}

// unmatched are the indexes of parts with the same look, in order.
type unmatched[K comparable] map[K][]int

// takeFirst returns and removes the first part with a look.
func (u unmatched[K]) takeFirst(key K) (int, bool) {
	indexes := u[key]
	if len(indexes) == 0 {
		return 0, false
	}
	u[key] = indexes[1:]

	return indexes[0], true
}

// remaining returns the parts that were not taken.
func (u unmatched[K]) remaining() []int { return slices.Concat(slices.Collect(maps.Values(u))...) }

// signs are the prefixes of labels of changed parts. A plus or a minus would begin a list, which
// Mermaid does not draw.
var signs = map[mark]string{added: "new", removed: "gone"}

// prefixLabel adds the sign of the mark to a label; an empty label stays empty.
func (m mark) prefixLabel(label string) string {
	if signs[m] == "" || label == "" {
		return label
	}

	return signs[m] + ": " + label
}

// The styles of parts with an error, new parts and removed parts. diagram.Read depends on them.
var markStyles = map[mark]string{
	faulty:  "stroke:" + errorColour + ",stroke-width:4px",
	added:   "stroke:#15803d,stroke-width:4px",
	removed: "stroke:" + errorColour + ",stroke-width:3px,stroke-dasharray:6 4",
}
