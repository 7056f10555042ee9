package workflow

import (
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
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

// The errors of this package are failures of a step. Their texts leave the step to the stepError
// around them.

// stateFailedError means that a state failed with err, and that its machine has no transition for
// that. guards are the guards of its transitions on failure, none of which held.
func stateFailedError(machine, state string, guards []runtime.GuardReason, err error) error {
	text := fmt.Sprintf("machine %q: state %q failed, and no row handles the failure", machine, state)
	for _, guard := range guards {
		text += ", " + guard.Guard + ": " + guard.Reason
	}

	return fmt.Errorf("%s: %w", text, err)
}

// stalledError means that a state has rows, that none of them applies after an event, and that no
// step has set next_state.
func stalledError(machine, state string, event Event, guards []runtime.GuardReason) error {
	text := fmt.Sprintf("machine %q stalled in state %q: no row leads on after %s, and it is not an end state", machine, state, event)
	if len(guards) > 0 {
		text += ": " + wording.Join(guards)
	}

	return &errs.Coded{Code: "StalledError", Text: text}
}

// unknownStateError means that next_state, which state has set, or the current_state to start with,
// is not a state of the machine.
func unknownStateError(machine, state, name string, states []string) error {
	where := fmt.Sprintf("machine %q", machine)
	if state != "" {
		where += fmt.Sprintf(", state %q", state)
	}
	text := fmt.Sprintf("%s: there is no state %q to go to; there are %s", where, name, wording.List(states))

	return &errs.Coded{Code: "UnknownStateError", Text: text}
}

// LoopLimit returns the error of a loop whose exit did not hold within max_loops turns.
func (r *Run) LoopLimit(turns int) error {
	return &errs.Coded{Code: "LoopLimitError", Text: fmt.Sprintf("no exit within max_loops = %d turns", turns)}
}

// NoBranch returns the error of a conditional step that has no branch for a key, and no default;
// branches are the keys that have one.
func (r *Run) NoBranch(key string, branches ...string) error {
	return &errs.Coded{Code: "BranchKeyError", Text: fmt.Sprintf("there is no branch %q; there are %s", key, wording.List(branches))}
}

// conflictError means that two branches of a parallel step gave different values to the same path
// of the context.
func conflictError(path []string, first, second string) error {
	return &errs.Coded{Code: "ConflictError", Text: fmt.Sprintf("branches %q and %q give context.%s different values; "+
		"choose one with merge_strategy OVERWRITE or KEEP_FIRST, or combine them with merge in the schema of the context", first, second, formatPath(path))}
}

// differentValuesError means that two branches gave a field whose rule is error different values.
func differentValuesError(path []string, first, second string) error {
	return &errs.Coded{Code: "ConflictError", Text: fmt.Sprintf("branches %q and %q give context.%s different values, and its merge rule is error",
		first, second, formatPath(path))}
}

// pathError means that a value cannot be put into the context at a path; nil for the context
// itself. err is a *[runtime.ValueError] if the value is not valid, or a PathError if something is
// in the way.
func pathError(path []string, err error) error {
	where := "context"
	if len(path) > 0 {
		where += "." + formatPath(path)
	}

	return &errs.Coded{Code: "ContextError", Text: where + ": " + err.Error(), Err: err}
}

// blockedError means that a path cannot be written because a value that is not an object is in the
// way. names is how many names of the path lead to that value.
func blockedError(path []string, names int, found kind) error {
	where := "the value"
	if names > 0 {
		where = formatPath(path[:names])
	}
	text := "cannot set " + formatPath(path) + ": " + where + " is " + found.String() + ", expected an object"

	return &errs.Coded{Code: "PathError", Text: text}
}

// reportedError is an error that the observer has received.
type reportedError struct{ error }

func (r reportedError) Unwrap() error { return r.error }

// WrapError returns the error of a step that failed with err. An error that ends the run or leaves
// the state is returned unchanged.
func (r *Run) WrapError(step string, err error) error { return r.stepError(step, 1, err) }

func (r *Run) stepError(step string, tries int, err error) error {
	if known, isReported := err.(reportedError); isReported {
		err = known.error
	} else if !errs.Is[*stepError](err) {
		r.reportError(err)
	}
	if _, leaves := err.(*leaveSignal); leaves || runtime.EndsRun(err) {
		return err
	}
	if own, isStep := err.(*stepError); isStep && own.Workflow == r.workflow && own.Step == step {
		return err
	}

	return &stepError{Workflow: r.workflow, Step: step, Tries: tries, Err: err}
}

// reportError notifies the observer of an error. A pause is not an error, and neither is an answer
// for which a state is left. A step whose time is over reports that itself.
func (r *Run) reportError(err error) {
	isSignal := errs.Is[*leaveSignal](err) || errs.Is[*errs.OvertimeError](err)
	if !r.watched || isSignal || errs.Is[*runtime.PausedError](err) {
		return
	}
	r.fx.Note(event.Event{Kind: event.Error, Agent: r.workflow, Type: runtime.ErrorType(err), Problem: err.Error()})
}

// fatalError returns nil if err is a failure after which a retry, a fallback or a row can follow.
// Otherwise it returns the error that ends the run, which is err or the cause of a cancellation, or
// the signal that leaves the state.
func (r *Run) fatalError(err error) error {
	if errs.Is[*leaveSignal](err) || runtime.EndsRun(err) {
		return err
	}

	// After cancellation every effect returns the cause. A sleep of no time has no other effect.
	return r.fx.Sleep(0)
}
