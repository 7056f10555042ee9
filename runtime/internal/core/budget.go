package core

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// budget is a budget that counts now: that of the run, or of one run of an agent or a step. What is spent in it is spent of those
// around it, too. All of a run's are guarded by run.purse.
type budget struct {
	around *budget
	// agent and step say whose it is; both are "" for that of the run.
	agent, step string
	// tokens, micro (millionths of a dollar) and calls are what has been spent of max.
	max                  runtime.Budget
	tokens, micro, calls int64
	// watch counts the time.
	watch stopwatch
	// timed and paid say that this budget, or one around it, limits time or money.
	timed, paid bool
	// alerted says that it was told that the budget is nearly used up, remark what the next conversation is to hear of it.
	alerted bool
	remark  string
}

func newBudget(around *budget, agent, step string, b *runtime.Budget) *budget {
	return &budget{
		around: around, agent: agent, step: step, max: *b,
		timed: b.Time > 0 || around != nil && around.timed,
		paid:  b.USD > 0 || around != nil && around.paid,
	}
}

// budget is that of the whole run; nil if its program has none.
func (r *run) budget() *budget {
	if r.program == nil || r.program.Budget == nil {
		return nil
	}

	return newBudget(nil, "", "", r.program.Budget)
}

// Limit implements runtime.Effects.
func (f *Effects) Limit(agent, step string, b *runtime.Budget) (end func()) {
	around := f.budget
	f.budget = newBudget(around, agent, step, b)

	return func() { f.budget = around }
}

// limits are what budgets limit, in the order in which it is looked at.
var limits = []string{runtime.LimitCalls, runtime.LimitTokens, runtime.LimitUSD, runtime.LimitTime}

// spent is how much of a limit is used, at a time.
func (b *budget) spent(limit string, now time.Time) int64 {
	switch limit {
	case runtime.LimitCalls:
		return b.calls
	case runtime.LimitTokens:
		return b.tokens
	case runtime.LimitUSD:
		return b.micro
	}

	return int64(b.watch.worked(now))
}

// refusal is the error of an effect that may not begin; nil if it may. Time is looked at before each, the rest before one that
// spends.
func (b *budget) refusal(spends bool, now time.Time) error {
	for ; b != nil; b = b.around {
		for _, limit := range limits {
			if !spends && limit != runtime.LimitTime {
				continue
			}
			if most := b.max.Of(limit); most > 0 && b.spent(limit, now) >= most {
				return b.error(limit, now)
			}
		}
	}

	return nil
}

func (b *budget) error(limit string, now time.Time) *runtime.BudgetError {
	return &runtime.BudgetError{
		Where: wording.Spender(b.agent, b.step), Limit: limit, Max: b.max.Of(limit), Spent: b.spent(limit, now),
	}
}

// charge adds what a reply has cost, here and around.
func (b *budget) charge(reply *model.Reply) {
	for ; b != nil; b = b.around {
		b.tokens += int64(reply.Usage.Input) + int64(reply.Usage.Output)
		b.micro += reply.Cost
	}
}
