package core

import (
	"errors"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// effect is one effect of a run. Each kind is described in a file of its own: tool.go, call.go, guard.go, ask.go, sleep.go, now.go, and
// turn.go for a turn of a model. What all of them have in common is perform.
type effect interface {
	// intent is the effect as it is recorded before it happens.
	intent() *intent
	// admit refuses an effect for which a budget has nothing left; end ends what begin has begun, and returns the effect's error.
	admit() error
	finish(err error) error
	// runInEngine carries the effect out where it is decided: by a script, say. If it does not, ok is false, and the host does, or else
	// this process.
	runInEngine() (ok bool, err error)
	runOnHost() error
	runInProcess() error
	// skipRecorded has scripts skip what they answered, because an earlier process has the result.
	skipRecorded(result *journal.Record)
	// countRecorded counts what was spent by an effect whose result an earlier process has recorded, with its error.
	countRecorded(was *recordedEffect, err error)
	// resultFields are the result as it is recorded; read is only asked of what fields has written. more are fields of any result, also
	// of an error.
	resultFields() []journal.Field
	readResult(result *journal.Record) error
	extraFields() []journal.Field
}

// unrepeatable is an effect that may have happened when its process ended. Instead of repeating it, skip makes a result of that, and give
// of what a person knows.
type unrepeatable interface {
	skipUnknown() error
	setResult(text string, isJSON bool)
}

// basic is what most kinds of effects have in common. If fx were embedded, the methods of Effects would be compiled again for each kind.
type basic struct{ fx *Effects }

func (b *basic) admit() error { return b.fx.begin() }

func (b *basic) finish(err error) error { return b.fx.ended(b.fx.run.clean(err)) }

func (*basic) runInEngine() (ok bool, err error) { return false, nil }

func (*basic) skipRecorded(*journal.Record) {}

func (b *basic) countRecorded(was *recordedEffect, _ error) { b.fx.respendOf(was) }

func (*basic) extraFields() []journal.Field { return nil }

// execute is the path of every effect. In a run that has a journal its result comes from there, or it is carried out, with its intent
// before and its result after it.
func (f *Effects) execute(e effect) error {
	t := f.run.journal
	if t == nil {
		return f.runNow(e)
	}
	in, address := e.intent(), f.Address()
	was, err := t.lookup(f, in, address)
	if err != nil {
		return err
	}
	if was != nil && !t.readOnly {
		skipAll(e, was.dropped)
	}
	if was != nil && was.result != nil {
		err := f.replayResult(e, in, was)
		e.countRecorded(was, err)

		return err
	}
	if t.readOnly {
		return f.reportPending(in, was, address)
	}

	f.leaveReplay()
	if f.host == nil {
		f.run.readMessages()
	}
	f.respendOf(was)
	if was != nil && was.intent != nil {
		answer, err := f.decideUnknown(in, was, address)
		if err != nil {
			return err
		}
		if ok, err := f.applyAnswer(e, in, address, answer); ok {
			return f.writeOutcome(e, in, address, err)
		}
	}
	if err := f.writeIntent(in, was, address); err != nil {
		return err
	}

	return f.writeOutcome(e, in, address, f.runNow(e))
}

// runNow has an effect happen now.
func (f *Effects) runNow(e effect) error {
	if err := e.admit(); err != nil {
		return err
	}
	ok, err := e.runInEngine()
	switch {
	case ok || err != nil:
	case f.host != nil:
		err = f.executeOnHost(e)
	default:
		err = e.runInProcess()
	}

	return e.finish(err)
}

// replayResult reads a result that was recorded: a value or an error.
func (f *Effects) replayResult(e effect, in *intent, was *recordedEffect) error {
	if !f.run.journal.readOnly {
		skipAll(e, []*journal.Record{was.result})
	}
	if err := errorOf(was.result); err != nil {
		return err
	}
	if err := e.readResult(was.result); err != nil {
		return f.run.failRun(&DivergenceError{
			Run: f.run.id, Address: was.result.Address, Want: was.describe() + " with a result that cannot be read (" + err.Error() + ")",
			Got: describe(in.kind, in.what),
		})
	}

	return nil
}

// skipAll has scripts skip results that are not asked of them again.
func skipAll(e effect, results []*journal.Record) {
	for _, r := range results {
		e.skipRecorded(r)
	}
}

// leaveReplay notes that what this branch does from now on was not done before.
func (f *Effects) leaveReplay() {
	f.live = true
	f.run.watch.Lock()
	defer f.run.watch.Unlock()
	f.run.noteResumed(f.Address())
}

// writeIntent records that an effect is about to be carried out. One that must not happen twice waits until that is on the disk.
func (f *Effects) writeIntent(in *intent, was *recordedEffect, address string) error {
	r := f.run
	if err := r.checkStore(); err != nil {
		return err
	}
	if in.kind == kindNow || in.kind == kindAsk && was != nil && was.intent != nil {
		return nil // the time takes none, and a question is still the same one
	}
	r.append(in.record(address))
	switch {
	case in.class == classOnce:
		return r.sync()
	case !in.lazy:
		r.journal.w.Flush()
	}

	return nil
}

// writeOutcome records what became of an effect. A cause of cancellation is none, nor is a pause, nor a fault of a script: the effect is
// done when the run goes on. After cancellation the cause is returned, but what was done stays recorded.
func (f *Effects) writeOutcome(e effect, in *intent, address string, err error) error {
	cause := f.run.stopped()
	switch {
	case err == nil:
		f.writeResult(e, in, address, e.resultFields())
	case cause != nil || isNoResult(err) || f.overdue:
	default:
		f.writeResult(e, in, address, errorResult(err))
	}
	if cause != nil {
		return cause
	}

	return err
}

// isNoResult says that an error is no result.
func isNoResult(err error) bool {
	var paused *runtime.PausedError
	var script *runtime.ScriptError

	return errors.As(err, &paused) || errors.As(err, &script) || isRecordingMiss(err)
}

func (f *Effects) writeResult(e effect, in *intent, address string, fields []journal.Field) {
	f.run.append(journal.Record{Type: journal.Result, Address: address, Name: in.kind, Fields: append(fields, e.extraFields()...)})
}

// recordGroup is the effect that a parallel group is: it has no result of its own, for its branches have theirs.
func (f *Effects) recordGroup(n, limit int) error {
	in, address := parallelIntent(n, limit), f.Address()
	was, err := f.run.journal.lookup(f, in, address)
	switch {
	case err != nil || was != nil:
		return err
	case f.run.journal.readOnly:
		return f.reportPending(in, nil, address)
	}
	f.leaveReplay()
	if err := f.afford(); err != nil {
		return err
	}

	return f.writeIntent(in, nil, address)
}

// reportLive lets the parent know that this branch did what was not done before.
func (f *Effects) reportLive(around *Effects) {
	if f.live || f.hasLiveChild.Load() {
		around.hasLiveChild.Store(true)
	}
}

// checkBranchEnd is asked when a branch has returned: one that is replayed must not be over sooner than it was.
func (f *Effects) checkBranchEnd() {
	t := f.run.journal
	if t == nil || t.history == nil || f.live || f.run.stopped() != nil {
		return
	}
	address := string(f.appendAddress(nil, f.count+1))
	if was := t.history.effects[address]; was.hasBegun() {
		if t.changes != nil {
			_ = f.reportChange(address)
			return
		}
		got := "nothing, for the run has ended"
		if f.parent != nil {
			got = "nothing, for branch " + strconv.Itoa(f.branch) + " has ended"
		}
		f.run.failRun(&DivergenceError{Run: f.run.id, Address: address, Want: was.describe(), Got: got})
	}
}
