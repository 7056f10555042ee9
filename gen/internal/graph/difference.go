package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// mark says what became of a part of a picture. It is the name of a class.
type mark string

const (
	kept    mark = ""
	added   mark = "added"
	removed mark = "removed"
)

// Difference draws agents as they were and as they are in one Mermaid flowchart, each without the inner ones: what is new is green, what
// is gone is red, and their labels say so. Parts are the same if they have the same names in frames of the same names.
func Difference(before, after []*ir.Agent) string {
	now := &builder{shallow: true}
	top := now.build(after)
	was := &builder{shallow: true, count: now.count}
	d := &difference{same: map[string]string{}}
	d.frame(was.build(before), top)

	return writeMermaid(top, nil)
}

// Alone draws an agent without the inner ones, by which two versions of it can be compared. It is "" for one that has no picture.
func Alone(a *ir.Agent) string {
	if !framed(a) {
		return ""
	}

	return drawMermaid(&builder{shallow: true}, []*ir.Agent{a})
}

// difference merges a picture into a newer one.
type difference struct {
	// same are the ids of the older picture, with those of the newer.
	same map[string]string
}

// frame adds to a frame what an older one has besides.
func (d *difference) frame(was, now *frame) {
	d.same[was.id] = now.id
	nodes := index(now.nodes, func(n node) any { return [2]string{string(n.kind), n.label} })
	for _, n := range was.nodes {
		if i, ok := nodes.take([2]string{string(n.kind), n.label}); ok {
			d.same[n.id] = now.nodes[i].id
			continue
		}
		n.mark = removed
		now.nodes = append(now.nodes, n)
	}
	for _, i := range nodes.rest() {
		now.nodes[i].mark = added
	}

	frames := index(now.frames, func(f *frame) any { return f.label })
	for _, f := range was.frames {
		if i, ok := frames.take(f.label); ok {
			d.frame(f, now.frames[i])
			continue
		}
		f.all(removed)
		now.frames = append(now.frames, f)
	}
	for _, i := range frames.rest() {
		now.frames[i].all(added)
	}

	edges := index(now.edges, func(e edge) any { return e })
	for _, e := range was.edges {
		e.from, e.to = d.now(e.from), d.now(e.to)
		if _, ok := edges.take(e); !ok {
			e.mark = removed
			now.edges = append(now.edges, e)
		}
	}
	for _, i := range edges.rest() {
		now.edges[i].mark = added
	}
}

// now is the id of what the older picture calls id.
func (d *difference) now(id string) string {
	if same, ok := d.same[id]; ok {
		return same
	}

	return id
}

// all marks a frame with all that is in it.
func (f *frame) all(m mark) {
	f.mark = m
	for i := range f.nodes {
		f.nodes[i].mark = m
	}
	for i := range f.edges {
		f.edges[i].mark = m
	}
	for _, inner := range f.frames {
		inner.all(m)
	}
}

// unmatched are the places of parts that look alike, in their order.
type unmatched map[any][]int

func index[T any](parts []T, key func(T) any) unmatched {
	u := unmatched{}
	for i, part := range parts {
		u[key(part)] = append(u[key(part)], i)
	}

	return u
}

// take returns the first part of a key, which is matched from then on.
func (u unmatched) take(key any) (int, bool) {
	of := u[key]
	if len(of) == 0 {
		return 0, false
	}
	u[key] = of[1:]

	return of[0], true
}

// rest are the parts that nothing has matched.
func (u unmatched) rest() (all []int) {
	for _, of := range u {
		all = append(all, of...)
	}

	return all
}

// words are in front of labels of what has changed. A plus or a minus would begin a list, which Mermaid does not draw.
var words = map[mark]string{added: "new", removed: "gone"}

// label is a label of a part that may have changed; an empty one stays empty.
func (m mark) label(label string) string {
	if m == kept || label == "" {
		return label
	}

	return words[m] + ": " + label
}

// The colours of what is new and what is gone; pictures are read by them.
var markStyles = map[mark]string{
	added:   "stroke:#15803d,stroke-width:4px",
	removed: fmt.Sprintf("stroke:%s,stroke-width:3px,stroke-dasharray:6 4", errorColour),
}
