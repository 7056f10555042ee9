package core

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/errorcodec"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// effect is one effect of a run. Each kind is defined in a file of its own: tool.go, call.go,
// guard.go, ask.go, sleep.go, now.go, and turn.go for a turn of a model.
type effect interface {
	// intent describes the effect. It is recorded before the effect is carried out.
	intent() *intent
	// admit refuses the effect if a budget has nothing left, and starts the budgets' time.
	admit() error
	// finish stops the time that admit has started, and returns the effect's error.
	finish(err error) error
	// runInEngine carries the effect out if the engine decides it, for example by a script. If it
	// is not handled, the host carries it out, or this process.
	runInEngine() (handled bool, err error)
	runOnHost() error
	runInProcess() error
	// skipRecorded has scripts skip a reply, because an earlier process has the result.
	skipRecorded(result *journal.Record)
	// countRecorded counts what was spent by an effect whose result is recorded. err is the
	// effect's error.
	countRecorded(prior *replay.Effect, err error)
	// resultFields are the recorded result. readResult reads them.
	resultFields() []journal.Field
	readResult(result *journal.Record) error
	// extraFields are recorded with any result, also with an error.
	extraFields() []journal.Field
}

// unrepeatable is an effect that may have happened when its process ended, and that must not be
// repeated.
type unrepeatable interface {
	// skipUnknown makes a result that reports that.
	skipUnknown() error
	// setResult makes a result of what a person knows.
	setResult(text string, isJSON bool)
}

// basic has the methods that most kinds of effects have in common. It does not embed fx: the
// methods of Effects would be compiled again for each kind.
type basic struct{ fx *Effects }

func (b *basic) admit() error { return b.fx.scope.StartEffect() }

func (b *basic) finish(err error) error { return b.fx.endEffect(b.fx.run.redactError(err)) }

func (*basic) runInEngine() (handled bool, err error) { return false, nil }

func (*basic) skipRecorded(*journal.Record) {}

func (b *basic) countRecorded(prior *replay.Effect, _ error) { b.fx.spendPrior(prior) }

func (*basic) extraFields() []journal.Field { return nil }

// execution is an effect on its way through the journal of its run.
type execution struct {
	fx     *Effects
	effect effect
	// isRecorded reports whether the journal has the effect. If not, there is nothing below.
	isRecorded bool
	intent     *intent
	address    string
	// prior is what earlier processes have recorded of the effect; nil if they have recorded
	// nothing.
	prior *replay.Effect
}

// newExecution returns the execution of an effect, which is recorded in a run that has a journal.
func (f *Effects) newExecution(e effect) *execution {
	return &execution{fx: f, effect: e, isRecorded: f.run.journal != nil}
}

// execute is the path of every effect. If it is recorded, the result comes from the journal, or the
// effect is carried out between its intent and its result. It is carried out in the engine, on the
// host or in this process.
func (x *execution) execute() error {
	e := x.effect
	if x.isRecorded {
		isDone, err := x.replayOrBegin()
		if isDone || err != nil {
			return err
		}
	}
	err := e.admit()
	if err == nil {
		handled := false
		handled, err = e.runInEngine()
		switch {
		case handled || err != nil:
		case x.fx.host != nil:
			err = x.runOnHost()
		default:
			err = e.runInProcess()
		}
		err = e.finish(err)
	}
	if x.isRecorded {
		return x.writeOutcome(err)
	}

	return err
}

// replayOrBegin returns the effect's result as the journal has it, or records that the effect is
// about to be carried out. isDone reports whether there is nothing to carry out.
func (x *execution) replayOrBegin() (isDone bool, err error) {
	f := x.fx
	x.intent, x.address = x.effect.intent(), f.Address()
	if err := x.lookUp(); err != nil {
		return false, err
	}
	x.skipDropped()
	switch {
	case x.prior.HasResult():
		return true, x.replayResult()
	case f.run.journal.readOnly:
		return true, x.reportPending()
	}

	f.leaveReplay()
	if f.host == nil {
		f.run.readMessagesNow(messageGap)
	}
	f.spendPrior(x.prior)
	if x.prior.IsInterrupted() {
		resolved, err := x.resolveUnknown()
		if resolved || err != nil {
			return true, err
		}
	}

	return false, x.writeIntent()
}

