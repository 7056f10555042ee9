package core

import (
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// nearly is the part of a budget, in percent, of which it is told that it is used up.
const nearly = 80

// warning is that a budget is nearly used up.
type warning struct {
	agent        string
	limit, spent string
	// value is that of the signal. It is the same when the run is resumed, so that it says nothing of time.
	value string
}

// alert tells of budgets of which 80 % have been spent, each once: the observer, the innermost machine around the branch that
// has a rule for it, and the next conversation. loud is false while a run is replayed: then the observer has heard of it.
func (f *Effects) alert(loud bool) {
	if f.budget == nil {
		return
	}
	now := time.Time{}
	if f.budget.timed {
		now = f.run.engine.config.Clock.Now()
	}
	for _, w := range f.warnings(now) {
		if loud {
			f.Note(event.Event{Kind: event.Budget, Agent: w.agent, Name: w.limit, Text: w.spent})
		}
		if s := f.run.hears(); s != nil {
			sent := waiting{signal: signals.Signal{Kind: signals.BudgetAlert, Value: w.value}, branch: f, past: !loud}
			s.sendTo(sent, func(l *listener) bool { return l.branch.around(f) })
		}
	}
}

// warnings finds the budgets that have come to that now.
func (f *Effects) warnings(now time.Time) (found []warning) {
	f.run.purse.Lock()
	defer f.run.purse.Unlock()
	for b := f.budget; b != nil; b = b.around {
		if b.alerted {
			continue
		}
		for _, limit := range limits {
			most, spent := b.max.Of(limit), b.spent(limit, now)
			if most <= 0 || float64(spent)*100 < float64(most)*nearly {
				continue
			}
			w := warning{agent: b.agent, limit: wording.Amount(limit, most), spent: wording.Amount(limit, spent)}
			w.value = wording.Spender(b.agent, b.step) + ": " + w.limit
			b.alerted, b.remark = true, b.error(limit, now).Error()
			found = append(found, w)

			break
		}
	}

	return found
}

// remind adds to a request what nobody has been told yet of the budgets, as a message of its own that the conversation does not
// keep. A oneshot agent is not told: it ends with its answer in any case, and what it is asked for should be in there alone.
func (t *modelTurn) remind(request *model.Request) {
	if len(request.Tools) == 0 {
		return
	}
	var remarks []string
	t.run.purse.Lock()
	for b := t.budget; b != nil; b = b.around {
		if b.remark != "" {
			remarks = append(remarks, b.remark)
			b.remark = ""
		}
	}
	t.run.purse.Unlock()
	if len(remarks) == 0 {
		return
	}
	text := "This is about the budget, not about the task: " + strings.Join(remarks, ", and ") +
		". When that is used up the work ends without a result, so come to an end and finish before."
	request.Messages = append(request.Messages[:len(request.Messages):len(request.Messages)],
		model.Message{Role: model.RoleUser, Text: text})
}
