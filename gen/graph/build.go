package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/ir"
)

// kind decides how a node looks.
type kind string

const (
	kindStart    kind = "start"    // where the machine begins
	kindAgent    kind = "agent"    // a state that runs an agent
	kindTerminal kind = "terminal" // a terminal that runs an agent
	kindMarker   kind = "marker"   // a terminal that runs nothing
	kindState    kind = "state"    // a state of a machine that others drive
	kindAgain    kind = "again"    // a machine that is drawn elsewhere
	kindEnd      kind = "end"      // the end by ~
)

var kinds = []kind{kindStart, kindAgent, kindTerminal, kindMarker, kindState, kindAgain, kindEnd}

// frame is a machine: nodes, frames of inner machines and edges.
type frame struct {
	id, label string
	terminal  bool // the machine runs in a terminal of the outer one
	nodes     []node
	frames    []*frame
	edges     []edge
}

type node struct {
	id, label string
	kind      kind
}

type edge struct {
	from, to string
	label    string
	dotted   bool
}

// builder numbers nodes and frames in the order in which they are drawn.
type builder struct {
	count int
	// shallow draws inner machines as boxes.
	shallow bool
	drawn   map[*ir.Agent]*frame
}

func (b *builder) id() string {
	b.count++
	return fmt.Sprintf("n%d", b.count)
}

// build makes the picture of agents: a frame that has no border itself.
func build(agents []*ir.Agent, shallow bool) *frame {
	b := &builder{shallow: shallow, drawn: map[*ir.Agent]*frame{}}
	top := &frame{}
	for _, a := range agents {
		m, ok := a.Node.(*ir.Machine)
		switch {
		case !ok:
			top.nodes = append(top.nodes, node{b.id(), a.Name.Value, kindAgent})
		case b.drawn[a] == nil:
			top.frames = append(top.frames, b.machine(a, m))
		}
	}

	return top
}

func (b *builder) machine(a *ir.Agent, m *ir.Machine) *frame {
	f := &frame{id: b.id(), label: a.Name.Value}
	b.drawn[a] = f
	start := b.add(f, "", kindStart)
	ids := map[*ir.State]string{}
	for _, s := range m.States {
		ids[s] = b.state(f, m, s)
	}
	if m.Initial.State != nil {
		f.edges = append(f.edges, edge{from: start, to: ids[m.Initial.State]})
	}

	end := ""
	for _, s := range m.States {
		if s.Always != nil && s.Always.State != nil {
			f.edges = append(f.edges, edge{from: ids[s], to: ids[s.Always.State]})
		}
		for _, r := range s.Rows {
			to := ids[r.To.State]
			if r.End && end == "" {
				end = b.add(f, "", kindEnd)
			}
			if r.End {
				to = end
			}
			f.edges = append(f.edges, edge{from: ids[s], to: to, label: r.Key.Value, dotted: r.IsCatchAll()})
		}
	}

	return f
}

// state draws a state into f and returns the id of its node or frame.
func (b *builder) state(f *frame, m *ir.Machine, s *ir.State) string {
	switch {
	case s.Marker():
		return b.add(f, s.Name.Value, kindMarker)
	case m.External:
		return b.add(f, s.Name.Value, kindState)
	}
	if s.Agent != nil {
		if inner, ok := s.Agent.Node.(*ir.Machine); ok {
			return b.inner(f, s, inner)
		}
	}
	if s.Terminal() {
		return b.add(f, s.Name.Value, kindTerminal)
	}

	return b.add(f, s.Name.Value, kindAgent)
}

// inner draws a state that runs a machine.
func (b *builder) inner(f *frame, s *ir.State, m *ir.Machine) string {
	if b.shallow {
		return b.add(f, s.Name.Value, kindAgain)
	}
	if drawn := b.drawn[s.Agent]; drawn != nil {
		id := b.add(f, s.Name.Value, kindAgain)
		f.edges = append(f.edges, edge{from: id, to: drawn.id, dotted: true})
		return id
	}
	inner := b.machine(s.Agent, m)
	inner.terminal = s.Terminal()
	f.frames = append(f.frames, inner)

	return inner.id
}

func (b *builder) add(f *frame, label string, k kind) string {
	id := b.id()
	f.nodes = append(f.nodes, node{id, label, k})

	return id
}

// Roots returns the agents that a picture of p shows: the entry point, else every agent that no other one contains.
func Roots(p *ir.Program) []*ir.Agent {
	if p.Entry != nil {
		return []*ir.Agent{p.Entry}
	}
	contained := map[*ir.Agent]bool{}
	for _, a := range p.Agents {
		if m, ok := a.Node.(*ir.Machine); ok {
			for _, s := range m.States {
				contained[s.Agent] = true
			}
		}
	}
	var roots []*ir.Agent
	for _, a := range p.Agents {
		if !contained[a] {
			roots = append(roots, a)
		}
	}

	return roots
}
