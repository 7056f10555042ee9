package walk

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// builder makes the nodes of a program, each after those that it runs.
type builder struct {
	limits
	// other is a key that nothing in the program is called. Extra are further keys that agents with a free choice try.
	other string
	extra []string
	nodes map[nodeKey]*node
	// most bounds the nodes; gaveUp says that there would have been more, so that some can do nothing.
	most   int
	gaveUp bool
	// order has each node behind all that it runs.
	order []*node
	// depends says of agents whether their place makes a difference.
	depends map[*ir.Agent]bool
	// machines are what is found out about each machine.
	machines map[*ir.Agent]*Machine
	// steps are what is found out about each machine of a workflow; owners says whose each is.
	steps  map[*ir.Machine]*workMachine
	owners map[*ir.Machine]owner
	// alone are the agents with which walks begin and that no other one contains: they may be given an initial context.
	alone map[*ir.Agent]bool
}

// limits bound walks.
type limits struct {
	// steps bounds the agents that a machine runs, beside its own limit; 0: only that counts.
	steps int
	// rounds bounds how often a loop goes round that ends when something says so.
	rounds int
	// unbounded leaves out the limits of machines.
	unbounded bool
	// guesses takes what guards say that nobody knows before a run to be one or the other.
	guesses bool
	// undisturbed says that no signals come.
	undisturbed bool
}

func (l limits) of(m *ir.Machine) int {
	switch {
	case l.unbounded || m.External && l.steps == 0: // no agents run in a machine that others drive
		return infinite
	case l.steps > 0:
		return min(l.steps, m.MaxSteps)
	}

	return m.MaxSteps
}

// mostNodes bounds the nodes of a program with so many states and steps. Machines that pass on each other's keys can
// stand in twice as many places on each level, which is more than there is time for.
func mostNodes(p *ir.Program) int {
	most := 20_000
	for _, a := range p.Agents {
		most += 4 * (len(a.Contained()) + len(a.Conversations()))
	}

	return most
}

func newBuilder(p *ir.Program, l limits, extra []string) *builder {
	return &builder{
		limits: l, other: unused(p), extra: extra, most: mostNodes(p),
		nodes: map[nodeKey]*node{}, depends: map[*ir.Agent]bool{}, machines: map[*ir.Agent]*Machine{},
		steps: map[*ir.Machine]*workMachine{}, owners: ownersIn(p),
		alone: map[*ir.Agent]bool{},
	}
}

// agent returns the node of an agent at a place.
func (b *builder) agent(a *ir.Agent, place ir.Place) *node {
	if !b.adapts(a) {
		place = ir.Place{Kind: ir.PlaceFree}
	}
	key := nodeKey{agent: a, place: placeText(place)}
	if n := b.nodes[key]; n != nil {
		return n // if it is not complete yet, agents contain each other, and what does can never finish
	}
	n := &node{label: a.Name.Value, place: place}
	b.nodes[key] = n
	if len(b.nodes) > b.most {
		b.gaveUp = true
		b.complete(n)
		return n
	}
	switch node := a.Node.(type) {
	case *ir.Machine:
		b.machine(n, a, node)
	case *ir.Flow:
		b.flow(n, a, node)
	case *ir.React:
		b.converse(n, a.Conversations()[0], &result{})
		if node.Gate != nil {
			b.gateRows(n, a, node)
		}
	case *ir.Oneshot:
		b.converse(n, a.Conversations()[0], &result{})
	case *ir.Workflow:
		b.workflow(n, a)
	default:
		n.problem = fmt.Sprintf("agent %q could not be read", a.Name.Value)
	}
	b.complete(n)

	return n
}

// step returns the node of a flow's own conversation, about whose result the flow asks something, or nothing if asked
// is nil.
func (b *builder) step(a *ir.Agent, s *ir.Step, asked *result, place ir.Place) *node {
	if asked == nil {
		asked = &result{}
	}
	key := nodeKey{step: s, place: placeText(place)}
	if n := b.nodes[key]; n != nil {
		return n
	}
	n := &node{label: s.Label(a.Name.Value), place: place}
	b.nodes[key] = n
	b.converse(n, s, asked)
	b.complete(n)

	return n
}

func (b *builder) complete(n *node) {
	if n.body != nil {
		n.body.finish(n)
	}
	b.order = append(b.order, n)
}

// surround finds the walks around all nodes. Walks begin with the roots.
func (b *builder) surround(roots []*node, progress func(done, total int)) {
	for _, n := range roots {
		n.entered = true
		for i := range n.outcomes {
			n.outcomes[i].rest = 0
		}
	}
	for i := len(b.order) - 1; i >= 0; i-- {
		if n := b.order[i]; n.body != nil && n.entered {
			n.body.surround(n)
		}
		progress(len(b.order)-i, len(b.order))
	}
}

// adapts reports whether the place of an agent makes a difference to what it can finish with. An agent that chooses
// among keys of its own, or has no choice, does the same everywhere.
func (b *builder) adapts(a *ir.Agent) bool {
	adapts, known := b.depends[a]
	if known {
		return adapts
	}
	b.depends[a] = false // for agents that contain each other
	switch node := a.Node.(type) {
	case *ir.React:
		adapts = len(node.Keys) == 0
	case *ir.Machine:
		for _, s := range node.States {
			if kind := s.Place().Kind; s.Agent != nil && (kind == ir.PlaceOuter || kind == ir.PlaceOr) && b.adapts(s.Agent) {
				adapts = true
			}
		}
	case *ir.Flow:
		ir.Walk(node.Body, func(op ir.Op) {
			switch op := op.(type) {
			case *ir.Run:
				adapts = adapts || (op.At.Kind == ir.PlaceOuter || op.At.Kind == ir.PlaceOr) && b.runAdapts(op)
			case *ir.Return:
				adapts = adapts || op.Key == ir.KeyExhausted || op.Key == ir.KeyUnfinished
			}
		})
	}
	b.depends[a] = adapts

	return adapts
}

func (b *builder) runAdapts(r *ir.Run) bool {
	if r.Step == nil {
		return b.adapts(r.Agent.Agent)
	}
	react, isReact := r.Step.Node.(*ir.React)

	return isReact && len(react.Keys) == 0
}

// unused returns a key that nothing in the program is called, and that is equal to nothing when folded.
func unused(p *ir.Program) string {
	used := map[string]bool{ir.DoneKey: true, ir.ResultKey: true, ir.ExhaustedKey: true}
	note := func(texts ...string) {
		for _, text := range texts {
			used[ir.FoldKey(text)] = true
		}
	}
	for _, a := range p.Agents {
		for _, step := range a.Conversations() {
			if react, ok := step.Node.(*ir.React); ok {
				for _, key := range react.Keys {
					note(key.Value)
				}
				if react.List != nil {
					note(react.List.Key)
				}
			}
		}
		switch node := a.Node.(type) {
		case *ir.Machine:
			for _, s := range node.States {
				note(s.Keys()...)
			}
		case *ir.Flow:
			ir.Walk(node.Body, func(op ir.Op) {
				switch op := op.(type) {
				case *ir.Run:
					note(op.At.Keys...)
				case *ir.If:
					if cond, ok := op.Cond.(ir.KeyIs); ok {
						note(cond.Key)
					}
				}
			})
		}
	}
	key := "other"
	for i := 2; used[key]; i++ {
		key = fmt.Sprintf("other-%d", i)
	}

	return key
}
