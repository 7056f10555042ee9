package runtime

import (
	"encoding/json"
	"time"
)

// Machine is a live machine of any kind: a state that other code moves, by the rows of its fsm or gate alone. Generated code
// has a type of its own for each, with typed methods; as a Machine they stand in one slice. It is safe for concurrent use, and
// runs no agents.
type Machine interface {
	// Name is that of the agent that declares it.
	Name() string
	// Current is the name of the state; "" when the machine has ended by ~.
	Current() string
	// FireKey takes the first row for key whose guard holds. Errors: *InvalidTransitionError, *GuardRejectedError, *GuardError,
	// *AccessError; the state is as before then.
	FireKey(key string) error
	// Valid are the keys that have a row in the state, in the order of the source, whether or not their guards hold now.
	Valid() []string
	// Snapshot is the machine as JSON, from which one of the same kind can be restored.
	Snapshot() (json.RawMessage, error)
}

// DrivenMachine is a Machine with all that a host needs to drive it for others.
type DrivenMachine interface {
	Machine
	// Try is FireKey for a host: it says who asks, and tells what happened. Errors, beside those of FireKey: *StaleError;
	// *UnknownNameError for a state that the machine does not have.
	Try(Attempt) (Step, error)
	// Can reports what Try would do, and changes nothing. The sequence number of the step is the one that it would have.
	Can(Attempt) (Step, error)
	// Seq counts the steps, beginning with 1 for a machine that has made none.
	Seq() uint64
	// Restore puts the machine into the state of a snapshot. Errors: *SnapshotError; the machine is as before then.
	Restore(snapshot json.RawMessage) error
	// Signal decides what a signal does, and does it if that is to fire a key. The error is the decision's.
	Signal(Signal) (Decision, error)
	// Deadline is when the timer of the state fires; ok is false if it has none.
	Deadline() (at time.Time, ok bool)
	// Tick fires the timer of the state if its deadline has passed; fired is false if it has not.
	Tick() (step Step, fired bool, err error)
}

// Attempt is a step that somebody asks a live machine for.
type Attempt struct {
	// Key is what is fired. To, where Key is "", is the state that is wanted: the first row in try order that leads there and
	// whose guard holds is taken.
	Key, To string
	// Value goes with the key: guards see it as value, and as data if it is JSON.
	Value string
	// Agent is who asks, for access rules; "" is somebody without a name, whom only rules for "*" admit.
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
	Matched Match
	// Agent is who asked for the step; AgentTimer where a timer made it.
	Agent string
	// Guards are those that were asked, in order.
	Guards []GuardVerdict
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
