package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// hidden is a row that is never taken, because an earlier row matches whenever it does.
type hidden struct {
	machine    *machine
	state      *ir.State
	first, row *ir.Row
	// byAny is true if the earlier row is from "*" in a workflow and the hidden one is not.
	byAny bool
}

// findHidden finds the hidden rows of all completely known machines.
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
			hide(hidden{machine: x, state: s, first: shadowingRow(rows[:i], row), row: row})
		}
	})
	for _, x := range u.workMachines {
		before := map[triedOn][]*ir.Row{}
		for _, row := range x.Machine.Rows() {
			from := row.From.State
			isUndefined := from == nil && !row.IsFromAny()
			isEnd := from != nil && from.End
			if x.Partial || isUndefined || isEnd {
				continue
			}
			own, any := triedOn{from, row.Key.Value}, triedOn{nil, row.Key.Value}
			if !hide(hidden{x, from, shadowingRow(before[own], row), row, false}) && from != nil {
				hide(hidden{x, from, shadowingRow(before[any], row), row, true})
			}
			before[own] = append(before[own], row)
		}
	}
}

// triedOn is an event in a state. The state is nil for rows from "*".
type triedOn struct {
	from *ir.State
	on   string
}

// shadowingRow returns the earlier row that matches whenever row does: it has no guard, or the same
// guard. It returns nil if there is none.
func shadowingRow(before []*ir.Row, row *ir.Row) *ir.Row {
	return ir.First(before, func(b *ir.Row) bool { return b.When == nil || row.When != nil && b.When.Equal(row.When) })
}

// diagnostic describes a hidden row.
func (h hidden) diagnostic() *diag.Diagnostic {
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
		if row.Key.Span.Start < first.Key.Span.Start { // a later row with a higher priority
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

// reportHidden reports the hidden rows of a check. Of the rows after one row from "*" it reports
// only the first.
func (u *unit) reportHidden(check *diag.Check) {
	reported := map[*ir.Row]bool{}
	for _, h := range u.hidden {
		if d := h.diagnostic(); d.Check == check && !(h.byAny && reported[h.first]) {
			reported[h.first] = true
			u.report(d)
		}
	}
}

func isUnguarded(row *ir.Row) bool { return row.When == nil }

// eachState calls visit for each state of the completely known machines of agents.
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

// eachTried calls visit for each key of each completely known state, including the catch-all, with
// its rows in the order of evaluation. A key with one row and no guard is skipped.
func (u *unit) eachTried(found func(x *machine, s *ir.State, rows []*ir.Row)) {
	u.eachState(func(x *machine, s *ir.State) {
		for _, rows := range s.RowsByKey() {
			if len(rows) > 1 || rows[0].When != nil {
				found(x, s, rows)
			}
		}
	})
}
