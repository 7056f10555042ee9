package core

import (
	"errors"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// perform is an effect of a run that has a journal: its result comes from there, or it is carried out, with its intent before and its
// result after it. was is what the journal had, if the result is from there.
func perform[T any](f *Effects, in *intent, c codec[T], do func() (T, error)) (value T, was *past, err error) {
	o := &outcomeOf[T]{codec: c, effect: do}
	if was, err = f.execute(in, o); err != nil {
		return value, was, err
	}

	return o.value, was, nil
}

// execute is perform for results of every type, so that it is in a binary once and not for each of them.
func (f *Effects) execute(in *intent, o outcome) (was *past, err error) {
	t, address := f.run.journal, f.Address()
	was, err = t.find(f, in, address)
	if was != nil && !t.dry {
		in.skipAll(was.dropped)
	}
	switch {
	case err != nil:
		return nil, err
	case was != nil && was.result != nil:
		return was, f.readResult(in, o, was)
	}
	if t.dry {
		return nil, f.pending(in, was, address)
	}

	f.markLive()
	if f.host == nil {
		f.run.readMessages()
	}
	f.countRecorded(was)
	if was != nil && was.intent != nil {
		answer, err := f.decide(in, was, address)
		if err != nil {
			return nil, err
		}
		if ok, err := f.replied(in, o, address, answer); ok {
			return nil, f.writeOutcome(in, o, address, err)
		}
	}
	if err := f.writeIntent(in, was, address); err != nil {
		return nil, err
	}

	return nil, f.writeOutcome(in, o, address, o.carryOut())
}

// readResult reads a result that was recorded: a value or an error.
func (f *Effects) readResult(in *intent, o outcome, was *past) error {
	if !f.run.journal.dry {
		in.skipAll([]*journal.Record{was.result})
	}
	if err := errorOf(was.result); err != nil {
		return err
	}
	if err := o.read(was.result); err != nil {
		return f.run.fail(&DivergenceError{
			Run: f.run.id, Address: was.result.Address, Want: was.describe() + " with a result that cannot be read (" + err.Error() + ")",
			Got: describe(in.kind, in.what),
		})
	}

	return nil
}

// skipAll tells scripts of results that are not asked of them again.
func (in *intent) skipAll(results []*journal.Record) {
	if in.skip == nil {
		return
	}
	for _, r := range results {
		in.skip(r)
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
func (f *Effects) writeOutcome(in *intent, o outcome, address string, err error) error {
	cause := f.run.stopped()
	switch {
	case err == nil:
		f.result(in, address, o.fields())
	case cause != nil || unrecorded(err) || f.overdue:
	default:
		f.result(in, address, errorResult(err))
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

func (f *Effects) result(in *intent, address string, fields []journal.Field) {
	if in.more != nil {
		fields = append(fields, in.more()...)
	}
	f.run.append(journal.Record{Type: journal.Result, Address: address, Name: in.kind, Fields: fields})
}

// outcome is what an effect comes to, whatever the type of its result.
type outcome interface {
	// carryOut does the effect.
	carryOut() error
	// skip makes do with the result of the effect when it is not repeated.
	skip(in *intent) error
	// give takes the result that a person has given.
	give(text string, isJSON bool)
	// fields are the result as it is recorded, read takes it from there.
	fields() []journal.Field
	read(r *journal.Record) error
}

type outcomeOf[T any] struct {
	codec  codec[T]
	effect func() (T, error)
	value  T
}

func (o *outcomeOf[T]) carryOut() (err error) {
	o.value, err = o.effect()

	return err
}

func (o *outcomeOf[T]) skip(in *intent) (err error) {
	o.value, err = o.codec.skipped(in)

	return err
}

func (o *outcomeOf[T]) give(text string, isJSON bool) { o.value = o.codec.given(text, isJSON) }

func (o *outcomeOf[T]) fields() []journal.Field { return o.codec.fields(o.value) }

func (o *outcomeOf[T]) read(r *journal.Record) (err error) {
	o.value, err = o.codec.read(r)

	return err
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
