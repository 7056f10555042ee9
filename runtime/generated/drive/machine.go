package drive

import (
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime/signals"
)

// Machine is a live machine of any kind: a state that changes only by the transitions of its fsm or gate, when other
// code asks for it. Each generated machine has a type of its own with typed methods; Machine is for code that handles
// all kinds. It is safe for concurrent use, and runs no agents.
type Machine interface {
	// Name returns the name of the agent that declares the machine.
	Name() string
	// Current returns the name of the state; "" if the machine has ended by ~.
	Current() string
	// FireKey takes the first transition for key whose guard allows it. Errors: *InvalidTransitionError,
	// *GuardRejectedError, *GuardError, *AccessError; the state is unchanged then.
	FireKey(key string) error
	// Valid returns the keys that have a transition in the state, in source order, whether or not their guards would
	// allow it now.
	Valid() []string
	// Snapshot returns the machine as JSON, from which one of the same kind can be restored.
	Snapshot() (json.RawMessage, error)

	// Try is FireKey with more detail: the attempt names the agent, and the step is what happened. Errors, besides
	// those of FireKey: *StaleError; *rt.UnknownNameError for a state that the machine does not have.
	Try(Attempt) (Step, error)
	// Can reports what Try would do, and changes nothing. The sequence number of the step is the one that it would
	// have.
	Can(Attempt) (Step, error)
	// Seq returns the sequence number: 1 for a machine that has made no step, and one more for each step.
	Seq() uint64
	// Restore puts the machine into the state of a snapshot. Errors: *SnapshotError; the machine is unchanged then.
	Restore(snapshot json.RawMessage) error
	// Signal decides what a signal does, and does it if that is to fire a key. The error comes from
	// the decision.
	Signal(signals.Signal) (Decision, error)
	// Deadline returns when the timer of the state fires; ok is false if the state has none.
	Deadline() (at time.Time, ok bool)
	// Tick fires the timer of the state if its deadline has passed; fired is false if it has not.
	Tick() (step Step, fired bool, err error)
}
