package budget

import (
	"context"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// Scope is the budgets of a branch, and the time of the effect that is under way in it.
type Scope struct {
	// ctx is the context of the run.
	ctx   context.Context
	clock clock.Clock
	// alarms ring when time has run out; nil: the clock does, if it can.
	alarms Alarms
	// budget is the innermost budget; nil without any.
	budget *budget
	// timed is the effect that is under way, if a budget limits its time; else nil.
	timed *timedEffect
	// overdue reports whether the newest effect was ended because a budget had no time left: its
	// outcome is not known.
	overdue bool
}

// Alarms report that time has passed, in place of a clock.
type Alarms interface {
	// Alarm calls ring when d has passed, unless stop is called before.
	Alarm(d time.Duration, ring func()) (stop func())
}

// timedEffect is an effect that has only so much time.
type timedEffect struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	// stopAlarm makes the alarm forget the effect.
	stopAlarm func()
}

// NewScope returns the scope of a whole run, whose budget is limit; nil for a run without one.
func NewScope(ctx context.Context, c clock.Clock, a Alarms, limit *runtime.Budget) Scope {
	s := Scope{ctx: ctx, clock: c, alarms: a}
	if limit != nil {
		s.budget = newBudget(nil, "", "", limit)
	}

	return s
}

// InBranch returns the scope of a branch, which spends from the same budgets. a rings in the branch.
func (s *Scope) InBranch(a Alarms) Scope {
	return Scope{ctx: s.ctx, clock: s.clock, alarms: a, budget: s.budget}
}

// Limit begins a budget of an agent or a step, until end is called.
func (s *Scope) Limit(agent, step string, b *runtime.Budget) (end func()) {
	previous := s.budget
	s.budget = newBudget(previous, agent, step, b)

	return func() { s.budget = previous }
}

// IsLimited reports whether there is a budget.
func (s *Scope) IsLimited() bool { return s.budget != nil }

// LimitsMoney reports whether a budget limits what models may cost.
func (s *Scope) LimitsMoney() bool { return s.budget != nil && s.budget.paid }

// IsOverdue reports whether the newest effect was ended because a budget had no time left: its
// outcome is not known. That of an effect which a deadline has ended is an error.
func (s *Scope) IsOverdue() bool { return s.overdue }

// Spend counts what was spent. There must be a budget.
func (s *Scope) Spend(outlays ...Outlay) { s.budget.spend(outlays...) }

// TakeRemarks returns what no conversation has been notified of yet, the innermost budget first.
func (s *Scope) TakeRemarks() []string {
	if s.budget == nil {
		return nil
	}

	return s.budget.takeRemarks()
}

// CheckTime returns a *runtime.BudgetError if no time is left for another effect, and an
// *errs.OvertimeError after a deadline.
func (s *Scope) CheckTime() error { return s.admit(0, false) }

// Deadline returns when the next deadline is, and the error after it; zero and nil without one.
func (s *Scope) Deadline() (at time.Time, late error) {
	next := s.budget.nextDeadline()
	if next == nil {
		return time.Time{}, nil
	}

	return next.max.Deadline, next.overtimeError()
}

// StartEffect refuses an effect that takes working time if none is left, and ends it when the time
// runs out. stopEffect must be called when it has ended.
func (s *Scope) StartEffect() error { return s.admit(0, true) }

// StartCall is startEffect for a turn of a model, which takes a call out of all budgets, too.
func (s *Scope) StartCall() error { return s.admit(1, true) }

// admit refuses an effect for which a budget has nothing left. It takes calls of models out of the
// budgets and, if the effect works, starts its time.
func (s *Scope) admit(calls int64, works bool) error {
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
func (s *Scope) startTime(now time.Time) {
	shortest, left := s.budget.startWatches(now)
	ctx, cancel := context.WithCancelCause(s.ctx)
	s.timed = &timedEffect{ctx: ctx, cancel: cancel, stopAlarm: func() {}}
	ring := func() { cancel(shortest.timeError(s.clock.Now())) }
	if late := s.budget.nextDeadline(); late != nil {
		rest := late.max.Deadline.Sub(now)
		if shortest == nil || rest < left {
			left = rest
			ring = func() { cancel(late.overtimeError()) }
		}
	}
	alarms, isAlarmClock := s.clock.(clock.AlarmClock)
	switch {
	case s.alarms != nil:
		s.timed.stopAlarm = s.alarms.Alarm(left, ring)
	case isAlarmClock:
		s.timed.stopAlarm = alarms.AfterFunc(left, ring)
	}
}

// StopEffect stops the time of an effect that has ended with err. wasTimed is false if its time was
// not limited.
func (s *Scope) StopEffect(err error) (wasTimed bool) {
	if s.timed == nil {
		return false
	}
	now := s.clock.Now()
	s.overdue = err != nil && errs.Is[*runtime.BudgetError](context.Cause(s.timed.ctx))
	s.timed.stopAlarm()
	s.timed.cancel(nil)
	s.timed = nil
	s.budget.stopWatches(now)

	return true
}

// EffectContext returns the context of the effect that is under way.
func (s *Scope) EffectContext() context.Context {
	if s.timed == nil {
		return s.ctx
	}

	return s.timed.ctx
}

// Stopped returns why the effect that is under way may not continue: the cause of the run's
// cancellation, or the budget whose time ran out; nil if it may.
func (s *Scope) Stopped() error {
	if cause := usercode.Cause(s.ctx); cause != nil || s.timed == nil {
		return cause
	}

	return usercode.Cause(s.timed.ctx)
}

// CauseOr returns why the effect that is under way may not continue, else err.
func (s *Scope) CauseOr(err error) error {
	if cause := s.Stopped(); cause != nil {
		return cause
	}

	return err
}

// TakeWarnings returns the budgets that are nearly used up now, each once.
func (s *Scope) TakeWarnings() []warning {
	if s.budget == nil {
		return nil
	}
	now := time.Time{}
	if s.budget.timed {
		now = s.clock.Now()
	}

	return s.budget.takeWarnings(now)
}
