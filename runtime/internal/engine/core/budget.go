package core

import (
	"sort"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// budget is a budget that counts now: that of the run, or of one run of an agent or a step. What is spent in it is spent of those
// around it, too. All of a run's are guarded by run.budgetMu.
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
	// alerted says that it was reported that the budget is nearly used up, remark what the next conversation is to be notified of.
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
var limits = []string{wording.LimitCalls, wording.LimitTokens, wording.LimitUSD, wording.LimitTime}

// spent is how much of a limit is used, at a time.
func (b *budget) spent(limit string, now time.Time) int64 {
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

// refusal is the error of an effect that may not begin; nil if it may. Time is looked at before each, the rest before one that
// spends.
func (b *budget) refusal(spends bool, now time.Time) error {
	for ; b != nil; b = b.around {
		for _, limit := range limits {
			if !spends && limit != wording.LimitTime {
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

// add counts what was spent, here and around.
func (b *budget) add(o outlay) {
	for ; b != nil; b = b.around {
		b.calls += o.calls
		b.tokens += o.tokens
		b.micro += o.micro
		if b.max.Time > 0 && o.under.to.After(o.under.from) {
			b.watch.addEarlier(o.under)
		}
	}
}

// stopwatch measures how long at least one effect has been under way: what is done side by side counts once.
type stopwatch struct {
	running int
	since   time.Time
	sum     time.Duration
	// before is when effects were under way in processes that had the run earlier, earlier how long that was altogether.
	before  []span
	earlier time.Duration
	settled int // how many of before are in earlier
}

type span struct{ from, to time.Time }

func (w *stopwatch) start(now time.Time) {
	if w.running == 0 {
		w.since = now
	}
	w.running++
}

func (w *stopwatch) stop(now time.Time) {
	w.running--
	if w.running == 0 {
		w.sum += max(now.Sub(w.since), 0)
	}
}

// addEarlier adds an effect of an earlier process.
func (w *stopwatch) addEarlier(s span) { w.before = append(w.before, s) }

// worked is how long it was, at a time.
func (w *stopwatch) worked(now time.Time) time.Duration {
	if w.settled < len(w.before) {
		w.settle()
	}
	worked := w.earlier + w.sum
	if w.running > 0 {
		worked += max(now.Sub(w.since), 0)
	}

	return worked
}

// settle joins the spans that overlap, and adds up the others.
func (w *stopwatch) settle() {
	sort.Slice(w.before, func(i, j int) bool { return w.before[i].from.Before(w.before[j].from) })
	joined := w.before[:0]
	for _, s := range w.before {
		last := len(joined) - 1
		switch {
		case last < 0 || s.from.After(joined[last].to):
			joined = append(joined, s)
		case s.to.After(joined[last].to):
			joined[last].to = s.to
		}
	}
	w.before, w.settled, w.earlier = joined, len(joined), 0
	for _, s := range joined {
		w.earlier += max(s.to.Sub(s.from), 0)
	}
}

// nearly is the part of a budget, in percent, at which it is reported as nearly used up.
const nearly = 80

// warning is that a budget is nearly used up.
type warning struct {
	agent        string
	limit, spent string
	// value is that of the signal. It is the same when the run is resumed, so that it says nothing of time.
	value string
}

// alert reports budgets of which 80 % have been spent, each once, to the observer, the innermost machine around the branch that
// has a rule for it, and the next conversation. loud is false while a run is replayed: then the observer was notified already.
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
		if s := f.run.signalSource(); s != nil {
			s.send(waiting{signal: signals.Signal{Kind: "budget-alert", Value: w.value}, branch: f, past: !loud})
		}
	}
}

// warnings finds the budgets that have come to that now.
func (f *Effects) warnings(now time.Time) (found []warning) {
	f.run.budgetMu.Lock()
	defer f.run.budgetMu.Unlock()
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

// remind adds to a request what has not been reported yet of the budgets, as a message of its own that the conversation does not
// keep. A oneshot agent gets no such message: it ends with its answer in any case, and what it is asked for should be in there alone.
func (t *modelTurn) remind(request *model.Request) {
	if len(request.Tools) == 0 {
		return
	}
	var remarks []string
	t.fx.run.budgetMu.Lock()
	for b := t.fx.budget; b != nil; b = b.around {
		if b.remark != "" {
			remarks = append(remarks, b.remark)
			b.remark = ""
		}
	}
	t.fx.run.budgetMu.Unlock()
	if len(remarks) == 0 {
		return
	}
	text := "This is about the budget, not about the task: " + strings.Join(remarks, ", and ") +
		". When that is used up the work ends without a result, so finish before."
	request.Messages = append(request.Messages[:len(request.Messages):len(request.Messages)],
		model.Message{Role: model.RoleUser, Text: text})
}
