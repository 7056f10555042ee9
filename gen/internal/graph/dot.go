package graph

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// DOT draws agents and their contents in the language of Graphviz. Parts with an error are red.
func DOT(errors []source.Span, agents ...*ir.Agent) string {
	d := &dot{builder: &builder{errors: errors}}
	d.b.WriteString("digraph agentc {\n  compound=true\n  node [fontname=\"sans-serif\", style=filled]\n" +
		"  edge [fontname=\"sans-serif\"]\n")
	top := d.buildPicture(agents)
	d.writeFrame(top, "  ")
	for _, e := range top.allEdges() {
		d.writeEdge(e)
	}
	d.b.WriteString("}\n")

	return d.b.String()
}

type dot struct {
	*builder
	b strings.Builder
}

func (d *dot) writeFrame(f *frame, indent string) {
	for _, n := range f.nodes {
		fmt.Fprintf(&d.b, "%s%s [label=%s, %s]\n", indent, n.id, quoteDOT(n.label), looks[n.kind].dotAttributes()+n.mark.dotAttributes())
	}
	for _, inner := range f.frames {
		fmt.Fprintf(&d.b, "%ssubgraph cluster_%s {\n%s  graph [label=%s, %s]\n",
			indent, inner.id, indent, quoteDOT(inner.label), borders[inner.kind]+inner.mark.dotAttributes())
		d.writeFrame(inner, indent+"  ")
		fmt.Fprintf(&d.b, "%s}\n", indent)
	}
}

// writeEdge writes an edge. Graphviz draws edges only between nodes, and clips them at a frame.
func (d *dot) writeEdge(e edge) {
	var attributes []string
	attribute := func(has bool, text string) {
		if has {
			attributes = append(attributes, text)
		}
	}
	from, to := e.from, e.to
	isLoop := from == to // it cannot be clipped: both ends are in the frame
	if inner := d.parts[from]; inner.isFrame() {
		attribute(!isLoop, "ltail=cluster_"+from)
		from = inner.lastNode()
	}
	if inner := d.parts[to]; inner.isFrame() {
		attribute(!isLoop, "lhead=cluster_"+to)
		to = d.firstNode(inner)
	}
	attribute(e.label != "", "label="+quoteDOT(e.label))
	attribute(e.dotted, "style=dotted")
	attribute(e.mark == faulty, redLine)
	fmt.Fprintf(&d.b, "  %s -> %s", from, to)
	if len(attributes) > 0 {
		fmt.Fprintf(&d.b, " [%s]", strings.Join(attributes, ", "))
	}
	d.b.WriteString("\n")
}

// redLine are the attributes of parts with an error. If an attribute is repeated the last one
// counts.
const redLine = `color="` + errorColour + `", penwidth=4`

// dotAttributes returns the additional attributes of a node or a frame with an error.
func (m mark) dotAttributes() string {
	if m == faulty {
		return ", " + redLine
	}

	return ""
}

// isFrame reports whether a frame has contents; otherwise it is a node.
func (f *frame) isFrame() bool { return len(f.nodes)+len(f.frames) > 0 }

// firstNode returns the node with which a frame begins.
func (d *dot) firstNode(f *frame) string {
	for f.begin != "" && d.parts[f.begin].isFrame() {
		f = d.parts[f.begin]
	}

	return cmp.Or(f.begin, f.nodes[0].id)
}

// lastNode returns the node from which lines leave a frame, so that its successors are below it.
func (f *frame) lastNode() string {
	if n := len(f.frames); n > 0 && len(f.nodes) <= 1 {
		return f.frames[n-1].lastNode()
	}

	return f.nodes[len(f.nodes)-1].id
}

// quoteDOT quotes a label. Graphviz interprets backslashes and character entities in quotes.
func quoteDOT(text string) string {
	escaped := strings.NewReplacer(`"`, `\"`, `\`, `\\`, "&", "&amp;").Replace(words.Line(text))

	return `"` + escaped + `"`
}
