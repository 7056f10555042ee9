package mcp

import (
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// failedCall is what a tool replies when it cannot do what it was asked for. Nothing has changed then.
type failedCall struct {
	OK    bool   `json:"ok" jsonschema:"whether it was done"`
	Error string `json:"error,omitempty" jsonschema:"what went wrong, in words"`
	// Type is the type of the error, such as InvalidTransitionError; runtime.ErrorType names it.
	Type string `json:"errorType,omitempty" jsonschema:"what went wrong, as a name to compare with"`
	// The others are there where the error has them.
	State  string      `json:"state,omitempty" jsonschema:"the state in which the machine is"`
	Valid  []string    `json:"valid,omitempty" jsonschema:"the keys that have a row in the state"`
	Seq    uint64      `json:"seq,omitempty" jsonschema:"the machine's sequence number; it counts steps and begins with 1"`
	Guards []guard     `json:"guards,omitempty" jsonschema:"the guards that said no, in the order in which they were asked"`
	Head   *board.Head `json:"head,omitempty" jsonschema:"the end of the record with this attempt"`
	Timers []timerStep `json:"timers,omitempty" jsonschema:"steps of timers that were due before, and were made"`
	Run    string      `json:"run,omitempty" jsonschema:"the run that ended without a result; run_status shows it"`
}

type guard struct {
	Name   string `json:"name"`
	Reason string `json:"reason,omitempty"`
}

// failedResult returns the reply to a call that failed with err.
func failedResult(err error) *sdk.CallToolResult {
	return newToolResult(encodeJSON(failureOf(err)), true)
}

func failureOf(err error) failedCall {
	f := failedCall{Error: err.Error(), Type: runtime.ErrorType(err)}
	var recorded *recordedError
	if errors.As(err, &recorded) {
		f.Head, f.Timers = &recorded.made.Head, timerSteps(recorded.made.Timers)
	}
	var invalid *runtime.InvalidTransitionError
	var rejected *runtime.GuardRejectedError
	var denied *drive.AccessError
	var stale *drive.StaleError
	var ended *runError
	switch {
	case errors.As(err, &invalid):
		f.State, f.Valid = invalid.State, invalid.Valid
	case errors.As(err, &rejected):
		f.State = rejected.State
		for _, g := range rejected.Guards {
			f.Guards = append(f.Guards, guard{Name: g.Guard, Reason: g.Reason})
		}
	case errors.As(err, &denied):
		f.State = denied.State
	case errors.As(err, &stale):
		f.Seq = stale.Have
	case errors.As(err, &ended):
		f.Run = ended.run.ID
	}

	return f
}

// recordedError is an attempt that was refused, and is on the record.
type recordedError struct {
	err  error
	made board.Result
}

func (e *recordedError) Error() string { return e.err.Error() }

func (e *recordedError) Unwrap() error { return e.err }

// refusedError is err with the end of the record, and the steps of timers before it, if the attempt got that far.
func refusedError(err error, made board.Result) error {
	if made.Head == (board.Head{}) {
		return err
	}

	return &recordedError{err: err, made: made}
}
