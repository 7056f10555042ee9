package board

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// refusal is a request that the board refuses by itself.
type refusal struct {
	code string
	// result is what the record says of it; "" if it cannot be read: then nothing is recorded.
	result audit.Result
	text   string
}

func (e *refusal) Error() string { return e.text }

// ErrorType is the code of the error; see runtime.ErrorType.
func (e *refusal) ErrorType() string { return e.code }

// newRefusal makes a refusal.
func newRefusal(code string, result audit.Result, format string, args ...any) error {
	return &refusal{code, result, fmt.Sprintf(format, args...)}
}

// invalidFieldError is a request of which the field is wrong; the problem completes a sentence that begins with it.
func invalidFieldError(field, problem string) error {
	return newRefusal("InvalidError", "", "%s %s", field, problem)
}

// unknownMachine is an id of a machine that is none of those that the program has.
func unknownMachine(id string, machines []string) error {
	const code = "UnknownMachineError"
	if len(machines) == 0 {
		return newRefusal(code, audit.Rejected, "there is no machine %q: the program has none that others drive; one is an fsm with drive: external, "+
			"and with include: [mcp] in agentc.yaml every machine of the program", id)
	}

	return newRefusal(code, audit.Rejected, "there is no machine %q: there are %s", id, strings.Join(machines, ", "))
}

// otherVersion is a key of the blackboard that does not have the required version; 0 is no value.
func otherVersion(key string, want, have uint64) error {
	const code = "VersionError"
	switch {
	case have == 0:
		return newRefusal(code, audit.Stale, "key %q has no value, and not version %d", key, want)
	case want == 0:
		return newRefusal(code, audit.Stale, "key %q has a value already, of version %d", key, have)
	}

	return newRefusal(code, audit.Stale, "key %q was written since: its version is %d, not %d", key, have, want)
}

// CheckIdentity returns an error, whose code is IdentityError, if a caller claims to be another one than its credential
// says, or a timer.
func CheckIdentity(agent, identity string) error {
	const code = "IdentityError"
	switch {
	case agent == drive.AgentTimer || identity == drive.AgentTimer:
		return newRefusal(code, audit.Denied, "%q is reserved: the steps of timers are made under that name", drive.AgentTimer)
	case agent != "" && identity != "" && agent != identity:
		return newRefusal(code, audit.Denied, "agent %q is not whom the credential names: that is %q", agent, identity)
	}

	return nil
}

// resultOf returns the meaning of an error in the record.
func resultOf(err error) audit.Result {
	var own *refusal
	switch {
	case errors.As(err, &own):
		return own.result
	case errs.Is[*drive.AccessError](err):
		return audit.Denied
	case errs.Is[*drive.StaleError](err):
		return audit.Stale
	case errs.Is[*runtime.InvalidTransitionError](err), errs.Is[*runtime.GuardRejectedError](err), errs.Is[*rt.UnknownNameError](err):
		return audit.Rejected
	}

	return audit.Failed
}
