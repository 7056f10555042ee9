package graph

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// DOT draws agents, with all that they contain, in the language of Graphviz. What has one of the errors is red.
func DOT(errors []source.Span, agents ...*ir.Agent) string {
	d := &dot{builder: &builder{errors: errors}, frames: map[string]*frame{}}
	d.b.WriteString("digraph agentc {\n  compound=true\n  node [fontname=\"sans-serif\", style=filled]\n" +
		"  edge [fontname=\"sans-serif\"]\n")
	top := d.build(agents)
	d.frame(top, "  ")
	d.edges(top)
	d.b.WriteString("}\n")

	return d.b.String()
}

type dot struct {
	*builder
	b strings.Builder
	// frames are those with a border: Graphviz draws edges between nodes only, and cuts them at the frame.
	frames map[string]*frame
}

func (d *dot) frame(f *frame, indent string) {
	for _, n := range f.nodes {
		fmt.Fprintf(&d.b, "%s%s [label=%s, %s]\n", indent, n.id, dotText(n.label), looks[n.kind].attributes()+d.dotError(n.id))
	}
	for _, inner := range f.frames {
		d.frames[inner.id] = inner
		fmt.Fprintf(&d.b, "%ssubgraph cluster_%s {\n%s  graph [label=%s, %s]\n",
			indent, inner.id, indent, dotText(inner.label), borders[inner.kind]+d.dotError(inner.id))
		d.frame(inner, indent+"  ")
		fmt.Fprintf(&d.b, "%s}\n", indent)
	}
}

func (d *dot) edges(f *frame) {
	for _, inner := range f.frames {
		d.edges(inner)
	}
	for _, e := range f.edges {
		var attributes []string
		from, to := e.from, e.to
		loop := from == to // which cannot be cut: both its ends are inside
		if inner, ok := d.frames[from]; ok {
			if !loop {
				attributes = append(attributes, "ltail=cluster_"+from)
			}
			from = inner.last()
		}
		if inner, ok := d.frames[to]; ok {
			if !loop {
				attributes = append(attributes, "lhead=cluster_"+to)
			}
			to = d.first(inner)
		}
		if e.label != "" {
			attributes = append(attributes, "label="+dotText(e.label))
		}
		if e.dotted {
			attributes = append(attributes, "style=dotted")
		}
		if e.isFaulty {
			attributes = append(attributes, redLine)
		}
		fmt.Fprintf(&d.b, "  %s -> %s", from, to)
		if len(attributes) > 0 {
			fmt.Fprintf(&d.b, " [%s]", strings.Join(attributes, ", "))
		}
		d.b.WriteString("\n")
	}
}

// redLine are the attributes of what has an error. Of an attribute that is written twice the last counts.
const redLine = `color="` + errorColour + `", penwidth=4`

// dotError are the attributes that a node or a frame has in addition if it has an error.
func (d *dot) dotError(id string) string {
	if slices.Contains(d.marked, id) {
		return ", " + redLine
	}

	return ""
}

// first returns the node with which a frame begins.
func (d *dot) first(f *frame) string {
	for inner := f; inner != nil; inner = d.frames[f.begin] {
		f = inner
		if f.begin == "" {
			return f.nodes[0].id
		}
	}

	return f.begin
}

// last returns the node from which lines leave a frame, so that what follows stands below it.
func (f *frame) last() string {
	if n := len(f.frames); n > 0 && len(f.nodes) <= 1 {
		return f.frames[n-1].last()
	}

	return f.nodes[len(f.nodes)-1].id
}

// dotText quotes a label: Graphviz knows escapes with a backslash and character entities inside of quotes.
func dotText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '&':
			b.WriteString("&amp;")
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "U+%04X", r) // line breaks, controls and direction marks are shown by name
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')

	return b.String()
}
