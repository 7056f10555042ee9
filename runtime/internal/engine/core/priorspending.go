package core

import (
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
)

// spendPrior counts what was spent in earlier processes by an effect that the run reaches now,
// whether or not it is carried out again.
func (f *Effects) spendPrior(prior *replay.Effect) {
	if f.scope.IsLimited() && prior != nil && !f.run.journal.readOnly {
		f.spendRecorded(prior.AllOutlays()...)
	}
}

// countRecorded counts what a recorded turn has used, and reports the turn to an observer that may
// not know it. The conversation was reminded of the budgets as it is now: of the calls with the
// turn, of the rest after it.
func (t *modelTurn) countRecorded(prior *replay.Effect, err error) {
	if t.fx.run.journal.readOnly {
		if t.fx.run.recorder != nil {
			t.exportTurn(&t.request, t.result.reply, err, prior.Result)
		}

		return
	}
	if t.fx.scope.IsLimited() {
		t.spendPriorTurn(prior)
	}
	t.result.failedSpending, _ = replay.ReadSpending(prior.Result, replay.PrefixFailed)
	t.fx.run.addUsage(t.result.failedSpending.Usage)
	t.fx.run.addUsage(t.result.reply.Usage)
	if attemptsOf(prior.Result) > 0 {
		t.noteTurn(&t.request, &t.result, err)
	}
}

// spendPriorTurn counts the calls of a recorded turn, takes the remarks that its request had, and
// counts the rest.
func (t *modelTurn) spendPriorTurn(prior *replay.Effect) {
	outlays, calls := prior.AllOutlays(), budget.Outlay{}
	for i := range outlays {
		calls.Calls += outlays[i].Calls
		outlays[i].Calls = 0
	}
	t.fx.spendRecorded(calls)
	reminded := t.request
	t.addRemarks(&reminded)
	t.fx.spendRecorded(outlays...)
}
