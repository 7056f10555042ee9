package board

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/drive"
	"github.com/agentc-dev/agentc/runtime/internal/audit"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// invalidError is a request that cannot be read: it is no attempt, and not recorded.
type invalidError struct {
	// Field is what is wrong, such as "id"; Value what it is, shortened.
	Field, Value string
	// Problem completes a sentence that begins with the field.
	Problem string
	// Err says what is wrong with JSON; else it is nil.
	Err error
}

func (e *invalidError) Error() string {
	text := e.Field
	if e.Value != "" {
		text += fmt.Sprintf(" %q", e.Value)
	}
	text += " " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}

	return text
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*invalidError) ErrorType() string { return "InvalidError" }

// Unwrap returns what is wrong with JSON.
func (e *invalidError) Unwrap() error { return e.Err }

// tooLargeError is a request with more bytes than there may be: it is not recorded.
type tooLargeError struct {
	Field     string
	Size, Max int
}

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("%s is too large: it has %d bytes, and may have %d", e.Field, e.Size, e.Max)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*tooLargeError) ErrorType() string { return "TooLargeError" }

// unknownMachineError is an id of a machine that the program does not have.
type unknownMachineError struct {
	ID string
	// Machines are those that it has.
	Machines []string
}

func (e *unknownMachineError) Error() string {
	if len(e.Machines) == 0 {
		return fmt.Sprintf("there is no machine %q: the program has none that others drive; one is an fsm with drive: external, "+
			"and with include: [mcp] in agentc.yaml every machine of the program", e.ID)
	}

	return fmt.Sprintf("there is no machine %q: there are %s", e.ID, strings.Join(e.Machines, ", "))
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*unknownMachineError) ErrorType() string { return "UnknownMachineError" }

// begunError is a machine that has begun already.
type begunError struct{ ID string }

func (e *begunError) Error() string { return fmt.Sprintf("machine %q has begun already", e.ID) }

// ErrorType is the code of the error; see runtime.ErrorType.
func (*begunError) ErrorType() string { return "BegunError" }

// IdentityError means that a caller uses the name of another agent.
type IdentityError struct {
	// Agent is the name in the request, and Identity the name of the caller's credential.
	Agent, Identity string
}

func (e *IdentityError) Error() string {
	if e.Agent == drive.AgentTimer || e.Identity == drive.AgentTimer {
		return fmt.Sprintf("%q is reserved: the steps of timers are made under that name", drive.AgentTimer)
	}

	return fmt.Sprintf("agent %q is not whom the credential names: that is %q", e.Agent, e.Identity)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*IdentityError) ErrorType() string { return "IdentityError" }

// VersionError means that a key of the blackboard does not have the required version.
type VersionError struct {
	Key string
	// Want is the required version, and Have the present one; 0 is no value.
	Want, Have uint64
}

func (e *VersionError) Error() string {
	switch {
	case e.Have == 0:
		return fmt.Sprintf("key %q has no value, and not version %d", e.Key, e.Want)
	case e.Want == 0:
		return fmt.Sprintf("key %q has a value already, of version %d", e.Key, e.Have)
	}

	return fmt.Sprintf("key %q was written since: its version is %d, not %d", e.Key, e.Have, e.Want)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*VersionError) ErrorType() string { return "VersionError" }

// readOnlyError is a key of the blackboard that only steps of machines change.
type readOnlyError struct{ Key string }

func (e *readOnlyError) Error() string {
	return fmt.Sprintf("key %q can only be read: keys that begin with %s change with the steps of machines", e.Key, machineKeys)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*readOnlyError) ErrorType() string { return "ReadOnlyError" }

// NotFoundError means that a key of the blackboard has no value.
type NotFoundError struct{ Key string }

func (e *NotFoundError) Error() string { return fmt.Sprintf("key %q has no value", e.Key) }

// ErrorType is the code of the error; see runtime.ErrorType.
func (*NotFoundError) ErrorType() string { return "NotFoundError" }

// resultOf says what an error means in the record.
func resultOf(err error) audit.Result {
	switch {
	case err == nil:
		return audit.Accepted
	case is[*drive.AccessError](err), is[*IdentityError](err), is[*readOnlyError](err):
		return audit.Denied
	case is[*drive.StaleError](err), is[*VersionError](err):
		return audit.Stale
	case is[*runtime.InvalidTransitionError](err), is[*runtime.GuardRejectedError](err), is[*rt.UnknownNameError](err),
		is[*unknownMachineError](err), is[*NotFoundError](err), is[*begunError](err):
		return audit.Rejected
	}

	return audit.Failed
}

func is[E error](err error) bool {
	var e E

	return errors.As(err, &e)
}
