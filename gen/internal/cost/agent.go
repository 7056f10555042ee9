package cost

import (
	"math/bits"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
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
	got := x.analyzeAgent(a, agentInput{input: builtin.SizeOfText(input)}, at)

	return got.bound, got.value.Text
}

// boundEntry returns the bound of an entry point.
func (x *analysis) boundEntry(a *ir.Agent) bound {
	context := builtin.SizeOfJSON(builtin.QuotedSize(x.options.Input))
	context.Longest = x.options.Input

	return x.analyzeAgent(a, agentInput{builtin.SizeOfText(x.options.Input), context, true}, ir.Place{}).bound
}

// analyzeAgent returns the result of an agent with an input.
func (x *analysis) analyzeAgent(a *ir.Agent, with agentInput, at ir.Place) agentResult {
	if x.visits[a] >= exactInputs {
		with.input, with.context = roundUp(with.input), roundUp(with.context)
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
func roundUp(e extent) extent {
	up := func(n Amount) Amount {
		unit := Amount(1) << max(0, bits.Len64(uint64(n))-exactBits)
		return min((n+unit-1)/unit*unit, Unbounded)
	}

	return extent{Text: up(e.Text), JSON: up(e.JSON), Longest: up(e.Longest)}
}

func (x *analysis) computeAgent(a *ir.Agent, with agentInput, at ir.Place) agentResult {
	var b bound
	var value Amount
	input := with.input.Text
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

	return agentResult{bound: b, value: builtin.SizeOfText(value)}
}

// keysSize returns the size of the legal keys at a place in a prompt.
func keysSize(at ir.Place) Amount {
	return amount.Sum(ir.Map(at.Keys, quotedKeySize)...)
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
