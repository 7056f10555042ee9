package graph

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// frame is a machine, a flow, a workflow or a part of one: nodes, inner frames and edges. A node is
// a frame without contents.
type frame struct {
	id, label string
	// kind is the look of a node, or the border of a frame: kindTerminal, kindGroup, kindState, or
	// empty.
	kind kind
	mark mark
	// begin is the first node or inner frame; if empty, it is the first node.
	begin         string
	nodes, frames []*frame
	edges         []edge
}

// allEdges returns the edges of inner frames, then the frame's own.
func (f *frame) allEdges() []edge { return append(ir.FlatMap(f.frames, (*frame).allEdges), f.edges...) }

type edge struct {
	from, to string
	label    string
	dotted   bool
	mark     mark
}

// builder numbers nodes and frames in the order of drawing.
type builder struct {
	count int
	// shallow draws inner agents with frames as boxes.
	shallow bool
	agents  []*ir.Agent
	// facts is the analysis of the agents; nil until it is needed.
	facts  *flow.Program
	drawn  map[*ir.Agent]*frame
	errors errorPlaces
	// parts are the nodes and the bordered frames, by id.
	parts map[string]*frame
}

// newFrame creates a frame with a border, or a node.
func (b *builder) newFrame(label string, k kind) *frame {
	b.count++
	f := &frame{id: fmt.Sprintf("n%d", b.count), label: label, kind: k}
	b.parts[f.id] = f

	return f
}

// buildPicture returns the picture of agents: a frame without a border.
func (b *builder) buildPicture(agents []*ir.Agent) *frame {
	b.agents, b.drawn, b.parts = agents, map[*ir.Agent]*frame{}, map[string]*frame{}
	top := &frame{}
	for _, a := range agents {
		switch {
		case !hasFrame(a):
			b.addBox(top, a.Name.Value, a, kindAgent)
		case b.drawn[a] == nil:
			top.frames = append(top.frames, b.drawAgent(a))
		}
	}

	return top
}

// hasFrame reports whether an agent is drawn as a frame. It is false for nil.
func hasFrame(a *ir.Agent) bool {
	if a == nil {
		return false
	}
	switch n := a.Node.(type) {
	case *ir.Machine, *ir.Flow:
		return true
	case *ir.React:
		return n.Gate != nil
	}

	return false
}

// drawAgent draws an agent that has a frame.
func (b *builder) drawAgent(a *ir.Agent) *frame {
	f := b.newFrame(a.Name.Value, "")
	b.drawn[a] = f
	b.markError(f.id, b.errors.hasAgent(a))
	start := b.addNode(f, "", kindStart)
	switch n := a.Node.(type) {
	case *ir.Machine:
		b.drawMachine(f, start, n)
	case *ir.React:
		if len(n.Gate.Ungated) > 0 {
			f.label += ", in every state: " + strings.Join(ir.Values(n.Gate.Ungated), ", ")
		}
		b.drawMachine(f, start, n.Gate.Machine)
	case *ir.Flow:
		if n.IsWorkflow() {
			d := &drawing{frame: f, ends: []edge{{from: start}}, builder: b}
			d.drawPipeline(n.Body)
			d.drawEnd()
		} else {
			d := &drawing{frame: f, ends: []edge{{from: start}}, builder: b, agent: a.Name.Value}
			d.drawTasks(n.Body)
		}
	}

	return f
}

// drawRun draws a run of an agent into f and returns the id of the node or frame. A frame shows
// only whether the kind is terminal.
func (b *builder) drawRun(f *frame, label string, a *ir.Agent, k kind) string {
	if !hasFrame(a) {
		return b.addBox(f, label, a, k)
	}
	if b.shallow {
		return b.addBox(f, label, a, kindReference)
	}
	if drawn := b.drawn[a]; drawn != nil {
		id := b.addBox(f, label, a, kindReference)
		f.edges = append(f.edges, edge{from: id, to: drawn.id, dotted: true})
		return id
	}
	inner := b.drawAgent(a)
	if k == kindTerminal {
		inner.kind = k
	}
	f.frames = append(f.frames, inner)

	return inner.id
}

func (b *builder) addNode(f *frame, label string, k kind) string {
	node := b.newFrame(label, k)
	f.nodes = append(f.nodes, node)

	return node.id
}

// addBox draws a run of an agent as a node.
func (b *builder) addBox(f *frame, label string, a *ir.Agent, k kind) string {
	id := b.addNode(f, label, k)
	b.markError(id, b.errors.hasAgent(a))

	return id
}
