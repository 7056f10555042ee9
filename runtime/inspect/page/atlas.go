package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/diagram"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
)

// atlas has the pictures of what a run ran, and finds its nodes in them.
type atlas struct {
	// prefix begins the ids of all pictures.
	prefix string
	agents []compiled.Agent
	read   []*diagram.Diagram
	// known are the agents for which a picture was looked for.
	known map[string]bool
	// at is, by picture and frame, the node that was reached last.
	at map[*diagram.Node]*diagram.Node
}

// add reads a picture.
func (a *atlas) add(text string) { a.read = append(a.read, diagram.Read(text)) }

// svgs draws each picture: with the outermost frames only, with one level more at a time, and whole.
func (a *atlas) svgs() [][]string {
	var all [][]string
	for i, d := range a.read {
		var levels []string
		for n := 1; n < d.Levels(); n++ {
			levels = append(levels, a.svg(i, d.Fold(n)))
		}
		all = append(all, append(levels, a.svg(i, d)))
	}

	return all
}

func (a *atlas) svg(picture int, d *diagram.Diagram) string {
	width, height := d.Layout()

	return d.SVG(width, height, a.id(picture, ""), "")
}

// id is the id of a part of the picture of a number.
func (a *atlas) id(picture int, part string) string {
	return fmt.Sprintf("%s%d-%s", a.prefix, picture, part)
}

// want adds the picture of an agent, unless one has it already.
func (a *atlas) want(agent string) {
	if a.known[agent] || agent == "" {
		return
	}
	if a.known == nil {
		a.known, a.at = map[string]bool{}, map[*diagram.Node]*diagram.Node{}
	}
	a.known[agent] = true
	has := func(d *diagram.Diagram) bool {
		return slices.ContainsFunc(d.Nodes, func(n *diagram.Node) bool { return n.IsFrame && n.Name() == agent })
	}
	for _, info := range a.agents {
		if info.Name != agent || info.Graph == "" || slices.ContainsFunc(a.read, has) {
			continue
		}
		if d := diagram.Read(info.Graph); len(d.Nodes) > 1 || len(a.read) == 0 { // a box alone says nothing
			a.read = append(a.read, d)
		}
	}
}

// locate notes what a node of a run is in the pictures, within agents and states of these names, the innermost first.
func (a *atlas) locate(n *trace.Node, within []string, flat *node) {
	if len(a.agents) == 0 {
		return
	}
	switch n.Kind {
	case trace.Agent:
		name, step, isStep := strings.Cut(n.Name, "/")
		a.want(name)
		if isStep {
			a.reach(flat, step, isBox, name)
		} else if !a.reach(flat, name, isFrame, name) {
			a.reach(flat, name, isAny, within...)
		}
	case trace.State:
		a.want(n.Machine)
		a.reach(flat, n.Name, isAny, append([]string{n.Machine}, within...)...)
	case trace.Step:
		if !a.reach(flat, n.Name, isBox, within...) {
			a.reach(flat, n.Name, isInner, within...)
		}
	case trace.Model: // the first step of a pattern has the name of its agent
		a.reach(flat, n.Name, isBox, n.Name)
	case trace.Decision:
		a.decide(n, flat)
	case trace.Finish:
		a.finish(n, flat)
	}
}

func isBox(n *diagram.Node) bool   { return !n.IsFrame }
func isFrame(n *diagram.Node) bool { return n.IsFrame }
func isInner(n *diagram.Node) bool { return n.Frame != nil }
func isAny(*diagram.Node) bool     { return true }

// reach notes a node of a label in the frame of the first name that has one, and the edges by which the run got there. It reports whether
// there is one.
func (a *atlas) reach(flat *node, label string, fits func(*diagram.Node) bool, frames ...string) bool {
	for _, frame := range frames {
		for i, d := range a.read {
			if n := find(d, label, frame, fits); n != nil {
				flat.Shape = a.id(i, n.ID)
				a.enter(i, n, flat)
				return true
			}
		}
	}

	return false
}

// enter notes the edges by which a run got from where it was to a node, and to the frames around it.
func (a *atlas) enter(picture int, n *diagram.Node, flat *node) {
	d := a.read[picture]
	if f := n.Frame; f != nil && f.Frame != nil && a.at[f.Frame] != f {
		a.enter(picture, f, flat)
	}
	before := a.at[n.Frame]
	if n.Frame != nil && (before == nil || n.Frame.Kind == "group") { // what is side by side begins at the start
		before = first(d, n.Frame)
	}
	isWay := func(e *diagram.Edge) bool { return e.From == before && e.To == n }
	at := slices.IndexFunc(d.Edges, func(e *diagram.Edge) bool { return isWay(e) && e.Label == "" })
	if at < 0 && before != n {
		at = slices.IndexFunc(d.Edges, isWay)
	}
	if at >= 0 {
		flat.Lines = append(flat.Lines, a.id(picture, d.Edges[at].ID))
	}
	a.at[n.Frame] = n
	delete(a.at, n) // a frame begins again
}

// finish notes the edge to the end of the frame of an agent, if the run was where it begins.
func (a *atlas) finish(n *trace.Node, flat *node) {
	for i, d := range a.read {
		for _, e := range d.Edges {
			if e.To.Kind == "end" && e.To.Frame.Name() == n.Name && e.From == a.at[e.To.Frame] && (e.Label == "" || e.Key() == n.Key) {
				flat.Shape = a.id(i, e.To.ID)
				a.enter(i, e.To, flat)
				return
			}
		}
	}
}

// first is the start of a frame.
func first(d *diagram.Diagram, frame *diagram.Node) *diagram.Node {
	for _, n := range d.Nodes {
		if n.Frame == frame && n.Kind == "start" {
			return n
		}
	}

	return nil
}

// find is a node of a label within a frame of a name, or the frame itself if the label is its name.
func find(d *diagram.Diagram, label, frame string, fits func(*diagram.Node) bool) *diagram.Node {
	for _, n := range d.Nodes {
		if !fits(n) {
			continue
		}
		if n.IsFrame && n.Name() == frame && label == frame {
			return n
		}
		name := n.Label
		for _, more := range []string{" (", ": ", ", "} { // what a step uses is behind its name
			name, _, _ = strings.Cut(name, more)
		}
		for f := n.Frame; f != nil && name == label; f = f.Frame {
			if f.Name() == frame {
				return n
			}
		}
	}

	return nil
}

// decide notes the row that a decision took, those that guards refused, and the others.
func (a *atlas) decide(n *trace.Node, flat *node) {
	for i, d := range a.read {
		rows := d.Rows(n.Machine, n.From)
		if len(rows) == 0 {
			rows = d.Rows(n.Owner, n.From)
		}
		if len(rows) == 0 {
			continue
		}
		taken := diagram.Taken(rows, n.Key, n.To)
		for _, row := range rows {
			id := a.id(i, row.ID)
			switch {
			case row == taken:
				flat.Lines, flat.Shape = []string{id}, a.id(i, row.To.ID)
				a.at[row.To.Frame] = row.To
				delete(a.at, row.To)
			case refused(row, n):
				flat.Refused = append(flat.Refused, id)
				fallthrough
			default:
				flat.NotTaken = append(flat.NotTaken, strings.TrimSpace(row.Label+" → "+row.To.Label))
			}
		}
		return
	}
}

// refused reports whether a guard of the row has said no.
func refused(row *diagram.Edge, n *trace.Node) bool {
	return slices.ContainsFunc(n.Guards, func(g trace.Verdict) bool {
		return !g.OK && strings.Contains(row.Label, "["+g.Guard)
	})
}
