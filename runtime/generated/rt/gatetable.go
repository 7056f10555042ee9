package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// GateTable describes a gate by the generated functions of its states, for [ReactSpec.RunGated]. S
// are the states, K the actions.
type GateTable[S gateState, K ~string] struct {
	// Agent is the name of the gated agent.
	Agent   string
	Initial S
	// Keys are the actions that have a row in a state; nil if no state has one.
	Keys func(s S) []K
	// Next is the table of a gate without guards, Guarded that of one with them, which Guards asks.
	Next    func(s S, key K) (next S, ok bool)
	Guarded func(s S, key K, guards *Judge) (next S, ok bool)
	Guards  *Judge
	// Signals are the rules of the file for signals.
	Signals []signals.Rule
}

// gateState is the generated type of the states of a gate. 0 is the state after its end.
type gateState interface {
	~uint8 | ~uint16 | ~uint32
	String() string
}

// start returns the gate of one run, in its initial state.
func (table GateTable[S, K]) start() gate {
	g := &tableGate[S, K]{table: table}
	g.enter(table.Initial)

	return g
}

// tableGate is the position of a run in its gate.
type tableGate[S gateState, K ~string] struct {
	table       GateTable[S, K]
	state, next S
}

func (g *tableGate[S, K]) State() string { return g.state.String() }

func (g *tableGate[S, K]) Signals() []signals.Rule { return g.table.Signals }

func (g *tableGate[S, K]) Actions() []string {
	if g.table.Keys == nil {
		return nil
	}

	return wording.Texts(g.table.Keys(g.state))
}

func (g *tableGate[S, K]) Judge(action, value string) (gateStep, error) {
	if g.table.Guarded == nil {
		next, ok := g.table.Next(g.state, K(action))
		if !ok {
			return gateStep{}, &runtime.InvalidTransitionError{Machine: g.table.Agent, State: g.State(), Key: action, Valid: g.Actions()}
		}
		g.next = next

		return gateStep{To: next.String(), Matched: MatchExact}, nil
	}
	guards := g.table.Guards
	guards.Begin(int(g.state), g.State(), action, value)
	next, ok := g.table.Guarded(g.state, K(action), guards)
	if !ok {
		return gateStep{}, guards.Refusal(g.Actions())
	}
	g.next = next

	return gateStep{To: next.String(), Matched: guards.Match(MatchExact), Guards: guards.Asked()}, nil
}

func (g *tableGate[S, K]) Move() { g.enter(g.next) }

func (g *tableGate[S, K]) enter(s S) {
	g.state = s
	if g.table.Guarded != nil {
		g.table.Guards.Visits[s]++
	}
}
