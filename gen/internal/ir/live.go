package ir

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Gate is a machine over the tool calls of a react agent. The keys of its rows are actions: canonical names of tools, and
// FinishAction. No agent runs in its states.
type Gate struct {
	Machine *Machine
	// Ungated are the tools, or FinishAction, that may be called in every state and change none.
	Ungated []Text
	// Span is the place of the gate.
	Span source.Span
}

// FinishAction is the action that ends a gated agent.
const FinishAction = "finish"

// Live is what a machine that others drive has beside its states.
type Live struct {
	// Wanted says `live: true`: other code drives the machine, too.
	Wanted bool
	// Signals are in source order.
	Signals []*SignalRule
	// Timers are in source order, one a state at most.
	Timers []*Timer
	// OnEnter and OnExit are names that are handed to the host after a step that enters, or leaves, a state.
	OnEnter, OnExit []*StateNames
	// Access are the rules that say who may fire what, in source order; none: everyone may.
	Access []*AccessRule
	// Renames are the states of older snapshots under their new names.
	Renames []*Rename
}

// SignalRule says what a signal does to the machine.
type SignalRule struct {
	// On is stop, user-message, tool-result, timer, budget-alert, or a name of the user's own.
	On Text
	// In are the states in which the rule counts; empty: all.
	In []Ref
	// Do is what is done.
	Do SignalAnswer
	// Fire is the key that is fired, with AnswerFire.
	Fire Text
	// Priority says which of several rules counts: that with the higher one, of equal ones the first in the source.
	Priority int
}

// SignalAnswer is what becomes of a signal.
type SignalAnswer uint8

const (
	// AnswerContinue puts the signal off until the state is left.
	AnswerContinue SignalAnswer = iota + 1
	// AnswerGracefulStop ends the machine at its next safe point.
	AnswerGracefulStop
	// AnswerForceStop ends it now.
	AnswerForceStop
	// AnswerFire fires a key.
	AnswerFire
)

// String returns the answer as it is written; "fire" for one that fires a key.
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

// AccessRule says who may, or with Deny may not, fire which keys in which states. A deny counts more than an allow.
type AccessRule struct {
	// Agent is the name of a host that drives the machine; CatchAll is every host.
	Agent Text
	Deny  bool
	// States and Keys are what the rule is about; empty: all.
	States []Ref
	Keys   []Text
}

// Rename is the new name of a state of an older snapshot.
type Rename struct {
	From Text
	To   Ref
}

// MachineOf returns the machine of an fsm, or of a gate; nil for any other agent.
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

// Firing is a signal that puts a key in the place of the one with which the agent of a state
// finishes.
type Firing struct{ Signal, Key string }

// Fired returns the signals that fire keys in a state of m, in source order, by the rule that
// counts for each of them. In a terminal none does: there are no keys.
func (m *Machine) Fired(s *State) []Firing {
	if s.Terminal() {
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
	var fired []Firing
	for _, signal := range signals {
		if rule := best[signal]; rule.Do == AnswerFire {
			fired = append(fired, Firing{signal, rule.Fire.Value})
		}
	}

	return fired
}