// lookUp finds what earlier processes have recorded of the effect. The error is a *DivergenceError
// if that is another effect.
func (x *execution) lookUp() error {
	j := x.fx.run.journal
	prior := j.recordedAt(x.address)
	if prior == nil {
		return nil
	}
	if !prior.HasBegun() {
		x.prior = prior

		return nil
	}
	if j.changes != nil && !x.intent.isUnchanged(prior) {
		return x.fx.reportChange(x.address)
	}
	if !x.intent.matches(prior, j.programText(x.fx.run.program)) {
		return x.fx.run.diverge(x.address, prior.Describe(), x.intent.describeDifference(prior))
	}
	x.prior = prior

	return nil
}

// skipDropped has scripts skip the results that do not count any more.
func (x *execution) skipDropped() {
	if x.prior == nil || x.fx.run.journal.readOnly {
		return
	}
	for _, r := range x.prior.Dropped {
		x.effect.skipRecorded(r)
	}
}

// replayResult returns the recorded result: a value or an error.
func (x *execution) replayResult() error {
	if !x.fx.run.journal.readOnly {
		x.effect.skipRecorded(x.prior.Result)
	}
	err := x.readResult()
	x.effect.countRecorded(x.prior, err)

	return err
}

func (x *execution) readResult() error {
	if err := errorcodec.FromResult(x.prior.Result); err != nil {
		return err
	}
	if err := x.effect.readResult(x.prior.Result); err != nil {
		want := x.prior.Describe() + " with a result that cannot be read (" + err.Error() + ")"

		return x.fx.run.diverge(x.prior.Result.Address, want, replay.Describe(x.intent.kind, x.intent.what))
	}

	return nil
}

// writeIntent records that the effect is about to be carried out. An effect that must not happen
// twice waits until that is on the disk. One that may be repeated waits if too many like it are not
// on the disk.
func (x *execution) writeIntent() error {
	r, in := x.fx.run, x.intent
	if err := r.checkStore(); err != nil {
		return err
	}
	isRecorded := in.kind == replay.KindAsk && x.prior.IsInterrupted() // the question is still the same
	if in.kind == replay.KindNow || isRecorded {
		return nil
	}
	count := r.appendRecord(in.record(x.address))
	switch {
	case in.class == replay.ClassOnce:
		return r.syncJournal()
	case !in.lazy:
		return r.flushIntent(count)
	}

	return nil
}

// writeOutcome records the result of the effect, which has ended with err, and returns the effect's
// error. An effect that was cancelled, has paused or has met a mistake of a script has no result:
// it is done when the run is resumed. After cancellation the error is the cause, but what was done
// stays recorded.
func (x *execution) writeOutcome(err error) error {
	cause := x.fx.run.stopped()
	switch {
	case err == nil:
		x.writeResult(x.effect.resultFields())
	case cause == nil && !x.fx.scope.IsOverdue() && !isNoResult(err):
		x.writeResult(errorcodec.ResultFields(err))
	}
	if cause != nil {
		return cause
	}

	return err
}

func (x *execution) writeResult(fields []journal.Field) {
	fields = append(fields, x.effect.extraFields()...)
	x.fx.run.appendRecord(journal.Record{Type: journal.Result, Address: x.address, Name: x.intent.kind, Fields: fields})
}

// isNoResult reports whether an effect that has ended with err has no result.
func isNoResult(err error) bool {
	var paused *runtime.PausedError
	var script *runtime.ScriptError

	return errors.As(err, &paused) || errors.As(err, &script) || isRecordingMiss(err)
}
