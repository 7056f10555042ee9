package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/diagram"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
)

// diagramSet has the diagrams of the agents of a run, and finds the nodes of its trace in them.
type diagramSet struct {
	// prefix begins the ids of all diagrams.
	prefix   string
	agents   []compiled.Agent
	diagrams []*diagram.Diagram
	// searched are the agents whose diagrams were searched for.
	searched map[string]bool
	// reached is the node that the run reached last, by diagram and frame.
	reached map[*diagram.Node]*diagram.Node
}

// addDiagram parses a diagram and adds it.
func (s *diagramSet) addDiagram(text string) { s.diagrams = append(s.diagrams, diagram.Read(text)) }

// drawLevels draws each diagram: with the outermost frames only, with one more level at a time, and whole.
func (s *diagramSet) drawLevels() [][]string {
	var all [][]string
	for i, d := range s.diagrams {
		var levels []string
		for n := 1; n < d.Levels(); n++ {
			levels = append(levels, s.drawSVG(i, d.Fold(n)))
		}
		all = append(all, append(levels, s.drawSVG(i, d)))
	}

	return all
}

func (s *diagramSet) drawSVG(picture int, d *diagram.Diagram) string {
	width, height := d.Layout()

	return d.SVG(width, height, s.partID(picture, ""), "")
}

// partID returns the id of a part of a diagram.
func (s *diagramSet) partID(picture int, part string) string {
	return fmt.Sprintf("%s%d-%s", s.prefix, picture, part)
}

// addAgent adds the diagram of an agent, unless a diagram contains the agent already.
func (s *diagramSet) addAgent(agent string) {
	if s.searched[agent] || agent == "" {
		return
	}
	if s.searched == nil {
		s.searched, s.reached = map[string]bool{}, map[*diagram.Node]*diagram.Node{}
	}
	s.searched[agent] = true
	has := func(d *diagram.Diagram) bool {
		return slices.ContainsFunc(d.Nodes, func(n *diagram.Node) bool { return n.IsFrame && n.Name() == agent })
	}
	for _, info := range s.agents {
		if info.Name != agent || info.Graph == "" || slices.ContainsFunc(s.diagrams, has) {
			continue
		}
		if d := diagram.Read(info.Graph); len(d.Nodes) > 1 || len(s.diagrams) == 0 { // a box alone says nothing
			s.diagrams = append(s.diagrams, d)
		}
	}
}

// recordNode records the node of the diagrams for a node of the trace. within are the names of the agents and states around it, the
// innermost first.
func (s *diagramSet) recordNode(n *trace.Node, within []string, flat *node) {
	if len(s.agents) == 0 {
		return
	}
	switch n.Kind {
	case trace.Agent:
		name, step, isStep := strings.Cut(n.Name, "/")
		s.addAgent(name)
		if isStep {
			s.recordReached(flat, step, isBox, name)
		} else if !s.recordReached(flat, name, isFrame, name) {
			s.recordReached(flat, name, isAny, within...)
		}
	case trace.State:
		s.addAgent(n.Machine)
		s.recordReached(flat, n.Name, isAny, append([]string{n.Machine}, within...)...)
	case trace.Step:
		if !s.recordReached(flat, n.Name, isBox, within...) {
			s.recordReached(flat, n.Name, isInner, within...)
		}
	case trace.Model: // the first step of a pattern has the name of its agent
		s.recordReached(flat, n.Name, isBox, n.Name)
	case trace.Decision:
		s.recordDecision(n, flat)
	case trace.Finish:
		s.recordFinish(n, flat)
	}
}

func isBox(n *diagram.Node) bool   { return !n.IsFrame }
func isFrame(n *diagram.Node) bool { return n.IsFrame }
func isInner(n *diagram.Node) bool { return n.Frame != nil }
func isAny(*diagram.Node) bool     { return true }

