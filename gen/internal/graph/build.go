package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// kind decides how a node looks.
type kind string

const (
	kindStart    kind = "start"    // where a frame begins
	kindAgent    kind = "agent"    // a state, or an operation of a flow, that runs an agent
	kindStep     kind = "step"     // a flow's own conversation
	kindPerson   kind = "person"   // a flow waits for a person
	kindTerminal kind = "terminal" // a terminal that runs an agent
	kindMarker   kind = "marker"   // a terminal that runs nothing
	kindState    kind = "state"    // a state of a machine that others drive, or of a gate
	kindAgain    kind = "again"    // an agent with a frame that is drawn elsewhere
	kindGroup    kind = "group"    // a frame whose nodes run side by side
	kindEnd      kind = "end"      // the end of a flow, or of a machine by ~
	kindCode     kind = "code"     // a step of a workflow that asks nobody
	kindChoice   kind = "choice"   // a step of a workflow that chooses a branch
	kindAny      kind = "any"      // every state of a machine in a workflow
)

var kinds = []kind{
	kindStart, kindAgent, kindStep, kindPerson, kindTerminal, kindMarker, kindState, kindAgain, kindGroup, kindEnd,
	kindCode, kindChoice, kindAny,
}

// frame is a machine, a flow, a workflow or a part of one: nodes, inner frames and edges.
type frame struct {
	id, label string
	kind      kind // kindTerminal, kindGroup, kindState, or empty: how the border looks
	// begin is the node or the inner frame with which it begins; empty: the first node.
	begin  string
	nodes  []node
	frames []*frame
	edges  []edge
}

type node struct {
	id, label string
	kind      kind
}

type edge struct {
	from, to string
	label    string
	dotted   bool
	isFaulty bool
}

// builder numbers nodes and frames in the order in which they are drawn.
type builder struct {
	count int
	// shallow draws inner agents that have frames as boxes.
	shallow bool
	drawn   map[*ir.Agent]*frame
	errors  errorPlaces
	// marked are the nodes and frames with errors.
	marked []string
}

func (b *builder) id() string {
	b.count++
	return fmt.Sprintf("n%d", b.count)
}

// build makes the picture of agents: a frame that has no border itself.
func (b *builder) build(agents []*ir.Agent) *frame {
	b.drawn = map[*ir.Agent]*frame{}
	top := &frame{}
	for _, a := range agents {
		switch {
		case !framed(a):
			b.box(top, a.Name.Value, a, kindAgent)
		case b.drawn[a] == nil:
			top.frames = append(top.frames, b.agent(a))
		}
	}

	return top
}

// framed reports whether an agent is drawn as a frame. An agent that is nil is not.
func framed(a *ir.Agent) bool {
	if a == nil {
		return false
	}
	switch n := a.Node.(type) {
	case *ir.Machine, *ir.Flow, *ir.Workflow:
		return true
	case *ir.React:
		return n.Gate != nil
	}

	return false
}

// agent draws an agent that has a frame.
func (b *builder) agent(a *ir.Agent) *frame {
	f := &frame{id: b.id(), label: a.Name.Value}
	b.drawn[a] = f
	b.mark(f.id, b.errors.of(a))
	start := b.add(f, "", kindStart)
	switch n := a.Node.(type) {
	case *ir.Machine:
		b.machine(f, start, n)
	case *ir.React:
		b.gate(f, start, n.Gate)
	case *ir.Flow:
		b.flow(f, start, a.Name.Value, n)
	case *ir.Workflow:
		b.workflow(f, start, n)
	}

	return f
}

// inner draws into f what runs an agent that has a frame, and returns the id of its node or frame. Of the kinds, only that
// of a terminal can be seen at a frame.
func (b *builder) inner(f *frame, label string, a *ir.Agent, k kind) string {
	if b.shallow {
		return b.box(f, label, a, kindAgain)
	}
	if drawn := b.drawn[a]; drawn != nil {
		id := b.box(f, label, a, kindAgain)
		f.edges = append(f.edges, edge{from: id, to: drawn.id, dotted: true})
		return id
	}
	inner := b.agent(a)
	if k == kindTerminal {
		inner.kind = k
	}
	f.frames = append(f.frames, inner)

	return inner.id
}

func (b *builder) add(f *frame, label string, k kind) string {
	id := b.id()
	f.nodes = append(f.nodes, node{id, label, k})

	return id
}

// box draws what runs an agent as a node.
func (b *builder) box(f *frame, label string, a *ir.Agent, k kind) string {
	id := b.add(f, label, k)
	b.mark(id, b.errors.of(a))

	return id
}
