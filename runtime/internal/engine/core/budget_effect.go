package core

import (
	"context"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// afford reports, as *runtime.BudgetError, that no time is left for another effect.
func (f *Effects) afford() error { return f.admit(false, 0) }

// begin is asked before an effect that takes working time: it refuses one for which none is left, and ends it when time runs out.
// A caller who has begun an effect calls ended.
func (f *Effects) begin() error { return f.admit(true, 0) }

// admit refuses an effect for which a budget has nothing left. Otherwise it takes its calls of models out of all budgets and, if the
// effect works, lets time run.
func (f *Effects) admit(works bool, calls int64) error {
	f.overdue = false
	if f.budget == nil || calls == 0 && !f.budget.timed {
		return nil
	}
	now := f.run.engine.config.Clock.Now()
	f.run.budgetMu.Lock()
	defer f.run.budgetMu.Unlock()
	if err := f.budget.refusal(calls > 0, now); err != nil {
		return err
	}
	f.budget.add(outlay{calls: calls})
	if works && f.budget.timed {
		f.startWatches(now)
	}

	return nil
}

// startWatches lets time run, until ended is called or the budget with the least time left ends the effect.
func (f *Effects) startWatches(now time.Time) {
	var shortest *budget
	left := time.Duration(0)
	for b := f.budget; b != nil; b = b.around {
		if b.max.Time <= 0 {
			continue
		}
		b.watch.start(now)
		if rest := b.max.Time - b.watch.worked(now); shortest == nil || rest < left {
			shortest, left = b, rest
		}
	}

	ctx, cancel := context.WithCancelCause(f.run.ctx)
	f.timed = &timed{ctx: ctx, cancel: cancel, ring: func() {}}
	after := f.alarm()
	if after == nil {
		return
	}
	f.timed.ring = after(left, func() {
		f.run.budgetMu.Lock()
		defer f.run.budgetMu.Unlock()
		late := shortest.error(wording.LimitTime, f.run.engine.config.Clock.Now())
		late.Spent = max(late.Spent, late.Max) // a clock that was set back in the meantime
		cancel(late)
	})
}

// alarm is what says that time has run out; nil if nothing does.
func (f *Effects) alarm() func(d time.Duration, ring func()) (stop func()) {
	if f.host != nil {
		return f.host.Alarm
	}
	if alarms, ok := f.run.engine.config.Clock.(AlarmClock); ok {
		return alarms.AfterFunc
	}

	return nil
}

// timed is an effect that is under way, and has only so much time.
type timed struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	// ring makes the alarm forget the effect.
	ring func()
}

// ended ends what begin has begun, and returns the effect's error.
func (f *Effects) ended(err error) error {
	if f.timed == nil {
		return err
	}
	now := f.run.engine.config.Clock.Now()
	f.overdue = err != nil && f.timed.ctx.Err() != nil
	f.timed.ring()
	f.timed.cancel(nil)
	f.timed = nil
	f.run.budgetMu.Lock()
	for b := f.budget; b != nil; b = b.around {
		if b.max.Time > 0 {
			b.watch.stop(now)
		}
	}
	f.run.budgetMu.Unlock()
	f.alert(true)

	return err
}

// context is that of the effect that is under way.
func (f *Effects) context() context.Context {
	if f.timed == nil {
		return f.run.ctx
	}

	return f.timed.ctx
}

// stopped returns why the effect that is under way may not go on: the cause of the run's cancellation, or the budget whose time
// ran out; nil if it may.
func (f *Effects) stopped() error {
	if cause := f.run.stopped(); cause != nil || f.timed == nil {
		return cause
	}
	if f.timed.ctx.Err() == nil {
		return nil
	}

	return context.Cause(f.timed.ctx)
}

// admit is that of a turn of a model, which spends more than time. What the model has to know of its budgets is added to the request.
func (t *modelTurn) admit() error {
	t.fx.overdue = false
	if t.fx.budget == nil {
		return nil
	}
	if err := t.knowsPrices(&t.request); err != nil {
		return err
	}
	if err := t.fx.admit(true, 1); err != nil {
		return err
	}
	t.fx.alert(true)
	t.remind(&t.request)

	return nil
}

// charge prices a call of a model and counts what it has used.
func (t *modelTurn) charge(request *model.Request, reply *model.Reply, result *turnResult) {
	t.fx.run.addUsage(reply.Usage)
	known, listed := t.fx.run.price(request, reply)
	result.unpriced, result.listed = !known || result.unpriced, listed || result.listed
	if t.fx.budget == nil {
		return
	}
	t.fx.run.budgetMu.Lock()
	t.fx.budget.add(outlay{tokens: int64(reply.Usage.Input) + int64(reply.Usage.Output), micro: reply.Cost})
	t.fx.run.budgetMu.Unlock()
	t.fx.alert(true)
}

// chargeFailed is charge for a call that has failed with err, which is kept for the journal.
func (t *modelTurn) chargeFailed(request *model.Request, result *turnResult, err error) {
	if result.reply.Usage != (model.Usage{}) || result.reply.Cost != 0 {
		t.charge(request, &result.reply, result)
		result.failedSpending = result.failedSpending.plus(&result.reply)
	}
	if t.fx.run.journal != nil {
		result.addFailedCall(request, err)
	}
}
