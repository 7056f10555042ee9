package cost

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// analysis finds the bounds of one entry point.
type analysis struct {
	program  *ir.Program
	facts    *flow.Program
	options  Options
	attempts Amount
	// only is the model whose spending counts; "" for all.
	only string

	chains map[modelKey][]*model
	agents map[visit]result
	// visits counts the inputs with which the bound of an agent was asked for.
	visits map[*ir.Agent]int
	// own are the bounds of agents and states without their own budgets, those of all places together, and order is where they
	// were first met.
	own   map[*ir.Agent]bound
	state map[*ir.State]bound
	order []place

	known   map[Reason]bool
	reasons []Reason
}

// place is a state of a machine of an agent.
type place struct {
	agent *ir.Agent
	state *ir.State
}

// visit is a run of an agent with an input of some size, where some keys are legal.
type visit struct {
	agent *ir.Agent
	input Amount
	keys  string
	kind  ir.PlaceKind
}

// result is the bound of an agent, and the size of its value.
type result struct {
	bound bound
	value Amount
}

// exactInputs is how many inputs of an agent are looked at as they are; of more the sizes are rounded up.
const exactInputs = 16

// agent returns the bound of an agent with an input, and the size of its value.
func (x *analysis) agent(a *ir.Agent, input Amount, at ir.Place) (bound, Amount) {
	if a == nil {
		return bound{}, 0
	}
	if x.visits[a] >= exactInputs && input < Unbounded && input > 0 {
		input = min(1<<bits.Len64(uint64(input-1)), Unbounded)
	}
	v := visit{a, input, strings.Join(at.Keys, "\x00"), at.Kind}
	if known, ok := x.agents[v]; ok {
		return known.bound, known.value
	}
	x.visits[a]++
	b, value := x.run(a, input, at)
	x.own[a] = x.own[a].or(b)
	b = b.within(a.Budget)
	x.agents[v] = result{b, value}

	return b, value
}

func (x *analysis) run(a *ir.Agent, input Amount, at ir.Place) (bound, Amount) {
	switch node := a.Node.(type) {
	case *ir.Machine:
		if node == nil || node.External {
			return bound{}, 0
		}
		return x.machine(a, node, input, at)
	case *ir.Flow:
		return x.flow(a, node, input, at)
	case *ir.Workflow:
		return x.workflow(a, node, input)
	case *ir.React, *ir.Oneshot:
		step := a.Conversations()[0]
		return x.conversation(talk{label: a.Name.Value, step: step, system: size(a.Prompt.Value), input: input, keys: keysOf(at)})
	}

	return bound{}, 0
}

// keysOf is the size of the keys that are legal at a place, as a model is shown them.
func keysOf(at ir.Place) Amount {
	keys := Amount(0)
	for _, key := range at.Keys {
		keys = keys.plus(quotedKey(key))
	}

	return keys
}

// machine returns the bound of a machine in whose states agents run: each is given the value of the one before it.
func (x *analysis) machine(a *ir.Agent, m *ir.Machine, input Amount, at ir.Place) (bound, Amount) {
	facts := x.facts.Machine(m)
	if facts == nil || facts.Start == nil {
		return bound{}, input
	}
	p := paths{facts: facts, own: make([]bound, len(facts.States)), next: make([][]int, len(facts.States))}
	given, values := make([]Amount, len(facts.States)), make([]Amount, len(facts.States))
	given[facts.Start.Index] = input
	for i, s := range facts.States {
		for _, to := range s.Next() {
			p.next[i] = append(p.next[i], to.Index)
		}
	}
	value := Amount(0)
	x.settle(given, func() {
		for i, s := range facts.States {
			if !s.Reached || s.Agent == nil {
				continue
			}
			p.own[i], values[i] = x.agent(s.Agent, given[i], s.Place().Within(at))
			value = max(value, values[i])
			for _, to := range p.next[i] {
				given[to] = max(given[to], values[i])
			}
			if s.Anywhere {
				for to := range given {
					given[to] = max(given[to], values[i])
				}
			}
		}
	})
	for i, s := range facts.States {
		if s.Reached && s.Agent != nil {
			x.meet(place{a, s.State}, p.own[i])
		}
	}

	return p.most(facts.Start.Index, false, amount(m.MaxSteps)), value
}

// meet keeps the bound of a state.
func (x *analysis) meet(at place, b bound) {
	if _, known := x.state[at.state]; !known {
		x.order = append(x.order, at)
	}
	x.state[at.state] = x.state[at.state].or(b)
}

// exactRounds is how often something is looked at whose data may grow each time, before it counts as unbounded.
const exactRounds = 24

// settle calls step until it makes no size larger. What still grows after many rounds has no bound.
func (x *analysis) settle(sizes []Amount, step func()) {
	for round := 0; ; round++ {
		before := slices.Clone(sizes)
		step()
		if slices.Equal(before, sizes) {
			return
		}
		if round < exactRounds {
			continue
		}
		for i := range sizes {
			if sizes[i] != before[i] {
				sizes[i] = Unbounded
			}
		}
	}
}

// paths are the ways through a machine.
type paths struct {
	facts *flow.Machine
	own   []bound
	next  [][]int
}

// exactSteps is how many steps of a path are looked at one by one. Each further one counts as the costliest state.
const exactSteps = 1000

// most returns the bound of the costliest path of at most so many steps from a state; anywhere says that it may begin in any of them.
// It asks, for paths of one step, of two and so on, what they cost.
func (p *paths) most(start int, anywhere bool, steps Amount) bound {
	from := make([]bound, len(p.own)) // the bounds of paths of no step at all
	for n := range min(steps, exactSteps) {
		longer := p.longer(from)
		same := func(b, c bound) bool { return b.most == c.most && b.turn == c.turn && b.width == c.width }
		if slices.EqualFunc(longer, from, same) {
			return first(from, start, anywhere)
		}
		from = longer
		if n == exactSteps-1 {
			return first(from, start, anywhere).then(either(p.own).times(steps-exactSteps, "steps"))
		}
	}

	return first(from, start, anywhere)
}

// longer returns the bounds of paths with one step more.
func (p *paths) longer(from []bound) []bound {
	longer, highest, known := make([]bound, len(from)), bound{}, false
	for i, s := range p.facts.States {
		if s.End || s.Agent == nil && s.Body == nil {
			continue
		}
		behind := bound{}
		if s.Anywhere {
			if !known {
				highest, known = either(from), true
			}
			behind = highest
		}
		for _, to := range p.next[i] {
			behind = behind.or(from[to])
		}
		longer[i] = p.own[i].then(behind)
	}

	return longer
}

func first(from []bound, start int, anywhere bool) bound {
	if anywhere {
		return either(from)
	}

	return from[start]
}

// either is the bound of one of several operations.
func either(all []bound) bound {
	b := bound{}
	for _, c := range all {
		b = b.or(c)
	}

	return b
}
