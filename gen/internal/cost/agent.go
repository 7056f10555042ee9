package cost

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
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

	known map[Reason]bool
	// listed says that a model has a list price.
	listed  bool
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
	given given
	keys  string
	kind  ir.PlaceKind
}

// given is what a run of an agent is given: an input, and the initial context of a workflow, which the caller chooses at an entry point.
type given struct {
	input, context extent
	entry          bool
}

// result is the bound of an agent, its value, and the size of the context that a workflow leaves.
type result struct {
	bound   bound
	value   extent
	context Amount
}

// exactInputs is how many inputs of an agent are looked at as they are; of more the sizes are rounded up to so many bits.
const exactInputs, exactBits = 16, 8

// agent returns the bound of an agent with an input, and the size of its value.
func (x *analysis) agent(a *ir.Agent, input Amount, at ir.Place) (bound, Amount) {
	got := x.visit(a, given{input: written(input)}, at)

	return got.bound, got.value.text
}

// entry returns the bound of an entry point.
func (x *analysis) entry(a *ir.Agent) bound {
	context := asJSON(quotedText(x.options.Input))
	context.written = x.options.Input

	return x.visit(a, given{written(x.options.Input), context, true}, ir.Place{}).bound
}

// visit returns what is known of an agent with what it is given.
func (x *analysis) visit(a *ir.Agent, with given, at ir.Place) result {
	if x.visits[a] >= exactInputs {
		with.input, with.context = with.input.rounded(), with.context.rounded()
	}
	v := visit{a, with, strings.Join(at.Keys, "\x00"), at.Kind}
	if known, ok := x.agents[v]; ok {
		return known
	}
	x.visits[a]++
	got := x.run(a, with, at)
	x.own[a] = x.own[a].or(got.bound)
	got.bound = got.bound.within(a.Budget)
	x.agents[v] = got

	return got
}

// rounded returns sizes of few bits that are not smaller.
func (e extent) rounded() extent {
	up := func(n Amount) Amount {
		unit := Amount(1) << max(0, bits.Len64(uint64(n))-exactBits)
		return min((n+unit-1)/unit*unit, Unbounded)
	}

	return extent{up(e.text), up(e.json), up(e.written)}
}

func (x *analysis) run(a *ir.Agent, with given, at ir.Place) result {
	var b bound
	var value Amount
	input := with.input.text
	switch node := a.Node.(type) {
	case *ir.Machine:
		if node == nil || node.External {
			return result{bound: nothing}
		}
		b, value = x.machine(a, node, input, at)
	case *ir.Flow:
		if node.IsWorkflow() {
			return x.workflow(a, node, with)
		}
		b, value = x.pattern(a, node, input, at)
	case *ir.React, *ir.Oneshot:
		step := a.Conversations()[0]
		b, value = x.conversation(talk{label: a.Name.Value, step: step, system: size(a.Prompt.Value), input: input, keys: keysOf(at)})
	default:
		return result{bound: nothing}
	}

	return result{bound: b, value: written(value)}
}

// keysOf is the size of the keys that are legal at a place, as a model is shown them.
func keysOf(at ir.Place) Amount {
	return amount.Sum(ir.Map(at.Keys, quotedKey)...)
}

// machine returns the bound of a machine in whose states agents run: each is given the value of the one before it.
func (x *analysis) machine(a *ir.Agent, m *ir.Machine, input Amount, at ir.Place) (bound, Amount) {
	facts := x.facts.Machine(m)
	if facts == nil || facts.Start == nil {
		return nothing, input
	}
	p := statePathsOf(facts)
	begin := facts.Start
	first, value := nothing, input
	if begin.Agent != nil {
		first, value = x.agent(begin.Agent, input, begin.Place().Within(at))
	}
	given := make([]Amount, len(facts.States))
	last := value
	hand := func(s *flow.State, value Amount) {
		last = max(last, value)
		for i, to := range facts.States {
			if s.Anywhere || slices.Contains(p.next[s.Index], i) {
				given[to.Index] = max(given[to.Index], value)
			}
		}
	}
	hand(begin, value)
	x.settle(given, func() {
		for i, s := range facts.States {
			if s.Reached && s.Agent != nil {
				p.own[i], value = x.agent(s.Agent, given[i], s.Place().Within(at))
				hand(s, value)
			}
		}
	})
	for i, s := range facts.States {
		if s.Reached && s.Agent != nil {
			x.meet(place{a, s.State}, p.own[i])
		}
	}
	x.meet(place{a, begin.State}, first)
	if begin.Agent == nil || m.MaxSteps < 1 {
		return nothing, last
	}
	from := p.from(amount.Of(m.MaxSteps) - 1)

	return first.then(following(begin, either(from), p.next[begin.Index], from)), last
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

// statePaths are the ways through a machine in whose states agents run.
type statePaths struct {
	facts *flow.Machine
	own   []bound
	next  [][]int
}

func statePathsOf(facts *flow.Machine) statePaths {
	next := ir.Map(facts.States, func(s *flow.State) []int {
		return ir.Map(s.Next(), func(to *flow.State) int { return to.Index })
	})

	return statePaths{facts, make([]bound, len(next)), next}
}

// leaves reports whether the machine can end behind a state.
func leaves(s *flow.State) bool {
	return s.Anywhere || s.Stops || s.IsTerminal() || slices.ContainsFunc(s.Moves, endsMachine)
}

// endsMachine reports whether the machine can end when a move is taken.
func endsMachine(m *flow.Move) bool {
	if m.Dead != flow.Alive {
		return false
	}

	return m.Ends || m.To == nil || m.To.IsMarker() || m.To.End
}

// from returns the bounds of the costliest paths of at most so many steps from each state. It asks, for paths of one step, of two and so
// on, what they cost.
func (p *statePaths) from(steps Amount) []bound {
	from, longer := make([]bound, len(p.own)), make([]bound, len(p.own))
	p.longer(longer, from)
	from, longer = longer, from // the bounds of paths of no step at all, which fail where there is an agent
	for i, s := range p.facts.States {
		if works(s) {
			from[i] = bound{}
		}
	}
	same := func(b, c bound) bool {
		return b.most == c.most && b.done == c.done && b.ends == c.ends && b.turn == c.turn
	}
	for range min(steps, exactSteps) {
		p.longer(longer, from)
		if slices.EqualFunc(longer, from, same) {
			return from
		}
		from, longer = longer, from
	}
	if steps > exactSteps {
		rest := either(p.own).times(steps-exactSteps, "steps")
		for i := range from {
			from[i] = from[i].settled().then(rest)
		}
	}

	return from
}

// works reports whether an agent runs in a state.
func works(s *flow.State) bool { return s.Agent != nil }

// longer writes the bounds of paths with one step more.
func (p *statePaths) longer(longer, from []bound) {
	highest := bound{}
	if slices.ContainsFunc(p.facts.States, func(s *flow.State) bool { return s.Anywhere }) {
		highest = either(from)
	}
	for i, s := range p.facts.States {
		longer[i] = nothing
		if works(s) {
			longer[i] = p.own[i].then(following(s, highest, p.next[i], from))
		}
	}
}

// following is the bound of what can follow a state: the end, any state at all, or one of some.
func following(s *flow.State, anywhere bound, next []int, from []bound) bound {
	b := bound{}
	if leaves(s) {
		b = nothing
	}
	if s.Anywhere {
		b = b.or(anywhere)
	}
	for _, to := range next {
		b = b.or(from[to])
	}

	return b
}

// either is the bound of one of several operations.
func either(all []bound) bound {
	b := bound{}
	for _, c := range all {
		b = b.or(c)
	}

	return b
}
