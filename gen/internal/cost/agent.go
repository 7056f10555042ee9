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
	// only is the model whose spending counts; "" for all models.
	only string

	chains map[modelKey][]*model
	agents map[agentRun]agentResult
	// visits counts the analyzed inputs of an agent.
	visits map[*ir.Agent]int
	// agentBounds and stateBounds are the bounds of agents and states at all places, without the
	// agents' own budgets. stateOrder is the order in which states were recorded.
	agentBounds map[*ir.Agent]bound
	stateBounds map[*ir.State]bound
	stateOrder  []machineState

	knownReasons map[Reason]bool
	// usesListPrices is set if a model has a list price.
	usesListPrices bool
	reasons        []Reason
}

// machineState is a state of an agent's machine.
type machineState struct {
	agent *ir.Agent
	state *ir.State
}

// agentRun is a run of an agent with an input of some size, and the legal keys at its place.
type agentRun struct {
	agent *ir.Agent
	given agentInput
	keys  string
	kind  ir.PlaceKind
}

// agentInput is the input of an agent's run, and the initial context of a workflow. The caller
// chooses the context at an entry point.
type agentInput struct {
	input, context extent
	isEntry        bool
}

// agentResult is the bound of an agent, its value, and the size of the context that a workflow
// leaves.
type agentResult struct {
	bound   bound
	value   extent
	context Amount
}

// exactInputs is the number of inputs of an agent that are analyzed exactly. The sizes of further
// inputs are rounded up to exactBits significant bits.
const exactInputs, exactBits = 16, 8

// boundAgent returns the bound of an agent with an input, and the size of its value.
func (x *analysis) boundAgent(a *ir.Agent, input Amount, at ir.Place) (bound, Amount) {
	got := x.analyzeAgent(a, agentInput{input: textExtent(input)}, at)

	return got.bound, got.value.text
}

// boundEntry returns the bound of an entry point.
func (x *analysis) boundEntry(a *ir.Agent) bound {
	context := jsonExtent(quotedSize(x.options.Input))
	context.written = x.options.Input

	return x.analyzeAgent(a, agentInput{textExtent(x.options.Input), context, true}, ir.Place{}).bound
}

// analyzeAgent returns the result of an agent with an input.
func (x *analysis) analyzeAgent(a *ir.Agent, with agentInput, at ir.Place) agentResult {
	if x.visits[a] >= exactInputs {
		with.input, with.context = with.input.roundUp(), with.context.roundUp()
	}
	v := agentRun{a, with, strings.Join(at.Keys, "\x00"), at.Kind}
	if known, ok := x.agents[v]; ok {
		return known
	}
	x.visits[a]++
	got := x.computeAgent(a, with, at)
	x.agentBounds[a] = x.agentBounds[a].either(got.bound)
	got.bound = got.bound.underBudget(a.Budget)
	x.agents[v] = got

	return got
}

// roundUp returns sizes with few significant bits that are not smaller.
func (e extent) roundUp() extent {
	up := func(n Amount) Amount {
		unit := Amount(1) << max(0, bits.Len64(uint64(n))-exactBits)
		return min((n+unit-1)/unit*unit, Unbounded)
	}

	return extent{up(e.text), up(e.json), up(e.written)}
}

func (x *analysis) computeAgent(a *ir.Agent, with agentInput, at ir.Place) agentResult {
	var b bound
	var value Amount
	input := with.input.text
	switch node := a.Node.(type) {
	case *ir.Machine:
		if node == nil || node.External {
			return agentResult{bound: nothing}
		}
		b, value = x.boundMachine(a, node, input, at)
	case *ir.Flow:
		if node.IsWorkflow() {
			return x.boundWorkflow(a, node, with)
		}
		b, value = x.boundPattern(a, node, input, at)
	case *ir.React, *ir.Oneshot:
		step := a.Conversations()[0]
		b, value = x.boundConversation(conversation{label: a.Name.Value, step: step, system: size(a.Prompt.Value), input: input, keys: keysSize(at)})
	default:
		return agentResult{bound: nothing}
	}

	return agentResult{bound: b, value: textExtent(value)}
}

// keysSize returns the size of the legal keys at a place in a prompt.
func keysSize(at ir.Place) Amount {
	return amount.Sum(ir.Map(at.Keys, quotedKeySize)...)
}

