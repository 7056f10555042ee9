package core

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// attempts asks one model until it answers or has failed for good. What came with a failure of what was used is spent all the same.
func (t *modelTurn) attempts(m *openModel, request model.Request) (model.Reply, error) {
	for attempt := 0; ; attempt++ {
		reply, err := t.chat(m, request, attempt)
		t.tries++
		if err == nil {
			t.charge(&request, &reply)

			return reply, nil
		}
		if reply.Usage != (model.Usage{}) || reply.Cost != 0 {
			t.charge(&request, &reply)
			t.failed = t.failed.and(&reply)
		}
		err = t.run.clean(err)
		t.lose(&request, &reply, err)
		err = bearable(t.run.engine.config.Retry, err)
		if t.stopped() != nil || !t.again(request, err, attempt+1) || t.stopped() != nil {
			return reply, err
		}
	}
}

// again reports whether a failed call is repeated, after it has waited. attempt counts the attempts so far.
func (t *modelTurn) again(request model.Request, err error, attempt int) bool {
	retry := t.run.engine.config.Retry
	if t.host != nil && t.run.script == nil && t.player == nil && t.replay == nil {
		return false // it has been
	}
	failed := retry.repeats(err, attempt)
	if failed == nil {
		return false
	}

	wait := max(backoff(retry, attempt), failed.RetryAfter)
	if t.run.script != nil || t.player != nil || t.replay != nil {
		wait = failed.RetryAfter // nothing random in a run that is scripted or played
	}
	t.showsError(err)
	t.noteRetry(request, attempt, err.Error(), wait)
	if t.player == nil && t.replay == nil {
		t.pause(wait)
	}

	return true
}

func (t *modelTurn) noteRetry(request model.Request, attempt int, problem string, wait time.Duration) {
	if t.Watched() {
		t.Note(event.Event{Kind: event.Retry, Agent: request.Agent, Count: attempt, Problem: problem, Wait: wait})
	}
}

// repeats returns the failure after which a call is made again; nil if it is not.
func (r Retry) repeats(err error, attempt int) *model.Error {
	var failed *model.Error
	if !errors.As(err, &failed) || !failed.Retryable() || attempt >= r.Attempts || failed.RetryAfter > r.Longest {
		return nil
	}

	return failed
}

// bearable is the error of a call that failed; *LongWaitError if it could be made again only after too long a wait.
func bearable(retry Retry, err error) error {
	var failed *model.Error
	if !errors.As(err, &failed) || !failed.Retryable() || failed.RetryAfter <= retry.Longest {
		return err
	}

	return &LongWaitError{Wait: failed.RetryAfter, Longest: retry.Longest, Err: err}
}

// backoff doubles from retry.First to retry.Most, less up to a half by chance, so that clients do not come back together.
func backoff(retry Retry, attempt int) time.Duration {
	wait := retry.First
	for range attempt - 1 {
		if wait >= retry.Most {
			break
		}
		wait *= 2
	}
	wait = min(wait, retry.Most)

	return wait - time.Duration(rand.Int64N(int64(wait)/2+1))
}
