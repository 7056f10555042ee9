package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// GateTable describes a gate by the generated functions of its states. S are the states, K the actions.
type GateTable[S gateState, K ~string] struct {
	// Agent is the name of the gated agent.
	Agent   string
	Initial S
	// Keys are the actions that have a row in a state; nil if no state has one.
	Keys func(s S) []K
	// Next is the table of a gate without guards, Judge that of one with them: the judge knows what was asked, and
	// why there is no next state.
	Next  func(s S, key K) (next S, ok bool)
	Judge func(s S, key K, value string) (next S, judge *Judge, ok bool)
	// Enter counts that a state was entered; nil if no guard asks for it.
	Enter func(s S)
	// Signals are the rules of the file for signals.
	Signals []signals.Rule
}

// gateState is the generated type of the states of a gate. 0 is the state after its end.
type gateState interface {
	~uint8 | ~uint16 | ~uint32
	String() string
}

// NewGate returns the gate of one run, in its initial state.
func NewGate[S gateState, K ~string](table GateTable[S, K]) gate {
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

	return Texts(g.table.Keys(g.state))
}

func (g *tableGate[S, K]) Judge(action, value string) (GateStep, error) {
	if g.table.Judge == nil {
		next, ok := g.table.Next(g.state, K(action))
		if !ok {
			return GateStep{}, &runtime.InvalidTransitionError{Machine: g.table.Agent, State: g.State(), Key: action, Valid: g.Actions()}
		}
		g.next = next

		return GateStep{To: next.String(), Matched: MatchExact}, nil
	}
	next, judge, ok := g.table.Judge(g.state, K(action), value)
	if !ok {
		return GateStep{}, judge.Refusal(g.Actions())
	}
	g.next = next

	return GateStep{To: next.String(), Matched: judge.Match(MatchExact), Guards: judge.Asked()}, nil
}

func (g *tableGate[S, K]) Move() { g.enter(g.next) }

func (g *tableGate[S, K]) enter(s S) {
	g.state = s
	if g.table.Enter != nil {
		g.table.Enter(s)
	}
}
