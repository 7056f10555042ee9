package workflow

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// stalledError means that a machine has to leave a state, and no transition is possible: the state is no end state,
// and every guard refused.
type stalledError struct {
	// Machine and State are where it stopped, and Event is the result of the state: success, failure or pause.
	Machine, State, Event string
	// Guards are those of the transitions for the event, in source order, with the values that they read.
	Guards []runtime.GuardReason
}

func (e *stalledError) Error() string {
	text := fmt.Sprintf("machine %q stalled in state %q: no row leads on after %s, and it is not an end state", e.Machine, e.State, e.Event)
	if len(e.Guards) > 0 {
		text += ": " + wording.Join(e.Guards)
	}

	return text
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*stalledError) ErrorType() string { return "StalledError" }
