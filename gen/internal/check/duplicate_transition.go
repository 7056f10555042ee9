package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// duplicateTransition finds a second row without a guard for a key of the same state, or a second row for an event of a state in
// a workflow.
var duplicateTransition = Pass{Name: "duplicate-transition", run: func(u *unit) {
	u.eachTried(func(x *machine, s *ir.State, rows []*ir.Row) {
		first := slices.IndexFunc(rows, unguarded)
		for i, row := range rows {
			if i > first && first >= 0 && unguarded(row) {
				u.report(x.secondRow(s, rows[first], row))
			}
		}
	})
	u.rowsOfUngated()
	u.workRowsBehind(func(x *machine, first, row *ir.Row, catchAll bool) {
		if !catchAll {
			u.hiddenRows[row] = true
			u.report(x.secondWorkRow(first, row))
		}
	})
}}

// rowsOfUngated finds rows of gates for actions that every state lets through: they change no state.
func (u *unit) rowsOfUngated() {
	for _, x := range u.machines {
		for _, s := range x.States {
			for _, row := range s.Rows {
				if at, ungated := x.inUngated(row.Key.Value); ungated {
					u.report(diag.New(diag.DuplicateTransition, row.Key.Span, "state %q in the gate of agent %q has a row for %q, which is ungated",
						s.Name.Value, x.name(), row.Key.Value).
						WithHint("it would never be chosen").
						Note(at.Span, "%q may be called in every state and changes none", row.Key.Value))
				}
			}
		}
	}
}

func (x *machine) secondRow(s *ir.State, first, row *ir.Row) *diag.Diagnostic {
	tried := "the first row for %q"
	if row.Key.Span.Start < first.Key.Span.Start { // the one behind it has a higher priority
		tried = "the row for %q that is tried first"
	}

	return diag.New(diag.DuplicateTransition, row.Key.Span, "state %q of machine %q has a second row for %q",
		s.Name.Value, x.name(), row.Key.Value).
		WithHint("it would never be chosen").
		Note(first.Key.Span, tried, first.Key.Value)
}

func unguarded(row *ir.Row) bool { return row.When == nil }

// workRowsBehind finds rows of machines in workflows that are never taken because one before them always is: a second one for
// the same event of a state is duplicate-transition, one behind a row from "*" catch-all-not-last.
func (u *unit) workRowsBehind(found func(x *machine, first, row *ir.Row, catchAll bool)) {
	for _, x := range u.workMachines {
		if x.Partial {
			continue
		}
		before := map[triedOn][]*ir.Row{}
		for _, row := range x.Machine.Rows() {
			if row.From.State == nil && !row.FromAny() || row.From.State != nil && row.From.State.End {
				continue
			}
			own := triedOn{row.From.State, row.Key.Value}
			for _, at := range []triedOn{own, {nil, row.Key.Value}} {
				if first := shadow(before[at], row); first != nil {
					found(x, first, row, at != own)
					break
				}
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

// secondWorkRow is the finding for a row that a row of the same state hides.
func (x *machine) secondWorkRow(first, row *ir.Row) *diag.Diagnostic {
	guard := ""
	if row.When != nil && first.When != nil {
		guard = " with the same guard"
	}

	return diag.New(diag.DuplicateTransition, row.Key.Span, "machine %q has a second row on %s %s%s",
		x.name(), row.Key.Value, outOf(row), guard).
		WithHint("it would never be chosen").
		Note(first.Key.Span, "the first row %s", leadsTo(first))
}

// behindCatchAll is the finding for a row from "*" that hides one from a state.
func (x *machine) behindCatchAll(first, row *ir.Row) *diag.Diagnostic {
	return diag.New(diag.CatchAllNotLast, first.From.Span, `the row from "*" on %s is before the one from %q in machine %q`,
		row.Key.Value, row.From.Value, x.name()).
		WithHint(`put rows from "*" behind those from states`).
		Note(row.From.Span, "this row would never be chosen")
}

// outOf says from where a row leads.
func outOf(row *ir.Row) string { return fmt.Sprintf("from %q", row.From.Value) }

// leadsTo says where a row leads.
func leadsTo(row *ir.Row) string { return fmt.Sprintf("leads to %q", row.To.Value) }

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

// tried are the rows of a key of a state, in the order in which they are tried.
type tried struct {
	machine *machine
	state   *ir.State
	rows    []*ir.Row
}

// eachTried calls found for each key of each state that is known whole, the catch-all included, with its rows in the order in
// which they are tried. A key with one row and no guard is passed over.
func (u *unit) eachTried(found func(x *machine, s *ir.State, rows []*ir.Row)) {
	if u.tried == nil {
		u.tried = []tried{}
		u.eachState(func(x *machine, s *ir.State) {
			for _, rows := range s.ByKey() {
				if len(rows) > 1 || rows[0].When != nil {
					u.tried = append(u.tried, tried{x, s, rows})
				}
			}
		})
	}
	for _, key := range u.tried {
		found(key.machine, key.state, key.rows)
	}
}
