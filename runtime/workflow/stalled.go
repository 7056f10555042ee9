package workflow

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// StalledError is a machine that has to move on from a state, and no row leads on from it: the state is no end state, and every
// guard that was asked refused.
type StalledError struct {
	// Machine and State are the place, Event is how the state came out: success, failure or pause.
	Machine, State, Event string
	// Guards are those of the rows for the event, in source order, with what they read.
	Guards []runtime.GuardReason
}

func (e *StalledError) Error() string {
	text := fmt.Sprintf("machine %q stalled in state %q: no row leads on after %s, and it is no end state", e.Machine, e.State, e.Event)
	if len(e.Guards) > 0 {
		text += ": " + wording.Join(e.Guards)
	}

	return text
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*StalledError) ErrorType() string { return "StalledError" }
