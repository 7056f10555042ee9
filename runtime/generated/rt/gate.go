package rt

import (
	"errors"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// gate is the machine over the tool calls of one run of a react agent: which action is possible
// when. Generated code has a type for each gated agent. A Gate must not be used by two goroutines.
type gate interface {
	// State is the name of the state; "" after a row that ends the gate.
	State() string
	// Actions are those that have a row in the state, canonical names of tools and finish, in the
	// order of the source.
	Actions() []string
	// Judge finds the row of an action, and asks guards on the way; value are the arguments of the
	// call, or what the agent would finish with. It moves nothing. A *GuardRejectedError and an
	// *InvalidTransitionError are reported to the model, any other error ends the run.
	Judge(action, value string) (gateStep, error)
	// Move takes the row that Judge has found last.
	Move()
	// Signals are the rules of the file for signals.
	Signals() []signals.Rule
}

// gateStart begins a gate for one run: a [GateTable].
type gateStart interface{ start() gate }

// gateStep is a transition that a gate allows for an action, which it takes once that is done.
type gateStep struct {
	// To is the next state; "" if the transition ends the gate.
	To      string
	Matched Match
	// Guards are the guards that were called, in order.
	Guards []event.Guard
	// free reports whether the action is not gated, and takes no transition.
	free bool
}

// gating is what the loop of a gated agent asks before each call. An agent without a gate has the
// nil pointer.
type gating struct {
	gate
	fx      runtime.Effects
	agent   string
	ungated []string
	// visits counts how often each state was entered; nil without an observer, since only events
	// need it.
	visits map[string]int
	// heard is nil in a gate without rules for signals; left reports whether the state has been
	// left since it was asked last.
	heard *hearing
	left  bool
}

func newGating(fx runtime.Effects, spec *ReactSpec, gate gate) *gating {
	g := &gating{gate: gate, fx: fx, agent: spec.Agent, ungated: spec.Ungated}
	if fx.Watched() {
		g.visits = map[string]int{gate.State(): 1}
	}
	if rules := gate.Signals(); len(rules) > 0 {
		g.heard = &hearing{fx: fx, machine: spec.Agent, rules: rules}
		g.heard.enterState(gate.State())
	}

	return g
}

// isAllowed reports whether an action is placed in the state, or needs no place; guards are not
// asked.
func (g *gating) isAllowed(action string) bool {
	return slices.Contains(g.ungated, action) || slices.Contains(g.Actions(), action)
}

// refusal returns why an action is not possible in the state; "" if it is possible.
func (g *gating) refusal(action string) string {
	if g == nil || g.isAllowed(action) {
		return ""
	}

	return wording.Quote(action) + " is not possible " + g.description()
}

func (g *gating) description() string {
	if state := g.State(); state != "" {
		return "in state " + wording.Quote(state)
	}

	return "after the end of the gate"
}

// validActions are the actions that are possible in the state, sorted. Tools that a skill has yet
// to unlock are among them.
func (g *gating) validActions() []string {
	actions := slices.Concat(g.Actions(), g.ungated)
	slices.Sort(actions)

	return slices.Compact(actions)
}

// validAdvice explains to the model what it can do instead.
func (g *gating) validAdvice() string {
	return "Valid actions: " + wording.List(g.validActions()) + "."
}

// invalidTransition is the error of an ending in a state that has none.
func (g *gating) invalidTransition(problem string) *runtime.InvalidTransitionError {
	return &runtime.InvalidTransitionError{
		Machine: g.agent, State: g.State(), Key: toolFinish, Valid: g.validActions(), Agent: g.agent, Problem: problem,
	}
}

// decideStep asks whether an action that the state has may be done with this value. refused is the
// refusal of the guards; err ends the run.
func (g *gating) decideStep(action, value string) (step gateStep, refused, err error) {
	if slices.Contains(g.ungated, action) {
		return gateStep{free: true}, nil, nil
	}
	step, err = g.Judge(action, value)
	if errs.Is[*runtime.GuardRejectedError](err) || errs.Is[*runtime.InvalidTransitionError](err) {
		return gateStep{}, err, nil
	}

	return step, nil, err
}

// refusalText reports to the model what the guards of an action said.
func (g *gating) refusalText(action string, refused error) string {
	problem := wording.Quote(action) + " is not possible now " + g.description()
	var rejected *runtime.GuardRejectedError
	if !errors.As(refused, &rejected) || len(rejected.Guards) == 0 {
		return problem
	}

	return problem + ": " + wording.Join(rejected.Guards)
}

// noteStep moves the gate on after the action was done.
func (g *gating) noteStep(action string, step gateStep) {
	if step.free {
		return
	}
	from := g.State()
	g.Move()
	said := g.heard.withSignalGuards(step.Guards)
	g.heard.leaveState()
	g.heard.enterState(g.State())
	g.left = true
	if g.visits == nil {
		return
	}
	g.fx.Note(event.Event{
		Kind: event.Transition, Agent: g.agent, Machine: g.agent, State: from, Key: action, To: step.To,
		Matched: string(step.Matched), Visit: g.visits[from], Guards: said,
	})
	g.visits[step.To]++
}
