package local

import "github.com/agentc-dev/agentc/runtime"

// errPending ends a branch of a run that is only looked at, where something would have to be done.
var errPending = &runtime.CancelledError{Reason: "the run is only looked at"}

// pending is an effect without a result, in a run that is only looked at: a question that is open is collected.
func (f *Effects) pending(in *intent, was *past, address string) error {
	f.live = true // what the branch says from now on is of no account
	if was == nil || was.intent == nil {
		return errPending
	}
	var q runtime.Question
	switch {
	case in.ask != nil:
		q = *in.ask
	case in.class == classOnce && in.onUnknown != onUnknownRetry:
		q = f.unknownEffect(in, address).Question()
	default:
		return errPending
	}
	if was.answers[q.ID] != nil {
		return errPending
	}
	f.run.tape.opens(address, q)

	return &runtime.PausedError{Run: f.run.id, Question: q}
}
