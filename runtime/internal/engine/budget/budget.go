package budget

import (
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// budget is a budget that counts now: the budget of a run, or of one run of an agent or a step.
// What is spent in it is spent in the enclosing budgets, too. nil is no budget. It is safe for
// concurrent use.
type budget struct {
	// parent is the enclosing budget, and root the outermost one.
	parent, root *budget
	// agent and step name whose budget it is; both are "" for the run's.
	agent, step string
	max         runtime.Budget
	// timed and paid report whether this budget, or an enclosing one, limits time or money. A deadline
	// limits time.
	timed, paid bool

	// mu of the root guards the following fields of all budgets in it.
	mu sync.Mutex
	// tokens, micro (millionths of a dollar) and calls have been spent of max.
	tokens, micro, calls int64
	watch                stopwatch
	// isReported reports whether it was reported that the budget is nearly used up.
	isReported bool
	// remark is what the next conversation is notified of.
	remark string
}

// Outlay is what an effect has spent. It counts whether or not the effect has failed.
type Outlay struct {
	Calls, Tokens, Micro int64
	// Under is when the effect was under way in an earlier process.
	Under Span
}

// limits are what budgets limit, in the order in which they are checked.
var limits = []string{wording.LimitCalls, wording.LimitTokens, wording.LimitUSD, wording.LimitTime}

func newBudget(parent *budget, agent, step string, limit *runtime.Budget) *budget {
	isTimed := limit.Time > 0 || !limit.Deadline.IsZero()
	b := &budget{parent: parent, agent: agent, step: step, max: *limit, timed: isTimed, paid: limit.USD > 0}
	b.root = b
	if parent != nil {
		b.root, b.timed, b.paid = parent.root, b.timed || parent.timed, b.paid || parent.paid
	}

	return b
}

// admit takes calls of models out of all budgets. The error is a *runtime.BudgetError if one has
// nothing left, and an *errs.OvertimeError after a deadline.
func (b *budget) admit(calls int64, now time.Time) error {
	late := b.nextDeadline()
	if late != nil && !now.Before(late.max.Deadline) {
		return late.overtimeError()
	}

	b.root.mu.Lock()
	err := b.checkLimits(calls > 0, now)
	if err == nil {
		b.add(Outlay{Calls: calls})
	}
	b.root.mu.Unlock()

	return err
}

// checkLimits is the error of an effect that may not begin; nil if it may. Time is checked before
// each effect, the other limits before one that spends. The caller has the lock.
func (b *budget) checkLimits(spends bool, now time.Time) error {
	for ; b != nil; b = b.parent {
		for _, limit := range limits {
			if !spends && limit != wording.LimitTime {
				continue
			}
			if most := b.max.Of(limit); most > 0 && b.spentOf(limit, now) >= most {
				return b.limitError(limit, now)
			}
		}
	}

	return nil
}

// spentOf is how much of a limit is used. The caller has the lock.
func (b *budget) spentOf(limit string, now time.Time) int64 {
	switch limit {
	case wording.LimitCalls:
		return b.calls
	case wording.LimitTokens:
		return b.tokens
	case wording.LimitUSD:
		return b.micro
	}

	return int64(b.watch.worked(now))
}

// limitError is the error of a limit that is reached. The caller has the lock.
func (b *budget) limitError(limit string, now time.Time) *runtime.BudgetError {
	return &runtime.BudgetError{
		Where: wording.Spender(b.agent, b.step), Limit: limit, Max: b.max.Of(limit), Spent: b.spentOf(limit, now),
	}
}

// timeError is the error of an effect for which no time is left.
func (b *budget) timeError(now time.Time) *runtime.BudgetError {
	b.root.mu.Lock()
	late := b.limitError(wording.LimitTime, now)
	b.root.mu.Unlock()
	late.Spent = max(late.Spent, late.Max) // the clock may have been set back

	return late
}

// nextDeadline returns the budget whose deadline is the next one, the outermost of several; nil if
// none has one.
func (b *budget) nextDeadline() (next *budget) {
	for ; b != nil; b = b.parent {
		if b.max.Deadline.IsZero() {
			continue
		}
		if next == nil || !b.max.Deadline.After(next.max.Deadline) {
			next = b
		}
	}

	return next
}

// overtimeError is the error of an effect after the deadline.
func (b *budget) overtimeError() error {
	return &errs.OvertimeError{Workflow: b.agent, Step: b.step, After: b.max.Within}
}

// spend counts what was spent, in all enclosing budgets too.
func (b *budget) spend(outlays ...Outlay) {
	root := b.root
	root.mu.Lock()
	for _, o := range outlays {
		b.add(o)
	}
	root.mu.Unlock()
}

// add is spend for one outlay. The caller has the lock.
func (b *budget) add(o Outlay) {
	for ; b != nil; b = b.parent {
		b.calls += o.Calls
		b.tokens += o.Tokens
		b.micro += o.Micro
		if b.max.Time > 0 && o.Under.To.After(o.Under.From) {
			b.watch.addEarlier(o.Under)
		}
	}
}

// startWatches starts the time of an effect, and returns the budget with the least time left, and
// that time.
func (b *budget) startWatches(now time.Time) (shortest *budget, left time.Duration) {
	root := b.root
	root.mu.Lock()
	for ; b != nil; b = b.parent {
		if b.max.Time <= 0 {
			continue
		}
		b.watch.start(now)
		rest := b.max.Time - b.watch.worked(now)
		if shortest == nil || rest < left {
			shortest, left = b, rest
		}
	}
	root.mu.Unlock()

	return shortest, left
}

// stopWatches stops the time of an effect.
func (b *budget) stopWatches(now time.Time) {
	root := b.root
	root.mu.Lock()
	for ; b != nil; b = b.parent {
		if b.max.Time > 0 {
			b.watch.stop(now)
		}
	}
	root.mu.Unlock()
}

// warnPercent is the part of a budget, in percent, at which it is reported as nearly used up.
const warnPercent = 80

// warning reports that a budget is nearly used up.
type warning struct {
	Agent        string
	Limit, Spent string
	// Value is the value of the signal. It is the same when the run is resumed, so it does not
	// depend on the time.
	Value string
}

// takeWarnings returns the budgets that are nearly used up now, each once.
func (b *budget) takeWarnings(now time.Time) (warnings []warning) {
	b.root.mu.Lock()
	defer b.root.mu.Unlock()
	for ; b != nil; b = b.parent {
		if b.isReported {
			continue
		}
		limit, isNear := b.nearLimit(now)
		if !isNear {
			continue
		}
		most := wording.Amount(limit, b.max.Of(limit))
		b.isReported, b.remark = true, b.limitError(limit, now).Error()
		warnings = append(warnings, warning{
			Agent: b.agent, Limit: most, Spent: wording.Amount(limit, b.spentOf(limit, now)),
			Value: wording.Spender(b.agent, b.step) + ": " + most,
		})
	}

	return warnings
}

// nearLimit returns the first limit that is nearly reached. The caller has the lock.
func (b *budget) nearLimit(now time.Time) (limit string, isNear bool) {
	for _, limit := range limits {
		most := b.max.Of(limit)
		if most > 0 && float64(b.spentOf(limit, now))*100 >= float64(most)*warnPercent {
			return limit, true
		}
	}

	return "", false
}

// takeRemarks returns what no conversation has been notified of yet, the innermost budget first.
func (b *budget) takeRemarks() (remarks []string) {
	root := b.root
	root.mu.Lock()
	for ; b != nil; b = b.parent {
		if b.remark != "" {
			remarks = append(remarks, b.remark)
			b.remark = ""
		}
	}
	root.mu.Unlock()

	return remarks
}
