package ir

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Gate is a machine over the tool calls of a react agent. The keys of its rows are actions:
// canonical names of tools, and FinishAction. No agent runs in its states.
type Gate struct {
	Machine *Machine
	// Ungated are the tools, or FinishAction, that may be called in every state and do not change
	// it.
	Ungated []Text
	// Span is the position of the gate.
	Span source.Span
}

// Permits reports whether an action is legal in every state, and changes none.
func (g *Gate) Permits(action string) bool {
	return slices.ContainsFunc(g.Ungated, func(t Text) bool { return t.Value == action })
}

// FinishAction is the action that ends a gated agent.
const FinishAction = "finish"

// Live is the part of a machine for the code that drives it.
type Live struct {
	// Wanted is set by `live: true`: other code drives the machine, too.
	Wanted bool
	// Signals are in source order.
	Signals []*SignalRule
	// Timers are in source order, at most one for each state.
	Timers []*Timer
	// OnEnter and OnExit are names that the host receives after a step that enters or exits a
	// state.
	OnEnter, OnExit []*StateNames
	// Access are the rules for who may fire what, in source order. Without rules, everyone may.
	Access []*AccessRule
	// Renames map states of older snapshots to their new names.
	Renames []*Rename
}

// SignalRule decides what a signal does to the machine.
type SignalRule struct {
	// On is stop, user-message, tool-result, timer, budget-alert, or a custom name.
	On Text
	// In are the states in which the rule applies; empty for all.
	In []Ref
	// Do is the answer to the signal.
	Do SignalAnswer
	// Fire is the key to fire, with AnswerFire.
	Fire Text
	// Priority selects one of several rules: the one with the highest priority, and of equal ones
	// the first in the source.
	Priority int
}

// SignalAnswer is what happens with a signal.
type SignalAnswer uint8

const (
	// AnswerContinue delays the signal until the machine leaves the state.
	AnswerContinue SignalAnswer = iota + 1
	// AnswerGracefulStop ends the machine at its next safe point.
	AnswerGracefulStop
	// AnswerForceStop ends the machine immediately.
	AnswerForceStop
	// AnswerFire fires a key.
	AnswerFire
)

// String returns the answer as written; "fire" for AnswerFire.
func (a SignalAnswer) String() string {
	return [...]string{"", "continue", "graceful-stop", "force-stop", "fire"}[a]
}

// Timer fires a key when the machine has been in a state for some time.
type Timer struct {
	State Ref
	After time.Duration
	Fire  Text
}

// StateNames are names that belong to a state.
type StateNames struct {
	State Ref
	Names []Text
}

// AccessRule decides who may, or with Deny may not, fire which keys in which states. A deny
// overrides an allow.
type AccessRule struct {
	// Agent is the name of a host that drives the machine. CatchAll means every host.
	Agent Text
	Deny  bool
	// States and Keys restrict the rule; empty for all.
	States []Ref
	Keys   []Text
}

// Rename is the new name of a state of an older snapshot.
type Rename struct {
	From Text
	To   Ref
}

// MachineOf returns the machine of an fsm or of a gate; nil for any other agent.
func (a *Agent) MachineOf() *Machine {
	switch n := a.Node.(type) {
	case *Machine:
		return n
	case *React:
		if n.Gate != nil {
			return n.Gate.Machine
		}
	}

	return nil
}

// KeySignal is a signal that fires a key in place of the key with which the agent of a state
// finishes.
type KeySignal struct{ Signal, Key string }

// KeySignals returns the signals that fire keys in a state of m, in source order, by the rule that
// applies to each of them. There are none in a terminal, which has no keys.
func (m *Machine) KeySignals(s *State) []KeySignal {
	if s.IsTerminal() {
		return nil
	}
	best := map[string]*SignalRule{}
	var signals []string
	for _, rule := range m.Live.Signals {
		if len(rule.In) > 0 && !slices.ContainsFunc(rule.In, func(ref Ref) bool { return ref.State == s }) {
			continue
		}
		known := best[rule.On.Value]
		if known == nil {
			signals = append(signals, rule.On.Value)
		}
		if known == nil || rule.Priority > known.Priority {
			best[rule.On.Value] = rule
		}
	}
	var fired []KeySignal
	for _, signal := range signals {
		if rule := best[signal]; rule.Do == AnswerFire {
			fired = append(fired, KeySignal{signal, rule.Fire.Value})
		}
	}

	return fired
}
