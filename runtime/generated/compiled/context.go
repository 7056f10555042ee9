package compiled

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
)

// Context describes the context of a workflow at compile time. It must not be changed.
type Context struct {
	// Schema is the JSON Schema of the context; "" if any object is valid.
	Schema string
	// Check returns what is wrong with an initial context, as a *ValueError; nil if it is valid.
	Check func(context json.RawMessage) error
	// Run starts the workflow with an initial context that is valid according to Check.
	Run func(fx runtime.Effects, input string, context json.RawMessage) (runtime.Finish, error)
}

var errNoContext = errors.New("it is not a workflow, and has no context")

// ContextError means that a program cannot start with an initial context.
type ContextError struct {
	Agent string
	// Err is the reason: a *ValueError if the context is not valid.
	Err error
}

func (e *ContextError) Error() string {
	return fmt.Sprintf("the initial context of %q: %v", e.Agent, e.Err)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*ContextError) ErrorType() string { return "ContextError" }

// Unwrap returns what is wrong with the context.
func (e *ContextError) Unwrap() error { return e.Err }
