package core

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Guard calls a method of Guards; a section of the script answers before it. A machine that asks
// for signals gets those that were sent.
func (f *Effects) Guard(call runtime.GuardCall) (runtime.Verdict, error) {
	if err := f.beginEffect(); err != nil {
		return runtime.Verdict{}, err
	}
	e := &guardEffect{basic: basic{f}, call: call}
	if err := f.newExecution(e).execute(); err != nil {
		return runtime.Verdict{}, err
	}

	return e.verdict, nil
}

// guardEffect is a call of a guard, or a machine that asks for signals.
type guardEffect struct {
	basic
	call    runtime.GuardCall
	verdict runtime.Verdict
	// returned is what the method has returned. One that was abandoned may still write it.
	returned runtime.Verdict
}

func (e *guardEffect) intent() *intent {
	call := &e.call
	in := &intent{
		kind: replay.KindGuard, what: call.Name, shape: digestOf(replay.KindGuard, call.Machine, call.State, call.Key, call.Name),
	}
	if call.Signals != nil {
		in.lazy = true
		if again := call.Signals.Deferred; again != nil {
			in.shape = in.shape.add(again.Kind)
		}
	}

	return in
}

func (e *guardEffect) runInEngine() (ok bool, err error) {
	if e.call.Signals != nil {
		e.verdict.Signal, err = e.nextSignal()

		return true, err
	}
	for _, player := range e.fx.run.players() {
		e.verdict, ok, err = player.Guard(e.call, e.fx.at.Path())
		if ok || err != nil {
			return ok, err
		}
	}

	return false, nil
}

func (e *guardEffect) skipRecorded(r *journal.Record) {
	if e.call.Signals == nil {
		_, _ = e.runInEngine()

		return
	}
	if prior, err := replay.ReadVerdict(r); err == nil && prior.Signal != nil && e.call.Signals.Deferred == nil {
		e.fx.run.signals.Drop(prior.Signal.Signal, &e.fx.at)
	}
}

func (e *guardEffect) runOnHost() (err error) {
	e.verdict, err = e.fx.host.Guard(e.fx.scope.EffectContext(), e.fx.callInfoNow(), e.call)

	return err
}

func (e *guardEffect) runInProcess() error {
	if e.call.Run == nil {
		return e.wrapError(runtime.ErrNotImplemented)
	}
	err := e.fx.callUser(0, usercode.Name{Kind: "guard", Name: e.call.Name}, false, e)
	if cause := e.fx.cutShort(err); cause != nil {
		return cause
	}
	if err != nil {
		return e.wrapError(err)
	}
	e.verdict = e.returned

	return nil
}

// Run implements usercode.Code.
func (e *guardEffect) Run(ctx context.Context) (err error) {
	e.returned, err = e.call.Run(ctx)

	return err
}

// wrapError returns the error of a guard that has failed with err.
func (e *guardEffect) wrapError(err error) error {
	call := &e.call

	return &runtime.GuardError{Machine: call.Machine, State: call.State, Key: call.Key, Guard: call.Name, Err: err}
}

func (e *guardEffect) finish(err error) error {
	if e.verdict.Reason != "" {
		e.verdict.Reason = e.fx.run.redactor().Text(e.verdict.Reason)
	}

	return e.basic.finish(err)
}

func (e *guardEffect) resultFields() []journal.Field { return replay.VerdictFields(&e.verdict) }

func (e *guardEffect) readResult(r *journal.Record) (err error) {
	e.verdict, err = replay.ReadVerdict(r)

	return err
}
