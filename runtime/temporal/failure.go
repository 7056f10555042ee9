package temporal

import (
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/errorcodec"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// failureOf is an error as Temporal keeps it: its type is that which events name, and its details give it back as it was. It is
// tried again after a wait, if there is one. Of nil it is nil.
func failureOf(err error, wait time.Duration) error {
	if err == nil {
		return nil
	}
	o := temporal.ApplicationErrorOptions{NonRetryable: wait == 0, NextRetryDelay: wait, Details: []any{errorcodec.Encode(err)}}
	kind := runtime.ErrorType(err)
	if kind == "PanicError" {
		kind = "agentc.PanicError" // that name without more is one of Temporal's own, with other details
	}

	return temporal.NewApplicationErrorWithOptions(err.Error(), kind, o)
}

// errorOf returns the error of a run, or of an effect, as it was before Temporal encoded it; any other error is
// returned unchanged.
func errorOf(err error) error {
	var detailed interface { // an application error, or a cancellation
		HasDetails() bool
		Details(into ...any) error
	}
	var data []byte
	if errors.As(err, &detailed) && detailed.HasDetails() && detailed.Details(&data) == nil {
		return errorcodec.Decode(data)
	}

	return err
}

// isWorkerLost reports whether the result of an activity is unknown, because its worker was gone or
// took too long.
func isWorkerLost(err error) bool {
	return errs.Is[*temporal.TimeoutError](err)
}
