package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// builder makes the nodes of a program, each after those that it runs.
type builder struct {
	// maxSteps bounds the agents that a machine runs, beside its own limit; 0: only that counts.
	// rounds bounds how often a loop goes round that ends when something says so.
	maxSteps, rounds int
	// facts are what is known of the program without its runs.
	facts *flow.Program
	nodes map[nodeKey]*node
	// most bounds the nodes; gaveUp says that there would have been more, so that some can do
	// nothing.
	most   int
	gaveUp bool
	// order has each node behind all that it runs.
	order []*node
	// machines are what is found of each machine.
	machines map[*ir.Machine]*Machine
	// steps are those that have cases, and cases are theirs. flowNodes are the nodes in which a
	// flow runs.
	steps     []*Step
	cases     map[caseKey]*Case
	flowNodes map[*ir.Flow][]*node
	// alone are the agents with which runs begin and that no other one contains: they may be given
	// an initial context.
	alone map[*ir.Agent]bool
}

// nodeKey distinguishes nodes: by their agent, the step of a flow or the state that is driven, and
// by what is legal at their place.
type nodeKey struct {
	of    any
	place string
}

func newBuilder(p *ir.Program, roots []*ir.Agent, steps int) *builder {
	b := &builder{
		maxSteps: steps, rounds: MostRounds, most: mostNodes(p),
		facts: flow.Of(p, flow.Guess{}), nodes: map[nodeKey]*node{}, machines: map[*ir.Machine]*Machine{}, alone: map[*ir.Agent]bool{},
		cases: map[caseKey]*Case{}, flowNodes: map[*ir.Flow][]*node{},
	}
	if steps > 0 {
		b.rounds = min(b.rounds, steps)
	}
	for _, a := range p.TopLevelAgents() {
		b.alone[a] = slices.Contains(roots, a)
	}

	return b
}

// mostNodes bounds the nodes of a program with so many states and steps. Machines that pass on each
// other's keys can run at twice as many places on each level, which is more than there is time for.
func mostNodes(p *ir.Program) int {
	most := 20_000
	for _, a := range p.Agents {
		most += 4 * (len(a.Contained()) + len(a.Conversations()))
	}

	return most
}

// limit is the bound of a machine, which runs so many agents at most; 0: only its own limit counts.
// In a machine that others drive no agents run.
func limit(m *ir.Machine, steps int) int {
	switch {
	case m.External && steps == 0:
		return infinite
	case steps > 0:
		return min(steps, m.MaxSteps)
	}

	return m.MaxSteps
}

// found returns what is found of a machine: that of an agent or of a gate, or the step of a
// workflow.
func (b *builder) found(a *ir.Agent, step *ir.Task, m *ir.Machine) *Machine {
	if b.machines[m] == nil {
		b.machines[m] = newMachine(a, step, m)
	}

	return b.machines[m]
}

// node returns the node of something at a place; fill adds what it can do.
func (b *builder) node(of any, label string, place ir.Place, fill func(*node)) *node {
	key := nodeKey{of, string('0'+rune(place.Kind)) + strings.Join(place.Keys, "\x00")}
	if n := b.nodes[key]; n != nil {
		return n // if it is not complete yet, agents contain each other, and what does can never finish
	}
	n := newNode(label, place)
	b.nodes[key] = n
	b.gaveUp = b.gaveUp || len(b.nodes) > b.most
	if !b.gaveUp {
		fill(n)
	}
	n.complete()
	b.order = append(b.order, n)

	return n
}

// agent returns the node of an agent at a place.
func (b *builder) agent(a *ir.Agent, place ir.Place) *node {
	if !b.adapts(a) {
		place = ir.Place{Kind: ir.PlaceFree}
	}

	return b.node(a, a.Name.Value, place, func(n *node) {
		n.budget = callsOf(a.Budget)
		switch body := a.Node.(type) {
		case *ir.Machine:
			b.machine(n, a, body)
		case *ir.Flow:
			b.cover(n, a, body)
			if body.IsWorkflow() {
				b.newSearch(n, a).explore(a, mostPoints)
			} else {
				b.flow(n, a, body)
			}
		case *ir.React, *ir.Oneshot:
			b.converse(n, a, a.Conversations()[0], &asked{})
		default:
			n.problem = fmt.Sprintf("agent %q could not be read", a.Name.Value)
		}
	})
}

// callsOf are the calls of models that a budget allows.
func callsOf(budget *ir.Budget) int {
	if budget == nil || budget.Calls == 0 {
		return infinite
	}

	return budget.Calls
}

// driver returns the node of what chooses the keys of a state that others drive.
func (b *builder) driver(s *ir.State, place ir.Place) *node {
	return b.node(s, "", place, func(n *node) {
		for _, key := range keysAt(place) {
			n.finishes(&edge{items: []item{{kind: kindReply, turn: Turn{Key: key}}}}, outcome{key: key})
		}
	})
}

// adapts reports whether the place of an agent makes a difference to what it can finish with. An
// agent that chooses among keys of its own, or has no choice, does the same everywhere.
func (b *builder) adapts(a *ir.Agent) bool {
	out := b.facts.Outcomes(a)

	return out.Adapts() || out.Exhausts
}
