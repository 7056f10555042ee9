package workflow

import (
	"errors"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Policy is how a step is tried.
type Policy struct {
	Step string
	// Retries is how often a failed step is tried again.
	Retries int
	// Backoff is the wait before the first retry, which doubles up to MaxBackoff; 0: as models.
	Backoff, MaxBackoff time.Duration
	// Timeout bounds each call of a model or a function; 0: no bound.
	Timeout time.Duration
	// Within bounds the step with all of its attempts, and with the time in which the run is paused
	// or no process executes it; 0: no bound. After it OnTimeout returns the output or, if that is
	// nil, the step fails with a *runtime.TimeoutError.
	Within    time.Duration
	OnTimeout func() Value
	// Tokens and USD bound what the models of the step may use and cost, in all tries; 0: no bound.
	Tokens int
	USD    float64
}

// Try executes a step until it succeeds or no attempt is left; then the error is a StepError. An
// error that ends the run, such as a pause or a used-up limit, is never followed by another
// attempt.
func (r *Run) Try(p Policy, work func() (Value, error)) (Value, error) {
	return r.TryElse(p, work, nil)
}

// TryElse is Try with a fallback, which has one attempt when all others have failed.
func (r *Run) TryElse(p Policy, work, fallback func() (Value, error)) (Value, error) {
	value, failed, err := r.attemptTask(p, work)
	if isOvertime(err, r.workflow, p.Step) {
		value, err = p.timeOut()
		failed = err != nil
	}
	if !failed {
		return value, err
	}
	err = r.stepError(p.Step, p.Retries+1, err)
	if fallback == nil {
		return Value{}, err
	}

	outer := r.caught
	r.caught = DescribeError(err)
	value, second := fallback()
	r.caught = outer
	if second == nil {
		return value, nil
	}
	if end := r.fatalError(second); end != nil {
		return Value{}, end
	}
	both := *err.(*stepError)
	both.Err = errors.Join(both.Err, unwrapReported(second))

	return Value{}, &both
}

// attemptTask calls work until it succeeds or no attempt is left. failed reports whether err is the
// failure of the last attempt, and not an error that ends the run.
func (r *Run) attemptTask(p Policy, work func() (Value, error)) (value Value, failed bool, err error) {
	repeatable := r.repeatable
	r.repeatable = repeatable || p.Retries > 0
	defer func() { r.repeatable = repeatable }()
	defer r.limitUsage(p)()
	for try := 1; ; try++ {
		value, err = work()
		if err == nil {
			return value, false, nil
		}
		if end := r.fatalError(err); end != nil {
			return Value{}, false, end
		}
		if try > p.Retries {
			return Value{}, true, err
		}
		err = r.fx.Backoff(r.workflow, try, err, model.Retry{First: p.Backoff, Most: p.MaxBackoff})
		if err != nil {
			return Value{}, false, err
		}
	}
}

// unwrapReported returns the error inside of a reportedError, or err itself.
func unwrapReported(err error) error {
	if known, isReported := err.(reportedError); isReported {
		return known.error
	}

	return err
}

// UndoOnError returns work for a step that has steps of its own. A failed attempt is undone: the
// run is as it was before, its context included.
func UndoOnError[R any, P embedsRun[R]](r P, work func() (Value, error)) func() (Value, error) {
	return func() (Value, error) {
		before := *r
		value, err := work()
		if err != nil && !errs.Is[*leaveSignal](err) {
			*r = before
		}

		return value, err
	}
}