// recordReached records the node with a label in the first of the frames that has one, and the edges by which the run reached it. It
// returns false if no frame has one.
func (s *diagramSet) recordReached(flat *node, label string, fits func(*diagram.Node) bool, frames ...string) bool {
	for _, frame := range frames {
		for i, d := range s.diagrams {
			if n := findNode(d, label, frame, fits); n != nil {
				flat.Shape = s.partID(i, n.ID)
				s.recordEntry(i, n, flat)
				return true
			}
		}
	}

	return false
}

// recordEntry records the edges by which the run reached a node, and the frames around it.
func (s *diagramSet) recordEntry(picture int, n *diagram.Node, flat *node) {
	d := s.diagrams[picture]
	if f := n.Frame; f != nil && f.Frame != nil && s.reached[f.Frame] != f {
		s.recordEntry(picture, f, flat)
	}
	previous := s.reached[n.Frame]
	if n.Frame != nil && (previous == nil || n.Frame.Kind == "group") { // nodes of a group begin at its start
		previous = startOf(d, n.Frame)
	}
	leadsHere := func(e *diagram.Edge) bool { return e.From == previous && e.To == n }
	at := slices.IndexFunc(d.Edges, func(e *diagram.Edge) bool { return leadsHere(e) && e.Label == "" })
	if at < 0 && previous != n {
		at = slices.IndexFunc(d.Edges, leadsHere)
	}
	if at >= 0 {
		flat.Lines = append(flat.Lines, s.partID(picture, d.Edges[at].ID))
	}
	s.reached[n.Frame] = n
	delete(s.reached, n) // a frame begins again
}

// recordFinish records the edge to the end of the frame of an agent, if the run has reached its beginning.
func (s *diagramSet) recordFinish(n *trace.Node, flat *node) {
	for i, d := range s.diagrams {
		for _, e := range d.Edges {
			isEnd := e.To.Kind == "end" && e.To.Frame.Name() == n.Name
			hasKey := e.Label == "" || e.Key() == n.Key
			if isEnd && hasKey && e.From == s.reached[e.To.Frame] {
				flat.Shape = s.partID(i, e.To.ID)
				s.recordEntry(i, e.To, flat)
				return
			}
		}
	}
}

// startOf returns the start of a frame, or nil.
func startOf(d *diagram.Diagram, frame *diagram.Node) *diagram.Node {
	for _, n := range d.Nodes {
		if n.Frame == frame && n.Kind == "start" {
			return n
		}
	}

	return nil
}

// findNode returns the node with a label in a frame, or the frame itself if the label is its name; nil if there is none.
func findNode(d *diagram.Diagram, label, frame string, fits func(*diagram.Node) bool) *diagram.Node {
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

// recordDecision records the row that a decision took, the rows that guards refused, and the others.
func (s *diagramSet) recordDecision(n *trace.Node, flat *node) {
	for i, d := range s.diagrams {
		rows := d.Rows(n.Machine, n.From)
		if len(rows) == 0 {
			rows = d.Rows(n.Owner, n.From)
		}
		if len(rows) == 0 {
			continue
		}
		taken := diagram.Taken(rows, n.Key, n.To)
		for _, row := range rows {
			id := s.partID(i, row.ID)
			switch {
			case row == taken:
				flat.Lines, flat.Shape = []string{id}, s.partID(i, row.To.ID)
				s.reached[row.To.Frame] = row.To
				delete(s.reached, row.To)
			case isRefused(row, n):
				flat.Refused = append(flat.Refused, id)
				fallthrough
			default:
				flat.NotTaken = append(flat.NotTaken, strings.TrimSpace(row.Label+" → "+row.To.Label))
			}
		}
		return
	}
}

// isRefused reports whether a guard has refused the row.
func isRefused(row *diagram.Edge, n *trace.Node) bool {
	return slices.ContainsFunc(n.Guards, func(g trace.Verdict) bool {
		return !g.OK && strings.Contains(row.Label, "["+g.Guard)
	})
}
