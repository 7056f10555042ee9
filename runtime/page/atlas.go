package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/diagram"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
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

// svgs draws the pictures.
func (a *atlas) svgs() []string {
	var drawn []string
	for i, d := range a.read {
		width, height := d.Layout()
		drawn = append(drawn, d.SVG(width, height, a.id(i, ""), ""))
	}

	return drawn
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
		if info.Name == agent && info.Graph != "" && !slices.ContainsFunc(a.read, has) {
			a.add(info.Graph)
		}
	}
}

// locate notes what a node of a run is in the pictures.
func (a *atlas) locate(n *trace.Node, agent string, flat *node) {
	if len(a.agents) == 0 {
		return
	}
	a.want(agent)
	switch n.Kind {
	case trace.Agent:
		if frame, step, isStep := strings.Cut(n.Name, "/"); isStep {
			a.reach(flat, step, frame)
		} else {
			a.reach(flat, n.Name, n.Name)
		}
	case trace.State:
		a.want(n.Machine)
		a.reach(flat, n.Name, n.Machine, agent)
	case trace.Step:
		a.reach(flat, n.Name, agent)
	case trace.Decision:
		a.decide(n, flat)
	}
}

// reach notes the node of a label in the frame of the first name that has one, and the edge that leads there from where the run was.
func (a *atlas) reach(flat *node, label string, frames ...string) {
	for _, frame := range frames {
		for i, d := range a.read {
			n := find(d, label, frame)
			if n == nil {
				continue
			}
			flat.Shape = a.id(i, n.ID)
			before := a.at[n.Frame]
			if before == nil && n.Frame != nil {
				before = first(d, n.Frame)
			}
			if e := slices.IndexFunc(d.Edges, func(e *diagram.Edge) bool { return e.From == before && e.To == n && e.Label == "" }); e >= 0 {
				flat.Line = a.id(i, fmt.Sprintf("e%d", e))
			}
			a.at[n.Frame] = n
			return
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

// find is the node of a label within a frame of a name, or the frame itself if the label is its name.
func find(d *diagram.Diagram, label, frame string) *diagram.Node {
	for _, n := range d.Nodes {
		if n.IsFrame && n.Name() == frame && label == frame {
			return n
		}
		name := n.Label
		for _, more := range []string{" (", ": ", ", "} { // what a step uses is behind its name
			name, _, _ = strings.Cut(name, more)
		}
		if name != label {
			continue
		}
		for f := n.Frame; f != nil; f = f.Frame {
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
			id := a.id(i, fmt.Sprintf("e%d", slices.Index(d.Edges, row)))
			switch {
			case row == taken:
				flat.Line, flat.Shape = id, a.id(i, row.To.ID)
				a.at[row.To.Frame] = row.To
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
