package drive

import (
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Attempt is a request for a step of a live machine.
type Attempt struct {
	// Key is the key to fire. If it is "", To is the requested state: the first transition to it, in try order, whose
	// guard allows it is taken.
	Key, To string
	// Value belongs to the key: guards see it as value, and as data if it is JSON.
	Value string
	// Agent is the agent that asks, for access rules; "" is an agent without a name, which only rules for "*" admit.
	Agent string
	// Seq is the sequence number that the machine must have, or the attempt fails with *StaleError; 0: any.
	Seq uint64
}

// AgentTimer is the agent of steps that timers make.
const AgentTimer = "timer"

// Step is a transition that a live machine has made.
type Step struct {
	Machine string
	// From and To are states; To is "" if the machine has ended by ~.
	From, To string
	// Key is the key of the transition, or the key that was fired if the transition is for every key; it is "*" there
	// if a state was requested.
	Key     string
	Matched rt.Match
	// Agent is the agent that asked for the step; AgentTimer if a timer made it, and "signal" if a rule for a signal did,
	// to which access rules do not apply.
	Agent string
	// Guards are the guards that were called, in order.
	Guards []event.Guard
	// Seq is the machine's sequence number after the step.
	Seq uint64
	// Decisions are those about signals that were deferred until the state was left. The steps that they made follow
	// this one.
	Decisions []Decision
	// Exit and Enter are the names on which the host has to act, in this order: those of the state that was left, and
	// of the one that was entered. They must not be changed.
	Exit, Enter []string
	// Timers are the steps of timers that were due before this one. Try also returns them with an error.
	Timers []Step
}

// Decision is the decision about a signal.
type Decision struct {
	Signal signals.Signal
	Answer signals.Answer
	// Tier is where the rule is defined; see [signals.Ruling].
	Tier string
	// Step is the step that was made, for signals.Fire; the zero Step if the key was refused, for the reason in Err.
	Step Step
	Err  error
}
