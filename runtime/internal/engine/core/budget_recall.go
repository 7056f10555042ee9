package core

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// keepAliveTime keeps when the process that had the run was surely at work. Another process may
// have recorded answers and cancellations.
func (h *history) keepAliveTime(r *journal.Record) {
	switch {
	case r.Type == journal.Opened:
		h.countInterrupted()
	case r.Type == journal.Intent, r.Type == journal.Result, r.Type == journal.Event:
		h.lastActive = r.Time
	case r.Type == journal.End && r.Name != statusCancelled:
		h.lastActive = r.Time
	}
}

// countInterrupted counts the time of effects that were under way when a process ended.
func (h *history) countInterrupted() {
	for _, p := range h.effects {
		if p.intent == nil || p.result != nil || p.counted == p.intent || !takesTime(p.intent.Name) {
			continue
		}
		p.outlays, p.counted = append(p.outlays, budget.Outlay{Under: budget.Span{From: p.intent.Time, To: h.lastActive}}), p.intent
	}
}

// takesTime reports whether an effect of a kind takes working time. Waiting for a person does not.
func takesTime(kind string) bool { return kind != kindAsk && kind != kindNow && kind != kindParallel }

// outlayOf reads what an effect has spent from its records. A refused effect has spent nothing, and
// waiting for a person takes no time.
func outlayOf(intent, result *journal.Record) (o budget.Outlay) {
	if !takesTime(result.Name) {
		return budget.Outlay{}
	}
	if result.Name == kindModel {
		if refused := result.Value("error_type"); refused == "BudgetError" || refused == "MissingPriceError" {
			return budget.Outlay{}
		}
		o.Calls = 1
		for _, prefix := range []string{"", prefixFailed} {
			s, _ := readSpending(result, prefix) // a number that cannot be read ends the run where the reply is read
			o.Tokens += int64(s.usage.Input) + int64(s.usage.Output)
			o.Micro = addAmounts(o.Micro, s.cost)
		}
	}
	if intent != nil {
		o.Under = budget.Span{From: intent.Time, To: result.Time}
	}

	return o
}

// dropResult drops the result. What it has cost still counts.
func (p *recordedEffect) dropResult() {
	p.dropped, p.outlays = append(p.dropped, p.result), append(p.outlays, outlayOf(p.intent, p.result))
}

// allOutlays returns everything that the effect has spent.
func (p *recordedEffect) allOutlays() []budget.Outlay {
	all := slices.Clone(p.outlays)
	if p.result != nil {
		all = append(all, outlayOf(p.intent, p.result))
	}

	return all
}

// spendPrior counts what was spent in earlier processes by an effect that the run reaches now,
// whether or not it is carried out again.
func (f *Effects) spendPrior(prior *recordedEffect) {
	if f.scope.IsLimited() && prior != nil && !f.run.journal.readOnly {
		f.spendRecorded(prior.allOutlays()...)
	}
}

// countRecorded counts what a recorded turn has used, and reports the turn to an observer that may
// not know it. The conversation was reminded of the budgets as it is now: of the calls with the
// turn, of the rest after it.
func (t *modelTurn) countRecorded(prior *recordedEffect, err error) {
	if t.fx.run.journal.readOnly {
		if t.fx.run.recorder != nil {
			t.exportTurn(&t.request, t.result.reply, err, prior.result)
		}

		return
	}
	if t.fx.scope.IsLimited() {
		t.spendPriorTurn(prior)
	}
	t.result.failedSpending, _ = readSpending(prior.result, prefixFailed)
	t.fx.run.addUsage(t.result.failedSpending.usage)
	t.fx.run.addUsage(t.result.reply.Usage)
	if attemptsOf(prior.result) > 0 {
		t.noteTurn(&t.request, &t.result, err)
	}
}

// spendPriorTurn counts the calls of a recorded turn, takes the remarks that its request had, and
// counts the rest.
func (t *modelTurn) spendPriorTurn(prior *recordedEffect) {
	outlays, calls := prior.allOutlays(), budget.Outlay{}
	for i := range outlays {
		calls.Calls += outlays[i].Calls
		outlays[i].Calls = 0
	}
	t.fx.spendRecorded(calls)
	reminded := t.request
	t.addRemarks(&reminded)
	t.fx.spendRecorded(outlays...)
}
