package core

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// Guard asks a method of Guards; a section of the script answers before it. A machine that asks for signals is answered by those
// that were sent.
func (f *Effects) Guard(call runtime.GuardCall) (runtime.Verdict, error) {
	if err := f.next(); err != nil {
		return runtime.Verdict{}, err
	}
	if f.run.journal == nil {
		return f.timedGuard(call)
	}
	in := guardIntent(&call)
	in.skip = func(r *journal.Record) {
		if call.Signals != nil {
			if was, err := guardCodec.read(r); err == nil && was.Signal != nil && call.Signals.Again == nil {
				f.ruled(was.Signal.Signal)
			}

			return
		}
		for _, player := range f.run.playing() {
			if _, ok, err := player.Guard(call, f.path()); ok || err != nil {
				return
			}
		}
	}
	verdict, was, err := perform(f, in, guardCodec, func() (runtime.Verdict, error) { return f.timedGuard(call) })
	f.countRecorded(was)

	return verdict, err
}

func (f *Effects) timedGuard(call runtime.GuardCall) (runtime.Verdict, error) {
	if err := f.begin(); err != nil {
		return runtime.Verdict{}, err
	}
	verdict, err := f.guard(call)
	if verdict.Reason != "" {
		verdict.Reason = f.run.redactor().Text(verdict.Reason)
	}

	return verdict, f.ended(f.run.clean(err))
}

func (f *Effects) guard(call runtime.GuardCall) (runtime.Verdict, error) {
	if call.Signals != nil {
		ruling, err := f.signal(call)

		return runtime.Verdict{Signal: ruling}, err
	}
	for _, player := range f.run.playing() {
		if verdict, ok, err := player.Guard(call, f.path()); ok || err != nil {
			return verdict, err
		}
	}

	fault := func(err error) error {
		return &runtime.GuardError{Machine: call.Machine, State: call.State, Key: call.Key, Guard: call.Name, Err: err}
	}
	if f.host != nil {
		verdict, err := f.host.Guard(f.context(), f.at(), call)

		return verdict, f.hosted(err)
	}
	if call.Run == nil {
		return runtime.Verdict{}, fault(runtime.ErrNotImplemented)
	}
	verdict, err := within(f.userContext(), "guard "+call.Name, call.Run)
	if cause := f.stopped(); cause != nil && (err != nil || f.run.journal == nil) {
		return runtime.Verdict{}, cause
	}
	if err != nil {
		return runtime.Verdict{}, fault(err)
	}

	return verdict, nil
}
