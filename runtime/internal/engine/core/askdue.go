package core

import (
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// setDue sets when the time of the question is over: its own time, as an earlier process has recorded
// it, or from now on; or the time of a step around it, if that is over first.
func (e *askEffect) setDue() {
	q := &e.question
	if !q.Due.IsZero() {
		return
	}
	if q.Timeout > 0 {
		q.Due = e.ownDue()
	}
	e.setDeadline()
	if q.IsTimer {
		q.Prompt = "waits until " + q.Due.Format(time.RFC3339)
	}
}

// ownDue returns when the question's own time is over.
func (e *askEffect) ownDue() time.Time {
	prior := e.fx.run.journal.recordedAt(e.fx.Address())
	if prior.HasBegun() && prior.Intent != nil {
		var recorded recordedQuestion
		err := json.Unmarshal([]byte(prior.Intent.Value("args")), &recorded)
		if err == nil && !recorded.Due.IsZero() {
			return recorded.Due
		}
	}

	return e.fx.run.engine.config.Clock.Now().Add(e.question.Timeout).UTC()
}

// setDeadline ends the time of the question with that of a step around it, if that is over first.
func (e *askEffect) setDeadline() {
	q := &e.question
	deadline, late := e.fx.scope.Deadline()
	if late == nil || !q.Due.IsZero() && q.Due.Before(deadline) {
		return
	}
	q.Due, q.Timeout, e.late = deadline.UTC(), deadline.Sub(e.fx.run.engine.config.Clock.Now()), late
}

// isOverdue reports whether the time of the question is over.
func (e *askEffect) isOverdue() bool {
	return !e.question.Due.IsZero() && e.remaining() <= 0
}

// remaining returns how much time the question has left; 0 if it has no limit. Where the clock was
// set back meanwhile, it is not longer than the whole time.
func (e *askEffect) remaining() time.Duration {
	if e.question.Due.IsZero() {
		return 0
	}

	return min(e.question.Due.Sub(e.fx.run.engine.config.Clock.Now()), e.question.Timeout)
}

// timeOut ends the question: without an error for a timer, which has no other end. Where the time of
// a step is over, the error ends that.
func (e *askEffect) timeOut() error {
	if e.late != nil {
		return e.late
	}
	if e.question.IsTimer {
		e.answer = runtime.Answer{By: byTimer}

		return nil
	}

	return &runtime.TimeoutError{What: "the answer to question \"" + e.question.ID + "\"", After: e.question.Timeout}
}

// byTimer is who has ended a wait that is over.
const byTimer = "timer"

// timeoutOr returns the end of the question if an asker has returned because its time is over,
// otherwise the error of the asker.
func (e *askEffect) timeoutOr(err error) error {
	if !errs.Is[*runtime.TimeoutError](err) {
		return err
	}

	return e.timeOut()
}

// waitsHere reports whether this process waits for a timer: no store keeps the run, or a person
// looks on, or a script answers for every agent, and its clock waits for nothing.
func (e *askEffect) waitsHere() bool {
	r := e.fx.run

	return r.journal == nil || r.engine.config.Asker != nil || r.isPlayed()
}

// waitUntilDue waits in this process.
func (e *askEffect) waitUntilDue() error {
	if e.fx.Watched() {
		e.fx.notePause(e.question)
	}
	e.fx.sleep(e.remaining())
	if err := e.fx.scope.Stopped(); err != nil {
		return err
	}

	return e.timeOut()
}
