package core

import (
	"errors"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// effect is one effect of a run. Each kind is described in a file of its own: tool.go, call.go, guard.go, ask.go, sleep.go, now.go, and
// turn.go for a turn of a model. What all of them have in common is perform.
type effect interface {
	// intent is the effect as it is recorded before it happens.
	intent() *intent
	// begin refuses an effect for which a budget has nothing left; end ends what begin has begun, and returns the effect's error.
	begin() error
	end(err error) error
	// answered carries the effect out where it is decided: by a script, say. If it does not, ok is false, and the host does, or else
	// this process.
	answered() (ok bool, err error)
	onHost() error
	here() error
	// skipRecorded has scripts skip what they answered, because an earlier process has the result.
	skipRecorded(result *journal.Record)
	// countRecorded counts what was spent by an effect whose result an earlier process has recorded, with its error.
	countRecorded(was *past, err error)
	// fields are the result as it is recorded; read is only asked of what fields has written. more are fields of any result, also
	// of an error.
	fields() []journal.Field
	read(result *journal.Record) error
	more() []journal.Field
}

// unrepeatable is an effect that may have happened when its process ended. Instead of repeating it, skip makes a result of that, and give
// of what a person knows.
type unrepeatable interface {
	skip() error
	give(text string, isJSON bool)
}

// basic is what most kinds of effects have in common. If fx were embedded, the methods of Effects would be compiled again for each kind.
type basic struct{ fx *Effects }

func (b *basic) begin() error { return b.fx.begin() }

func (b *basic) end(err error) error { return b.fx.ended(b.fx.run.clean(err)) }

func (*basic) answered() (ok bool, err error) { return false, nil }

func (*basic) skipRecorded(*journal.Record) {}

func (b *basic) countRecorded(was *past, _ error) { b.fx.respendOf(was) }

func (*basic) more() []journal.Field { return nil }

// perform is the path of every effect. In a run that has a journal its result comes from there, or it is carried out, with its intent
// before and its result after it.
func (f *Effects) perform(e effect) error {
	t := f.run.journal
	if t == nil {
		return f.carryOut(e)
	}
	in, address := e.intent(), f.Address()
	was, err := t.find(f, in, address)
	if err != nil {
		return err
	}
	if was != nil && !t.dry {
		skipAll(e, was.dropped)
	}
	if was != nil && was.result != nil {
		err := f.readResult(e, in, was)
		e.countRecorded(was, err)

		return err
	}
	if t.dry {
		return f.pending(in, was, address)
	}

	f.markLive()
	if f.host == nil {
		f.run.readMessages()
	}
	f.respendOf(was)
	if was != nil && was.intent != nil {
		answer, err := f.decide(in, was, address)
		if err != nil {
			return err
		}
		if ok, err := f.replied(e, in, address, answer); ok {
			return f.writeOutcome(e, in, address, err)
		}
	}
	if err := f.writeIntent(in, was, address); err != nil {
		return err
	}

	return f.writeOutcome(e, in, address, f.carryOut(e))
}

// carryOut has an effect happen now.
func (f *Effects) carryOut(e effect) error {
	if err := e.begin(); err != nil {
		return err
	}
	ok, err := e.answered()
	switch {
	case ok || err != nil:
	case f.host != nil:
		err = f.hosted(e)
	default:
		err = e.here()
	}

	return e.end(err)
}

// readResult reads a result that was recorded: a value or an error.
func (f *Effects) readResult(e effect, in *intent, was *past) error {
	if !f.run.journal.dry {
		skipAll(e, []*journal.Record{was.result})
	}
	if err := errorOf(was.result); err != nil {
		return err
	}
	if err := e.read(was.result); err != nil {
		return f.run.fail(&DivergenceError{
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

// markLive notes that what this branch does from now on was not done before.
func (f *Effects) markLive() {
	f.live = true
	f.run.watch.Lock()
	defer f.run.watch.Unlock()
	f.run.noteResumed(f.Address())
}

// writeIntent records that an effect is about to be carried out. One that must not happen twice waits until that is on the disk.
func (f *Effects) writeIntent(in *intent, was *past, address string) error {
	r := f.run
	if err := r.healthy(); err != nil {
		return err
	}
	if in.kind == kindNow || in.kind == kindAsk && was != nil && was.intent != nil {
		return nil // the time takes none, and a question is still the same one
	}
	r.append(in.record(address))
	switch {
	case in.class == classOnce:
		return r.settle()
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
		f.result(e, in, address, e.fields())
	case cause != nil || unrecorded(err) || f.overdue:
	default:
		f.result(e, in, address, errorResult(err))
	}
	if cause != nil {
		return cause
	}

	return err
}

// unrecorded says that an error is no result.
func unrecorded(err error) bool {
	var paused *runtime.PausedError
	var script *runtime.ScriptError

	return errors.As(err, &paused) || errors.As(err, &script) || misfit(err)
}

func (f *Effects) result(e effect, in *intent, address string, fields []journal.Field) {
	f.run.append(journal.Record{Type: journal.Result, Address: address, Name: in.kind, Fields: append(fields, e.more()...)})
}

// group is the effect that a parallel group is: it has no result of its own, for its branches have theirs.
func (f *Effects) group(n, limit int) error {
	in, address := parallelIntent(n, limit), f.Address()
	was, err := f.run.journal.find(f, in, address)
	switch {
	case err != nil || was != nil:
		return err
	case f.run.journal.dry:
		return f.pending(in, nil, address)
	}
	f.markLive()
	if err := f.afford(); err != nil {
		return err
	}

	return f.writeIntent(in, nil, address)
}

// wakeParent lets the parent know that this branch did what was not done before.
func (f *Effects) wakeParent(around *Effects) {
	if f.live || f.woken.Load() {
		around.woken.Store(true)
	}
}

// ends is asked when a branch has returned: one that is replayed must not be over sooner than it was.
func (f *Effects) ends() {
	t := f.run.journal
	if t == nil || t.past == nil || f.live || f.run.stopped() != nil {
		return
	}
	address := string(f.appendAddress(nil, f.count+1))
	if was := t.past.places[address]; was.began() {
		if t.changes != nil {
			_ = f.changed(address)
			return
		}
		got := "nothing, for the run has ended"
		if f.parent != nil {
			got = "nothing, for branch " + strconv.Itoa(f.branch) + " has ended"
		}
		f.run.fail(&DivergenceError{Run: f.run.id, Address: address, Want: was.describe(), Got: got})
	}
}
