package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// spending is what runs have used when they are at some point of a workflow.
type spending struct {
	used Spend
	traits
}

// spendingOf returns what runs use that end an operation well, and those that fail.
func spendingOf(b bound) (done, failed spending) {
	return spending{b.done, b.traits}, spending{b.most, b.traits}
}

// then returns what is used by one operation after the other.
func (s spending) then(t spending) spending {
	return spending{s.used.plus(t.used), s.traits.join(t.traits)}
}

// or returns what is used by one of two operations, it is not known which.
func (s spending) or(t spending) spending {
	main := s.main.dearer(t.main)
	s = spending{s.used.or(t.used), s.traits.join(t.traits)}
	s.main = main

	return s
}

// beside returns what two operations use side by side.
func (s spending) beside(t spending) spending {
	width := s.width.Plus(t.width)
	s = s.then(t)
	s.width = width

	return s
}

// since returns what was used since a point on the way here.
func (s spending) since(before spending) spending {
	minus := func(a, b Amount) Amount { return a.Minus(b) }
	s.used = s.used.with(before.used, minus)
	if s.main.text == before.main.text {
		s.main.spend = s.main.spend.with(before.main.spend, minus)
	}

	return s
}

// times returns what the same operation uses that is done so many times.
func (s spending) times(n Amount) spending {
	s.used, s.main.spend = s.used.times(n), s.main.spend.times(n)

	return s
}

// isNothing reports whether nothing was used.
func (s spending) isNothing() bool { return s.used == Spend{} }

// counted adds to the main part how often it is done.
func (s spending) counted(n Amount, unit string) spending {
	s.main = s.main.counted(n, unit)

	return s
}

// within returns what is used under a budget.
func (s spending) within(budget *ir.Budget) spending {
	limited := s.traits.limit(s.used, budget)
	if limited != s.used {
		s.used, s.capped = limited, true
		s.main.spend = s.main.spend.atMost(limited)
	}

	return s
}

// dearer returns the part of one of two operations that costs more.
func (t term) dearer(u term) term {
	if t.text == u.text {
		return term{t.text, t.spend.or(u.spend)}
	}

	return t.heavier(u)
}

// counted says how often a part is done; unit is in the plural.
func (t term) counted(n Amount, unit string) term {
	switch {
	case t.text == "" || n <= 1:
	case n == amount.Unbounded:
		t.text += " × any number of " + unit
	default:
		t.text += " × " + n.String() + " " + unit
	}

	return t
}
