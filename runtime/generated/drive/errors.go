package drive

import (
	"fmt"
	"strconv"
)

// AccessError means that the agent may not make a step of a live machine. Nothing has changed.
type AccessError struct {
	Machine, State, Key string
	// Agent is the agent of the attempt; "" if it has no name.
	Agent string
}

func (e *AccessError) Error() string {
	who := "a caller without a name"
	if e.Agent != "" {
		who = "agent " + strconv.Quote(e.Agent)
	}

	return fmt.Sprintf("machine %q, state %q: %s may not fire key %q", e.Machine, e.State, who, e.Key)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*AccessError) ErrorType() string { return "AccessError" }

// StaleError means that an attempt is for a sequence number that the live machine no longer has, or does not have
// yet. Nothing has changed.
type StaleError struct {
	Machine string
	// Want is the number of the attempt, and Have that of the machine.
	Want, Have uint64
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("machine %q has made other steps: its sequence number is %d, not %d", e.Machine, e.Have, e.Want)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*StaleError) ErrorType() string { return "StaleError" }

// SnapshotError means that a live machine cannot be restored from a snapshot. The machine has not changed.
type SnapshotError struct {
	Machine string
	// Problem completes "cannot be restored: ".
	Problem string
	// Err is what is wrong with the JSON; nil if it can be read.
	Err error
}

func (e *SnapshotError) Error() string {
	text := fmt.Sprintf("machine %q cannot be restored: %s", e.Machine, e.Problem)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}

	return text
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*SnapshotError) ErrorType() string { return "SnapshotError" }

// Unwrap returns what is wrong with the JSON.
func (e *SnapshotError) Unwrap() error { return e.Err }
