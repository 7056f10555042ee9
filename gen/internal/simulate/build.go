package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// builder creates the nodes of a program, each after the nodes that it runs.
type builder struct {
	// maxSteps bounds the agents that a machine runs, in addition to its own limit; 0 for only that
	// limit. maxRounds bounds the rounds of a loop that ends by a condition.
	maxSteps, maxRounds int
	// facts are the results of the static analysis of the program.
	facts *flow.Program
	nodes map[nodeKey]*node
	// maxNodes bounds the nodes. hasTooManyNodes is set if there are more. Some nodes are then
	// empty.
	maxNodes        int
	hasTooManyNodes bool
	// completed has each node after all nodes that it runs.
	completed []*node
	// machines are the results for each machine.
	machines map[*ir.Machine]*Machine
	// steps are the steps with cases, and cases are their cases. flowNodes are the nodes in which a
	// flow runs.
	steps     []*Step
	cases     map[caseKey]*Case
	flowNodes map[*ir.Flow][]*node
	// takesContext has the agents with which runs begin and that no other agent contains. They may
	// start with an initial context.
	takesContext map[*ir.Agent]bool
}

// nodeKey identifies a node by its subject, which is an agent, a step of a flow or a state that
// other code drives, and by the legal keys of its place.
type nodeKey struct {
	subject any
	place   string
}

func newBuilder(p *ir.Program, roots []*ir.Agent, steps int) *builder {
	b := &builder{
		maxSteps: steps, maxRounds: MostRounds, maxNodes: maxNodes(p),
		facts: flow.Analyze(p, flow.Guess{}), nodes: map[nodeKey]*node{}, machines: map[*ir.Machine]*Machine{}, takesContext: map[*ir.Agent]bool{},
		cases: map[caseKey]*Case{}, flowNodes: map[*ir.Flow][]*node{},
	}
	if steps > 0 {
		b.maxRounds = min(b.maxRounds, steps)
	}
	for _, a := range p.TopLevelAgents() {
		b.takesContext[a] = slices.Contains(roots, a)
	}

	return b
}

// maxNodes bounds the nodes of a program by its states and steps. Machines that pass on each
// other's keys can run at twice as many places on each level, which would take too long.
func maxNodes(p *ir.Program) int {
	most := 20_000
	for _, a := range p.Agents {
		most += 4 * (len(a.Contained()) + len(a.Conversations()))
	}

	return most
}

// stepLimit returns how many agents a machine may run; steps is the limit of all machines, 0 for
// none. A machine that other code drives runs no agents.
func stepLimit(m *ir.Machine, steps int) int {
	switch {
	case m.External && steps == 0:
		return infinite
	case steps > 0:
		return min(steps, m.MaxSteps)
	}

	return m.MaxSteps
}

// machineResult returns the result for a machine: the machine of an agent or of a gate, or the step
// of a workflow.
func (b *builder) machineResult(a *ir.Agent, step *ir.Task, m *ir.Machine) *Machine {
	if b.machines[m] == nil {
		b.machines[m] = newMachine(a, step, m)
	}

	return b.machines[m]
}

// ensureNode returns the node of a subject at a place. It creates a missing one, and fill adds its
// edges.
func (b *builder) ensureNode(of any, label string, place ir.Place, fill func(*node)) *node {
	key := nodeKey{of, string('0'+rune(place.Kind)) + strings.Join(place.Keys, "\x00")}
	if n := b.nodes[key]; n != nil {
		return n // an incomplete node belongs to agents that contain each other, which never finish
	}
	n := newNode(label, place)
	b.nodes[key] = n
	b.hasTooManyNodes = b.hasTooManyNodes || len(b.nodes) > b.maxNodes
	if !b.hasTooManyNodes {
		fill(n)
	}
	n.complete()
	b.completed = append(b.completed, n)

	return n
}

// agentNode returns the node of an agent at a place.
func (b *builder) agentNode(a *ir.Agent, place ir.Place) *node {
	if !b.dependsOnPlace(a) {
		place = ir.Place{Kind: ir.PlaceFree}
	}

	return b.ensureNode(a, a.Name.Value, place, func(n *node) {
		n.budget = callLimit(a.Budget)
		switch body := a.Node.(type) {
		case *ir.Machine:
			b.buildMachine(n, a, body)
		case *ir.Flow:
			b.registerSteps(n, a, body)
			if body.IsWorkflow() {
				b.exploreWorkflow(n, a)
			} else {
				b.buildFlow(n, a, body)
			}
		case *ir.React, *ir.Oneshot:
			b.buildConversation(n, a, a.Conversations()[0], &resultQuestion{})
		default:
			n.problem = fmt.Sprintf("agent %q could not be read", a.Name.Value)
		}
	})
}

// callLimit returns how many calls of models a budget permits.
func callLimit(budget *ir.Budget) int {
	if budget == nil || budget.Calls == 0 {
		return infinite
	}

	return budget.Calls
}

// driverNode returns the node of the code that chooses the keys of a driven state.
func (b *builder) driverNode(s *ir.State, place ir.Place) *node {
	return b.ensureNode(s, "", place, func(n *node) {
		for _, key := range possibleKeys(place) {
			n.addFinish(&edge{items: []item{{kind: kindReply, turn: Turn{Key: key}}}}, outcome{key: key})
		}
	})
}

// dependsOnPlace reports whether the outcomes of an agent depend on its place. An agent with its
// own keys, or without a choice, does the same everywhere.
func (b *builder) dependsOnPlace(a *ir.Agent) bool {
	out := b.facts.Outcomes(a)

	return out.Adapts() || out.Exhausts
}
