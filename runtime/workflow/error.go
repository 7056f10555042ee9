package workflow

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// stepError means that a step failed, after all its attempts and its fallback.
type stepError struct {
	Workflow, Step string
	// Tries is the number of attempts.
	Tries int
	Err   error
}

func (e *stepError) Error() string {
	text := fmt.Sprintf("workflow %q, step %q: %v", e.Workflow, e.Step, e.Err)
	if e.Tries > 1 {
		text += " (" + strconv.Itoa(e.Tries) + " tries)"
	}

	return text
}

func (e *stepError) Unwrap() error { return e.Err }

// stateError means that a state failed, and that its machine has no transition for that.
type stateError struct {
	Workflow, Machine, State string
	// Err is the error of the state.
	Err error
	// Guards are those of the transitions on failure, none of which held.
	Guards []runtime.GuardReason
}

func (e *stateError) Error() string {
	text := fmt.Sprintf("machine %q: state %q failed, and no row says what follows", e.Machine, e.State)
	for _, guard := range e.Guards {
		text += ", " + guard.Guard + ": " + guard.Reason
	}

	return text + ": " + e.Err.Error()
}

func (e *stateError) Unwrap() error { return e.Err }

// unknownStateError means that next_state, or the current_state to start with, is not a state of the machine.
type unknownStateError struct {
	Machine string
	// State is the state that set it; "" for the state to start with.
	State string
	// Name is the unknown name, and States are the states of the machine.
	Name   string
	States []string
}

func (e *unknownStateError) Error() string {
	where := fmt.Sprintf("machine %q", e.Machine)
	if e.State != "" {
		where += fmt.Sprintf(", state %q", e.State)
	}

	return fmt.Sprintf("%s: there is no state %q to go to; there are %s", where, e.Name, wording.List(e.States))
}

// loopLimitError is a loop whose exit did not hold within its turns. Its text leaves the step to the StepError
// around it, as do those of the other errors that know their step.
type loopLimitError struct {
	Step string
	// Turns is max_loops.
	Turns int
}

func (e *loopLimitError) Error() string {
	return fmt.Sprintf("no exit within max_loops = %d turns", e.Turns)
}

// LoopLimit returns the error of a loop whose exit did not hold within its turns.
func (r *Run) LoopLimit(step string, turns int) error {
	return &loopLimitError{Step: step, Turns: turns}
}

// branchKeyError means that a conditional step has no branch for a key, and no default.
type branchKeyError struct {
	Step, Key string
	// Branches are the keys of its branches.
	Branches []string
}

func (e *branchKeyError) Error() string {
	return fmt.Sprintf("there is no branch %q; there are %s", e.Key, wording.List(e.Branches))
}

// NoBranch returns the error of a conditional step that has no branch for a key; branches are the keys that have one.
func (r *Run) NoBranch(step, key string, branches ...string) error {
	return &branchKeyError{Step: step, Key: key, Branches: branches}
}

// conflictError means that two branches of a parallel step gave different values to the same path of the context.
type conflictError struct {
	Step string
	Path []string
	// First and Second are the branches.
	First, Second string
}

func (e *conflictError) Error() string {
	return fmt.Sprintf("branches %q and %q give context.%s different values; "+
		"merge_strategy OVERWRITE or KEEP_FIRST says which one counts",
		e.First, e.Second, pathText(e.Path))
}

// contextError means that a value cannot be put into the context.
type contextError struct {
	// Path is the path that was written; nil for the context itself.
	Path []string
	// Err is the *[runtime.ValueError] if the value is not valid, or the PathError if something is in the way.
	Err error
}

func (e *contextError) Error() string {
	where := "context"
	if len(e.Path) > 0 {
		where += "." + pathText(e.Path)
	}

	return where + ": " + e.Err.Error()
}

func (e *contextError) Unwrap() error { return e.Err }

// reported is an error that the observer has received.
type reported struct{ error }

func (r reported) Unwrap() error { return r.error }

// WrapError returns the error of a step that failed with err. An error that ends the run or leaves the state is returned
// unchanged.
func (r *Run) WrapError(step string, err error) error { return r.failed(step, 1, err) }

func (r *Run) failed(step string, tries int, err error) error {
	if known, isReported := err.(reported); isReported {
		err = known.error
	} else if !as[*stepError](err) {
		r.report(err)
	}
	if _, leaves := err.(*leave); leaves || runtime.EndsRun(err) {
		return err
	}
	if own, isStep := err.(*stepError); isStep && own.Workflow == r.workflow && own.Step == step {
		return err
	}

	return &stepError{Workflow: r.workflow, Step: step, Tries: tries, Err: err}
}

// report notes an error where it occurs. A pause is no error, nor is an answer for which a state is left.
func (r *Run) report(err error) {
	if !r.watched || as[*runtime.PausedError](err) || as[*leave](err) {
		return
	}
	r.fx.Note(event.Event{Kind: event.Error, Agent: r.workflow, Type: runtime.ErrorType(err), Problem: err.Error()})
}

// ErrorType is what events call the error.
func (*unknownStateError) ErrorType() string { return "UnknownStateError" }

// ErrorType is what events call the error.
func (*loopLimitError) ErrorType() string { return "LoopLimitError" }

// ErrorType is what events call the error.
func (*branchKeyError) ErrorType() string { return "BranchKeyError" }

// ErrorType is what events call the error.
func (*conflictError) ErrorType() string { return "ConflictError" }

// ErrorType is what events call the error.
func (*contextError) ErrorType() string { return "ContextError" }

// ErrorType is what events call the error.
func (*pathError) ErrorType() string { return "PathError" }

// ErrorType is what events call the error.
func (*argumentError) ErrorType() string { return "ArgumentError" }

func as[T error](err error) bool {
	var target T

	return errors.As(err, &target)
}

// failure returns nil if err is a failure that something can make up for: a retry, a fallback, a row. Else it returns what ends
// the run, whether err itself or the cause of a cancellation, or what leaves the state.
func (r *Run) failure(err error) error {
	if as[*leave](err) || runtime.EndsRun(err) {
		return err
	}

	// After cancellation every effect returns the cause, whatever it is; that of waiting no time does nothing else.
	return r.fx.Sleep(0)
}