// boundMachine returns the bound of a machine with agents. Each agent receives the value of the
// previous one.
func (x *analysis) boundMachine(a *ir.Agent, m *ir.Machine, input Amount, at ir.Place) (bound, Amount) {
	facts := x.facts.Machine(m)
	if facts == nil || facts.Start == nil {
		return nothing, input
	}
	p := newStatePaths(facts)
	begin := facts.Start
	first, value := nothing, input
	if begin.Agent != nil {
		first, value = x.boundAgent(begin.Agent, input, begin.Place().Within(at))
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
	x.growUntilStable(given, func() {
		for i, s := range facts.States {
			if s.Reached && s.Agent != nil {
				p.own[i], value = x.boundAgent(s.Agent, given[i], s.Place().Within(at))
				hand(s, value)
			}
		}
	})
	for i, s := range facts.States {
		if s.Reached && s.Agent != nil {
			x.recordState(machineState{a, s.State}, p.own[i])
		}
	}
	x.recordState(machineState{a, begin.State}, first)
	if begin.Agent == nil || m.MaxSteps < 1 {
		return nothing, last
	}
	from := p.costliestFrom(amount.Of(m.MaxSteps) - 1)

	return first.then(boundAfter(begin, anyOf(from), p.next[begin.Index], from)), last
}

// recordState adds the bound of a state.
func (x *analysis) recordState(at machineState, b bound) {
	if _, known := x.stateBounds[at.state]; !known {
		x.stateOrder = append(x.stateOrder, at)
	}
	x.stateBounds[at.state] = x.stateBounds[at.state].either(b)
}

// exactRounds is the number of rounds with growing data that are analyzed. Data that still grows is
// unbounded.
const exactRounds = 24

// growUntilStable calls step until no size grows. Sizes that still grow after many rounds are
// unbounded.
func (x *analysis) growUntilStable(sizes []Amount, step func()) {
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

// statePaths are the paths through a machine with agents.
type statePaths struct {
	facts *flow.Machine
	own   []bound
	next  [][]int
}

func newStatePaths(facts *flow.Machine) statePaths {
	next := ir.Map(facts.States, func(s *flow.State) []int {
		return ir.Map(s.Next(), func(to *flow.State) int { return to.Index })
	})

	return statePaths{facts, make([]bound, len(next)), next}
}

// mayEndMachine reports whether the machine can end after a state.
func mayEndMachine(s *flow.State) bool {
	return s.Anywhere || s.Stops || s.IsTerminal() || slices.ContainsFunc(s.Moves, endsMachine)
}

// endsMachine reports whether the machine can end when a move is taken.
func endsMachine(m *flow.Move) bool {
	if m.Dead != flow.Alive {
		return false
	}

	return m.Ends || m.To == nil || m.To.IsMarker() || m.To.End
}

// costliestFrom returns the bounds of the costliest paths of at most some steps from each state. It
// extends paths step by step.
func (p *statePaths) costliestFrom(steps Amount) []bound {
	from, longer := make([]bound, len(p.own)), make([]bound, len(p.own))
	p.extendPaths(longer, from)
	from, longer = longer, from // paths without steps fail where there is an agent
	for i, s := range p.facts.States {
		if hasAgent(s) {
			from[i] = bound{}
		}
	}
	same := func(b, c bound) bool {
		return b.most == c.most && b.done == c.done && b.canEndWell == c.canEndWell && b.turn == c.turn
	}
	for range min(steps, exactSteps) {
		p.extendPaths(longer, from)
		if slices.EqualFunc(longer, from, same) {
			return from
		}
		from, longer = longer, from
	}
	if steps > exactSteps {
		rest := anyOf(p.own).repeated(steps-exactSteps, "steps")
		for i := range from {
			from[i] = from[i].withoutFailure().then(rest)
		}
	}

	return from
}

// hasAgent reports whether an agent runs in a state.
func hasAgent(s *flow.State) bool { return s.Agent != nil }

// extendPaths writes the bounds of paths with one more step to longer.
func (p *statePaths) extendPaths(longer, from []bound) {
	highest := bound{}
	if slices.ContainsFunc(p.facts.States, func(s *flow.State) bool { return s.Anywhere }) {
		highest = anyOf(from)
	}
	for i, s := range p.facts.States {
		longer[i] = nothing
		if hasAgent(s) {
			longer[i] = p.own[i].then(boundAfter(s, highest, p.next[i], from))
		}
	}
}

// boundAfter returns the bound of the continuations of a state: the end, any state, or one of some
// states.
func boundAfter(s *flow.State, anywhere bound, next []int, from []bound) bound {
	b := bound{}
	if mayEndMachine(s) {
		b = nothing
	}
	if s.Anywhere {
		b = b.either(anywhere)
	}
	for _, to := range next {
		b = b.either(from[to])
	}

	return b
}

// anyOf returns the bound of one of several operations.
func anyOf(all []bound) bound {
	b := bound{}
	for _, c := range all {
		b = b.either(c)
	}

	return b
}
