package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// spending is the use of runs up to some point of a workflow.
type spending struct {
	used Spend
	traits
}

// boundSpending returns the spending of runs that end well, and of runs that fail.
func boundSpending(b bound) (done, failed spending) {
	return spending{b.done, b.traits}, spending{b.most, b.traits}
}

// then returns the spending of two sequential operations.
func (s spending) then(t spending) spending {
	return spending{s.used.add(t.used), s.traits.merge(t.traits)}
}

// either returns the spending of one of two operations.
func (s spending) either(t spending) spending {
	return spending{s.used.max(t.used), traits{s.limits.merge(t.limits), s.main.costlier(t.main)}}
}

// inParallel returns the spending of two parallel operations.
func (s spending) inParallel(t spending) spending {
	width := s.width.Plus(t.width)
	s = s.then(t)
	s.width = width

	return s
}

// subtract returns the spending since an earlier point of the runs.
func (s spending) subtract(before spending) spending {
	minus := func(a, b Amount) Amount { return a.Minus(b) }
	s.used = s.used.combine(before.used, minus)
	if s.main.text == before.main.text {
		s.main.spend = s.main.spend.combine(before.main.spend, minus)
	}

	return s
}

// times returns the spending of n sequential runs.
func (s spending) times(n Amount) spending {
	s.used, s.main.spend = s.used.times(n), s.main.spend.times(n)

	return s
}

// isNothing reports whether nothing was spent.
func (s spending) isNothing() bool { return s.used == Spend{} }

// withCount adds the number of repetitions to the main part.
func (s spending) withCount(n Amount, unit string) spending {
	s.main = s.main.withCount(n, unit)

	return s
}

// underBudget returns the spending under a budget.
func (s spending) underBudget(budget *ir.Budget) spending {
	limited := s.traits.applyBudget(s.used, budget)
	if limited != s.used {
		s.used, s.isCapped = limited, true
		s.main.spend = s.main.spend.capAt(limited)
	}

	return s
}

// costlier returns the part of one of two operations that costs more.
func (t term) costlier(u term) term {
	if t.text == u.text {
		return term{t.text, t.spend.max(u.spend)}
	}

	return t.dominant(u)
}

// withCount adds the number of repetitions to a part; unit is a plural.
func (t term) withCount(n Amount, unit string) term {
	switch {
	case t.text == "" || n <= 1:
	case n == amount.Unbounded:
		t.text += " × any number of " + unit
	default:
		t.text += " × " + n.String() + " " + unit
	}

	return t
}
