package core

import (
	"context"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// budgetScope is the budgets of a branch, and the time of the effect that is under way in it.
type budgetScope struct {
	// ctx is the context of the run.
	ctx   context.Context
	clock clock.Clock
	// host carries out the effects of the branch, and reports that time has run out; nil: this
	// process does.
	host Host
	// budget is the innermost budget; nil without any.
	budget *budget
	// timed is the effect that is under way, if a budget limits its time; else nil.
	timed *timedEffect
	// overdue reports whether the newest effect was ended because time ran out: its outcome is not
	// known.
	overdue bool
}

// timedEffect is an effect that has only so much time.
type timedEffect struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	// stopAlarm makes the alarm forget the effect.
	stopAlarm func()
}

// newBudgetScope is the scope of a whole run, with the budget of its program.
func newBudgetScope(r *run) budgetScope {
	s := budgetScope{ctx: r.ctx, clock: r.engine.config.Clock, host: r.host}
	if r.program != nil && r.program.Budget != nil {
		s.budget = newBudget(nil, "", "", r.program.Budget)
	}

	return s
}

// inBranch is the scope of a branch, which spends from the same budgets. The host is nil if the
// branch runs in this process.
func (s *budgetScope) inBranch(host Host) budgetScope {
	return budgetScope{ctx: s.ctx, clock: s.clock, host: host, budget: s.budget}
}

// Limit implements runtime.Effects.
func (s *budgetScope) Limit(agent, step string, b *runtime.Budget) (end func()) {
	previous := s.budget
	s.budget = newBudget(previous, agent, step, b)

	return func() { s.budget = previous }
}

// checkTime returns a *runtime.BudgetError if no time is left for another effect.
func (s *budgetScope) checkTime() error { return s.admit(0, false) }

// startEffect refuses an effect that takes working time if none is left, and ends it when the time
// runs out. stopEffect must be called when it has ended.
func (s *budgetScope) startEffect() error { return s.admit(0, true) }

// startCall is startEffect for a turn of a model, which takes a call out of all budgets, too.
func (s *budgetScope) startCall() error { return s.admit(1, true) }

// admit refuses an effect for which a budget has nothing left. It takes calls of models out of the
// budgets and, if the effect works, starts its time.
func (s *budgetScope) admit(calls int64, works bool) error {
	s.overdue = false
	isFree := calls == 0
	if s.budget == nil || isFree && !s.budget.timed {
		return nil
	}
	now := s.clock.Now()
	if err := s.budget.admit(calls, now); err != nil {
		return err
	}
	if works && s.budget.timed {
		s.startTime(now)
	}

	return nil
}

// startTime starts the time of an effect. The budget with the least time left ends it.
func (s *budgetScope) startTime(now time.Time) {
	shortest, left := s.budget.startWatches(now)
	ctx, cancel := context.WithCancelCause(s.ctx)
	s.timed = &timedEffect{ctx: ctx, cancel: cancel, stopAlarm: func() {}}
	ring := func() { cancel(shortest.timeError(s.clock.Now())) }
	alarms, isAlarmClock := s.clock.(clock.AlarmClock)
	switch {
	case s.host != nil:
		s.timed.stopAlarm = s.host.Alarm(left, ring)
	case isAlarmClock:
		s.timed.stopAlarm = alarms.AfterFunc(left, ring)
	}
}

// stopEffect stops the time of an effect that has ended with err. wasTimed is false if its time was
// not limited.
func (s *budgetScope) stopEffect(err error) (wasTimed bool) {
	if s.timed == nil {
		return false
	}
	now := s.clock.Now()
	s.overdue = err != nil && s.timed.ctx.Err() != nil
	s.timed.stopAlarm()
	s.timed.cancel(nil)
	s.timed = nil
	s.budget.stopWatches(now)

	return true
}

// effectContext is the context of the effect that is under way.
func (s *budgetScope) effectContext() context.Context {
	if s.timed == nil {
		return s.ctx
	}

	return s.timed.ctx
}

// stopped returns why the effect that is under way may not continue: the cause of the run's
// cancellation, or the budget whose time ran out; nil if it may.
func (s *budgetScope) stopped() error {
	if cause := causeOf(s.ctx); cause != nil || s.timed == nil {
		return cause
	}

	return causeOf(s.timed.ctx)
}

// causeOf is why a context has ended; nil if it has not.
func causeOf(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}

	return context.Cause(ctx)
}

// takeWarnings returns the budgets that are nearly used up now, each once.
func (s *budgetScope) takeWarnings() []warning {
	now := time.Time{}
	if s.budget.timed {
		now = s.clock.Now()
	}

	return s.budget.takeWarnings(now)
}

// endEffect is called when an effect that startEffect or startCall has begun ends with err. It
// returns the effect's error.
func (f *Effects) endEffect(err error) error {
	if f.stopEffect(err) {
		f.warnOfBudgets(true)
	}

	return err
}

// spendRecorded counts what an effect has spent in earlier processes.
func (f *Effects) spendRecorded(outlays ...outlay) {
	f.budget.spend(outlays...)
	f.warnOfBudgets(false)
}

// warnOfBudgets reports budgets that are nearly used up, each once: to the observer, to the
// innermost machine around the branch that has a rule for it, and to the next conversation. isNew
// is false while a run is replayed: then the observer was notified already.
func (f *Effects) warnOfBudgets(isNew bool) {
	if f.budget == nil {
		return
	}
	for _, w := range f.takeWarnings() {
		if isNew {
			f.Note(event.Event{Kind: event.Budget, Agent: w.agent, Name: w.limit, Text: w.spent})
		}
		if s := f.run.signalSource(); s != nil {
			signal := signals.Signal{Kind: "budget-alert", Value: w.value}
			s.Offer(&signaling.Sent{Signal: signal, Branch: &f.at, IsReplayed: !isNew})
		}
	}
}

// admit refuses a turn for which a budget has nothing left. What the model has to know of the
// budgets is added to the request.
func (t *modelTurn) admit() error {
	if t.fx.budget != nil {
		if err := t.checkPrice(&t.request); err != nil {
			return err
		}
	}
	if err := t.fx.startCall(); err != nil {
		return err
	}
	t.fx.warnOfBudgets(true)
	t.addRemarks(&t.request)

	return nil
}

// addRemarks adds to a request what has not been reported yet of the budgets, as a message that the
// conversation does not keep. A oneshot agent gets no such message: it ends with its answer in any
// case, and the answer should contain only what was asked.
func (t *modelTurn) addRemarks(request *model.Request) {
	if len(request.Tools) == 0 || t.fx.budget == nil {
		return
	}
	remarks := t.fx.budget.takeRemarks()
	if len(remarks) == 0 {
		return
	}
	text := "This is about the budget, not about the task: " + strings.Join(remarks, ", and ") +
		". When that is used up the work ends without a result, so finish before."
	request.Messages = append(request.Messages[:len(request.Messages):len(request.Messages)],
		model.Message{Role: model.RoleUser, Text: text})
}

// charge prices a call of a model and counts what it has used.
func (t *modelTurn) charge(request *model.Request, reply *model.Reply, result *turnResult) {
	t.fx.run.addUsage(reply.Usage)
	known, listed := t.fx.run.priceReply(request, reply)
	result.unpriced, result.listed = !known || result.unpriced, listed || result.listed
	if t.fx.budget == nil {
		return
	}
	t.fx.budget.spend(outlay{tokens: int64(reply.Usage.Input) + int64(reply.Usage.Output), micro: reply.Cost})
	t.fx.warnOfBudgets(true)
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
