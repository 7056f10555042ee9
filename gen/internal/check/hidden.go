package check

import "github.com/agentc-dev/agentc/gen/internal/ir"

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
