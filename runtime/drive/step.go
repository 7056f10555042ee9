package drive

import (
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Attempt is a request for a step of a live machine.
type Attempt struct {
	// Key is what is fired. To, where Key is "", is the state that is wanted: the first row in try order that leads there and
	// whose guard holds is taken.
	Key, To string
	// Value goes with the key: guards see it as value, and as data if it is JSON.
	Value string
	// Agent is who asks, for access rules; "" is an agent without a name, which only rules for "*" admit.
	Agent string
	// Seq is the sequence number that the machine must have; 0: any. Errors: *StaleError.
	Seq uint64
}

// AgentTimer is who makes the steps of timers.
const AgentTimer = "timer"

// Step is a step that a live machine has made.
type Step struct {
	Machine string
	// From and To are states; To is "" when the machine has ended by ~.
	From, To string
	// Key is that of the row, or what was fired where a row for every key was taken; it is "*" there if a state was asked for.
	Key     string
	Matched rt.Match
	// Agent is who asked for the step; AgentTimer where a timer made it.
	Agent string
	// Guards are those that were asked, in order.
	Guards []event.Guard
	// Seq is the machine's sequence number after the step.
	Seq uint64
	// Decisions are those about signals that had been put off until the state was left. Steps that they made follow this one.
	Decisions []Decision
	// Exit and Enter are the names that the host has to act on, in this order: those of the state that was left, and of the one
	// that was entered. They must not be changed.
	Exit, Enter []string
	// Timers are the steps of timers that were due before this one, which Try returns also with an error.
	Timers []Step
}

// AgentSignal is who makes the steps that rules for signals fire. Access rules do not count for them.
const AgentSignal = "signal"

// Decision is what was decided about a signal.
type Decision struct {
	Signal signals.Signal
	Answer signals.Answer
	Tier   signals.Tier
	// Step is the step that was made, with signals.Fire; the zero Step if the key was refused, which Err says.
	Step Step
	Err  error
}
