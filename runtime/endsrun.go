package runtime

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime/internal/errs"
)

// EndsRun reports whether an error ends the run, whatever else of it could go on: the run waits for a person, its script does
// not fit, a limit is spent, something that it needs is not written or not configured, it cannot be replayed, or it is cancelled.
// An error of another package says so by a method EndsRun() bool. Anything else is a failure of the branch or the step that it
// comes from, which others may make up for.
func EndsRun(err error) bool {
	if err == nil {
		return false
	}

	return errs.Is[*PausedError](err) || errs.Is[*ScriptError](err) || errs.Is[*CancelledError](err) || errs.Is[*BudgetError](err) ||
		errors.Is(err, ErrNotImplemented) || errors.Is(err, ErrNotAvailable) || errs.Is[*BadSettingError](err) || endsRun(err)
}

// endsRun asks an error of another package, which says so by a method.
func endsRun(err error) bool {
	var own interface{ EndsRun() bool }

	return errors.As(err, &own) && own.EndsRun()
}
