package diagram

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// SVG draws the picture after [Diagram.Layout], of that size. Nodes and edges have ids, prefix and
// then their own, and classes; style is the look of these. A box that was a frame has the ids of
// what was in it.
func (d *Diagram) SVG(width, height float64, prefix, style string) string {
	s := &svg{prefix: prefix}
	s.writef(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`,
		width, height, width, height, escapeText(d.title()))
	if style != "" {
		s.writef("<style>%s</style>", style)
	}
	s.writef(`<defs><marker id="%sarrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse">`+
		`<path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>`, prefix)
	for _, n := range d.Nodes {
		if n.IsFrame {
			s.writeFrame(n)
		}
	}
	for _, e := range d.Edges {
		s.writeEdge(e)
	}
	for _, n := range d.Nodes {
		if !n.IsFrame {
			s.writeNode(n)
		}
	}
	s.b.WriteString("</svg>\n")

	return s.b.String()
}

// title is what the picture shows.
func (d *Diagram) title() string {
	var names []string
	for _, n := range d.Nodes {
		if n.Frame == nil && strings.TrimSpace(n.Label) != "" {
			names = append(names, n.Label)
		}
	}

	return "diagram of " + strings.Join(names, ", ")
}

type svg struct {
	b      strings.Builder
	prefix string
}

func (s *svg) writef(format string, args ...any) { fmt.Fprintf(&s.b, format, args...) }

// escapeText returns text without markup.
func escapeText(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder takes everything

	return b.String()
}

func classAttribute(kind string, isFaulty, isAdded bool) string {
	if isFaulty {
		kind += " faulty"
	}
	if isAdded {
		kind += " added"
	}

	return strings.TrimSpace(kind)
}

func (s *svg) writeFrame(n *Node) {
	s.writef(`<g id="%s%s" class="frame %s"><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="6"/><text x="%.1f" y="%.1f">%s</text></g>`+"\n",
		s.prefix, n.ID, classAttribute(n.Kind, n.Faulty, n.Added), n.X, n.Y, n.W, n.H, n.X+padding, n.Y+lineHeight, escapeText(n.Label))
}

func (s *svg) writeNode(n *Node) {
	s.writef(`<g id="%s%s" class="node %s"`, s.prefix, n.ID, classAttribute(n.Kind, n.Faulty, n.Added))
	if n.Kind == folded {
		s.writef(` data-holds="%s"`, strings.Join(n.holds, " "))
	}
	s.b.WriteString(">")
	s.writeShape(n)
	at := n.centre()
	s.writeLines(n.lines, at)
	s.writef("</g>\n")
}

// writeLines writes lines around a point.
func (s *svg) writeLines(lines []string, at point) {
	y := at.y - float64(len(lines)-1)*lineHeight/2 + 4.5
	for i, line := range lines {
		s.writef(`<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, at.x, y+float64(i)*lineHeight, escapeText(line))
	}
}

// writeShape draws the border of a node.
func (s *svg) writeShape(n *Node) {
	x, y, w, h := n.X, n.Y, n.W, n.H
	at := n.centre()
	polygon := func(points ...float64) {
		s.writef(`<polygon points="%s"/>`, strings.Trim(fmt.Sprintf("%.1f", points), "[]"))
	}
	rect := func(rx, inset float64) {
		s.writef(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f"/>`, x+inset, y+inset, w-2*inset, h-2*inset, rx)
	}
	switch n.Kind {
	case "start":
		s.writef(`<circle cx="%.1f" cy="%.1f" r="%.1f"/>`, at.x, at.y, w/2)
	case "end":
		s.writef(`<circle class="ring" cx="%.1f" cy="%.1f" r="%.1f"/><circle cx="%.1f" cy="%.1f" r="%.1f"/>`, at.x, at.y, w/2, at.x, at.y, w/2-4)
	case "choice":
		polygon(at.x, y, x+w, at.y, at.x, y+h, x, at.y)
	case "code":
		polygon(x+8, y, x+w-8, y, x+w, at.y, x+w-8, y+h, x+8, y+h, x, at.y)
	case "person":
		polygon(x+8, y, x+w, y, x+w-8, y+h, x, y+h)
	case "terminal", "marker":
		rect(h/2, 0)
	case "again", folded:
		rect(2, 0)
		rect(1, 3)
	case "state":
		rect(9, 0)
	default:
		rect(3, 0)
	}
}

func (s *svg) writeEdge(e *Edge) {
	kind := "edge"
	if e.Dotted {
		kind += " dotted"
	}
	s.writef(`<g id="%s%s" class="%s"><path d="`, s.prefix, e.ID, classAttribute(kind, e.Faulty, e.Added))
	if e.From == e.To {
		n := e.From
		right, middle := n.X+n.W, n.Y+n.H/2
		s.writef("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", right, middle-8, right+loopWidth-8, middle-16, right+loopWidth-8, middle+16, right, middle+8)
	}
	for i, p := range e.points {
		if i == 0 {
			s.writef("M%.1f %.1f", p.x, p.y)
			continue
		}
		before := e.points[i-1]
		half := (before.y + p.y) / 2
		s.writef("C%.1f %.1f %.1f %.1f %.1f %.1f", before.x, half, p.x, half, p.x, p.y)
	}
	s.writef(`" marker-end="url(#%sarrow)"/>`, s.prefix)
	if len(e.labelLines) > 0 {
		s.writef(`<rect class="paper" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`,
			e.labelX-e.labelW/2-2, e.labelY-e.labelH/2, e.labelW+4, e.labelH)
		s.writeLines(e.labelLines, point{e.labelX, e.labelY})
	}
	s.writef("</g>\n")
}
