package core

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// endEffect is called when an effect that startEffect or startCall has begun ends with err. It
// returns the effect's error.
func (f *Effects) endEffect(err error) error {
	if f.scope.StopEffect(err) {
		f.warnOfBudgets(true)
	}

	return err
}

// spendRecorded counts what an effect has spent in earlier processes.
func (f *Effects) spendRecorded(outlays ...budget.Outlay) {
	f.scope.Spend(outlays...)
	f.warnOfBudgets(false)
}

// warnOfBudgets reports budgets that are nearly used up, each once: to the observer, to the
// innermost machine around the branch that has a rule for it, and to the next conversation. isNew
// is false while a run is replayed: then the observer was notified already.
func (f *Effects) warnOfBudgets(isNew bool) {
	for _, w := range f.scope.TakeWarnings() {
		if isNew {
			f.note(&event.Event{Kind: event.Budget, Agent: w.Agent, Name: w.Limit, Text: w.Spent}, Detail{})
		}
		if s := f.run.signalSource(); s != nil {
			signal := signals.Signal{Kind: "budget-alert", Value: w.Value}
			s.Offer(&signaling.Sent{Signal: signal, Branch: &f.at, IsReplayed: !isNew})
		}
	}
}

// admit refuses a turn if a budget has nothing left. It adds to the request the remarks about
// budgets.
func (t *modelTurn) admit() error {
	if t.fx.scope.IsLimited() {
		if err := t.checkPrice(&t.request); err != nil {
			return err
		}
	}
	if err := t.fx.scope.StartCall(); err != nil {
		return err
	}
	t.fx.warnOfBudgets(true)
	t.addRemarks(&t.request)

	return nil
}

// addRemarks adds to a request what has not been reported yet of the budgets, as a message that the
// conversation does not keep. A oneshot agent does not get the message: it ends with its answer in
// any case, and the answer should contain only what was asked.
func (t *modelTurn) addRemarks(request *model.Request) {
	if len(request.Tools) == 0 {
		return
	}
	remarks := t.fx.scope.TakeRemarks()
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
	if !t.fx.scope.IsLimited() {
		return
	}
	t.fx.scope.Spend(budget.Outlay{Tokens: int64(reply.Usage.Input) + int64(reply.Usage.Output), Micro: reply.Cost})
	t.fx.warnOfBudgets(true)
}

// chargeFailed is charge for a call that has failed with err, which is kept for the journal.
func (t *modelTurn) chargeFailed(request *model.Request, result *turnResult, err error) {
	if result.reply.Usage != (model.Usage{}) || result.reply.Cost != 0 {
		t.charge(request, &result.reply, result)
		result.failedSpending = result.failedSpending.Plus(&result.reply)
	}
	if t.fx.run.journal != nil {
		result.addFailedCall(request, err)
	}
}
