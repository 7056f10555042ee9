package core

import (
	"fmt"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/spell"
)

// LongWaitError is a call of a model that could be made again only after a longer wait than a run holds out: the provider has
// asked for it.
type LongWaitError struct {
	// Wait is what the provider asked for, Longest what it may ask for.
	Wait, Longest time.Duration
	// Err is the failure, a *model.Error.
	Err error
}

func (e *LongWaitError) Error() string {
	return fmt.Sprintf("%v; the provider asks to wait for %s, and a run waits for %s at most", e.Err, spell.Wait(e.Wait),
		spell.Wait(e.Longest))
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*LongWaitError) ErrorType() string { return "LongWaitError" }

// Unwrap returns the failure.
func (e *LongWaitError) Unwrap() error { return e.Err }
