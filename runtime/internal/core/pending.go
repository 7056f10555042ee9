package core

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/interrupted"
)

// errPending ends a branch of a run that is only looked at, where something would have to be done.
var errPending = &runtime.CancelledError{Reason: "the run is only looked at"}

// pending is an effect without a result, in a run that is only looked at: a question that is open is collected.
func (f *Effects) pending(in *intent, was *past, address string) error {
	f.live = true // what the branch says from now on is of no account
	if was == nil || was.intent == nil {
		return errPending
	}
	q, ok := in.question(func(in *intent) *event.UnknownEffect { return f.unknownEffect(in, address) })
	if !ok || was.answers[q.ID].misfit(q) == nil {
		return errPending
	}
	f.run.tape.opens(address, q)

	return &runtime.PausedError{Run: f.run.id, Question: q}
}

// question is what is asked about an effect without a result: its own question, or that about the effect that is not known to have
// happened.
func (in *intent) question(unknown func(*intent) *event.UnknownEffect) (q runtime.Question, ok bool) {
	switch {
	case in.ask != nil:
		return *in.ask, true
	case in.class == classOnce && in.onUnknown != onUnknownRetry:
		return interrupted.Question(unknown(in)), true
	}

	return q, false
}
