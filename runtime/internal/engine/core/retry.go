package core

import (
	"errors"
	"time"

	"github.com/agentc-dev/agentc/runtime/model"
)

// retryDelay returns how long to wait before a failed call is repeated. retry is false if the call
// is not repeated. attempt counts the calls so far. jitter is from 0 to 1.
func retryDelay(settings model.Retry, err error, attempt int, jitter float64) (delay time.Duration, retry bool) {
	if !canRetry(settings, err, attempt) {
		return 0, false
	}
	var failed *model.Error
	errors.As(err, &failed)

	return max(backoff(settings, attempt, jitter), failed.RetryAfter), true
}

// canRetry reports whether a call that has failed with err is repeated. attempt counts the calls so
// far.
func canRetry(settings model.Retry, err error, attempt int) bool {
	var failed *model.Error
	if !errors.As(err, &failed) || !failed.Retryable() || failed.RetryAfter > settings.Longest {
		return false
	}
	limit := settings.Attempts
	if failed.Attempts > 0 {
		limit = min(limit, failed.Attempts)
	}

	return attempt < limit
}

// backoff doubles from settings.First to settings.Most. Up to a half of it is subtracted by jitter,
// so that clients do not come back together.
func backoff(settings model.Retry, attempt int, jitter float64) time.Duration {
	wait := settings.First
	for range attempt - 1 {
		if wait >= settings.Most {
			break
		}
		wait *= 2
	}
	wait = min(wait, settings.Most)

	return wait - time.Duration(jitter*float64(wait/2))
}

// wrapLongWait returns the error of a failed call: LongWaitError if the call could be repeated only
// after too long a wait.
func wrapLongWait(settings model.Retry, err error) error {
	var failed *model.Error
	if !errors.As(err, &failed) || !failed.Retryable() || failed.RetryAfter <= settings.Longest {
		return err
	}

	return longWaitError(failed.RetryAfter, settings.Longest, err)
}
