package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// hidden is a row that is never taken, because one that is tried before it takes whatever it would.
type hidden struct {
	machine    *machine
	state      *ir.State
	first, row *ir.Row
	// byAny says that the first is a row of a workflow from "*", and the other one is not.
	byAny bool
}

// findHidden finds the hidden rows of all machines that are known whole.
func (u *unit) findHidden() {
	u.hiddenRows = map[*ir.Row]bool{}
	hide := func(h hidden) bool {
		if h.first != nil {
			u.hidden = append(u.hidden, h)
			u.hiddenRows[h.row] = true
		}
		return h.first != nil
	}
	u.eachTried(func(x *machine, s *ir.State, rows []*ir.Row) {
		for i, row := range rows {
			hide(hidden{machine: x, state: s, first: shadow(rows[:i], row), row: row})
		}
	})
	for _, x := range u.workMachines {
		before := map[triedOn][]*ir.Row{}
		for _, row := range x.Machine.Rows() {
			from := row.From.State
			if x.Partial || from == nil && !row.FromAny() || from != nil && from.End {
				continue
			}
			own, any := triedOn{from, row.Key.Value}, triedOn{nil, row.Key.Value}
			if !hide(hidden{x, from, shadow(before[own], row), row, false}) && from != nil {
				hide(hidden{x, from, shadow(before[any], row), row, true})
			}
			before[own] = append(before[own], row)
		}
	}
}

// triedOn is where a row is tried: in a state, nil for those from "*", on an event.
type triedOn struct {
	from *ir.State
	on   string
}

// shadow returns which of the rows that are tried before a row takes whatever that would take: one without a guard, or with the same
// one, which has failed by then; nil if none does.
func shadow(before []*ir.Row, row *ir.Row) *ir.Row {
	return ir.First(before, func(b *ir.Row) bool { return b.When == nil || row.When != nil && b.When.Same(row.When) })
}

// finding is the diagnostic for a hidden row.
func (h hidden) finding() *diag.Diagnostic {
	x, first, row := h.machine, h.first, h.row
	switch {
	case h.byAny:
		return diag.New(diag.CatchAllNotLast, first.From.Span, `the row from "*" on %s is before the one from %q in machine %q`,
			row.Key.Value, row.From.Value, x.name()).
			WithHint(`move rows from "*" after those from states`).
			Note(row.From.Span, "this row would never be chosen")
	case x.task != nil:
		guard := ""
		if row.When != nil && first.When != nil {
			guard = " with the same guard"
		}
		return diag.New(diag.DuplicateTransition, row.Key.Span, "machine %q has a second row on %s from %q%s",
			x.name(), row.Key.Value, row.From.Value, guard).
			WithHint("it would never be chosen").
			Note(first.Key.Span, "the first row leads to %q", first.To.Value)
	case row.When == nil:
		tried := "the first row for %q"
		if row.Key.Span.Start < first.Key.Span.Start { // the one behind it has a higher priority
			tried = "the row for %q that is tried first"
		}
		return diag.New(diag.DuplicateTransition, row.Key.Span, "state %q of machine %q has a second row for %q",
			h.state.Name.Value, x.name(), row.Key.Value).
			WithHint("it would never be chosen").
			Note(first.Key.Span, tried, first.Key.Value)
	}
	d := diag.New(diag.ShadowedTransition, row.Key.Span, "the guard %q of a row for %q in state %q of machine %q is never evaluated",
		row.When.Text.Value, row.Key.Value, h.state.Name.Value, x.name())
	if first.When != nil {
		return d.WithHint("the same guard was evaluated before").
			Note(first.Key.Span, "this row for %q, which is tried before it, has that guard too", row.Key.Value)
	}
	d.Note(first.Key.Span, "this row for %q has no guard, and is tried before it", row.Key.Value)
	if first.Priority > row.Priority {
		return d.WithHint("give it a priority above %d", first.Priority)
	}

	return d.WithHint("write it before the row without a guard, or give it a higher priority")
}

// reportHidden reports the hidden rows that a check is about, of those behind one row from "*" the first.
func (u *unit) reportHidden(check *diag.Check) {
	reported := map[*ir.Row]bool{}
	for _, h := range u.hidden {
		if d := h.finding(); d.Check == check && !(h.byAny && reported[h.first]) {
			reported[h.first] = true
			u.report(d)
		}
	}
}

func unguarded(row *ir.Row) bool { return row.When == nil }

// eachState calls visit for each state of the machines of agents that are known whole.
func (u *unit) eachState(visit func(x *machine, s *ir.State)) {
	for _, x := range u.machines {
		if x.Partial {
			continue
		}
		for _, s := range x.States {
			visit(x, s)
		}
	}
}

// eachTried calls found for each key of each state that is known whole, the catch-all included, with its rows in the order in
// which they are tried. A key with one row and no guard is passed over.
func (u *unit) eachTried(found func(x *machine, s *ir.State, rows []*ir.Row)) {
	u.eachState(func(x *machine, s *ir.State) {
		for _, rows := range s.ByKey() {
			if len(rows) > 1 || rows[0].When != nil {
				found(x, s, rows)
			}
		}
	})
}
