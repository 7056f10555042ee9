package runtime

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// EndsRun reports whether an error ends the whole run, even if other branches could continue: the run waits for a
// person, its script does not match, a budget is used up, something that it needs is not implemented or configured,
// it cannot be replayed, or it is cancelled. An error type of another package implements EndsRun() bool to say so.
// Any other error is a failure of one branch or step, which others may make up for.
func EndsRun(err error) bool {
	if err == nil {
		return false
	}

	isMissing := errors.Is(err, ErrNotImplemented) || errors.Is(err, ErrNotAvailable) || errs.Is[*BadSettingError](err)
	isEnded := errs.Is[*CancelledError](err) || errs.Is[*BudgetError](err)

	return isMissing || isEnded || isWaiting(err) || endsRun(err)
}

// isWaiting reports whether the run waits for a person, or for another script.
func isWaiting(err error) bool { return errs.Is[*PausedError](err) || errs.Is[*ScriptError](err) }

// endsRun asks an error of another package, which says so by a method.
func endsRun(err error) bool {
	var own interface{ EndsRun() bool }

	return errors.As(err, &own) && own.EndsRun()
}
