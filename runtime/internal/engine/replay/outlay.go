package replay

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// keepAliveTime keeps when the process that had the run was surely at work. Another process may
// have recorded answers and cancellations.
func (h *History) keepAliveTime(r *journal.Record) {
	switch {
	case r.Type == journal.Opened:
		h.countInterrupted()
	case r.Type == journal.Intent, r.Type == journal.Result, r.Type == journal.Event:
		h.lastActive = r.Time
	case r.Type == journal.End && r.Name != StatusCancelled:
		h.lastActive = r.Time
	}
}

// countInterrupted counts the time of effects that were under way when a process ended.
func (h *History) countInterrupted() {
	for _, p := range h.Effects {
		if p.Intent == nil || p.Result != nil || p.counted == p.Intent || !takesTime(p.Intent.Name) {
			continue
		}
		p.outlays, p.counted = append(p.outlays, budget.Outlay{Under: budget.Span{From: p.Intent.Time, To: h.lastActive}}), p.Intent
	}
}

// takesTime reports whether an effect of a kind takes working time. Waiting for a person does not.
func takesTime(kind string) bool { return kind != KindAsk && kind != KindNow && kind != KindParallel }

// outlayOf reads what an effect has spent from its records. A refused effect has spent nothing, and
// waiting for a person takes no time.
func outlayOf(intent, result *journal.Record) (o budget.Outlay) {
	if !takesTime(result.Name) {
		return budget.Outlay{}
	}
	if result.Name == KindModel {
		if refused := result.Value("error_type"); refused == "BudgetError" || refused == "MissingPriceError" {
			return budget.Outlay{}
		}
		o.Calls = 1
		for _, prefix := range []string{"", PrefixFailed} {
			s, _ := ReadSpending(result, prefix) // a number that cannot be read ends the run where the reply is read
			o.Tokens += int64(s.Usage.Input) + int64(s.Usage.Output)
			o.Micro = budget.AddAmounts(o.Micro, s.Cost)
		}
	}
	if intent != nil {
		o.Under = budget.Span{From: intent.Time, To: result.Time}
	}

	return o
}

// dropResult drops the result. What it has cost still counts.
func (p *Effect) dropResult() {
	p.Dropped, p.outlays = append(p.Dropped, p.Result), append(p.outlays, outlayOf(p.Intent, p.Result))
}

// AllOutlays returns everything that the effect has spent.
func (p *Effect) AllOutlays() []budget.Outlay {
	all := slices.Clone(p.outlays)
	if p.Result != nil {
		all = append(all, outlayOf(p.Intent, p.Result))
	}

	return all
}
