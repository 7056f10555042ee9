package drive

import (
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime/signals"
)

// Machine is a live machine of any kind: a state that other code moves, by the rows of its fsm or gate alone. Generated code
// has a type of its own for each, with typed methods; as a Machine they fit into one slice. It is safe for concurrent use, and
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

	// Try is FireKey for a host: it is given who asks, and returns what happened. Errors, beside those of FireKey: *StaleError;
	// *rt.UnknownNameError for a state that the machine does not have.
	Try(Attempt) (Step, error)
	// Can reports what Try would do, and changes nothing. The sequence number of the step is the one that it would have.
	Can(Attempt) (Step, error)
	// Seq counts the steps, beginning with 1 for a machine that has made none.
	Seq() uint64
	// Restore puts the machine into the state of a snapshot. Errors: *SnapshotError; the machine is as before then.
	Restore(snapshot json.RawMessage) error
	// Signal decides what a signal does, and does it if that is to fire a key. The error is the decision's.
	Signal(signals.Signal) (Decision, error)
	// Deadline is when the timer of the state fires; ok is false if it has none.
	Deadline() (at time.Time, ok bool)
	// Tick fires the timer of the state if its deadline has passed; fired is false if it has not.
	Tick() (step Step, fired bool, err error)
}

// Clock is the time of a machine, so that tests can move it.
type Clock interface {
	Now() time.Time
}
