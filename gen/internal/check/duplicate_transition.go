package check

import (
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
		if x.gate == nil {
			continue
		}
		for _, s := range x.States {
			for _, row := range s.Rows {
				if at := slices.IndexFunc(x.gate.Ungated, func(a ir.Text) bool { return a.Value == row.Key.Value }); at >= 0 {
					u.report(diag.New(diag.DuplicateTransition, row.Key.Span, "state %q in the gate of agent %q has a row for %q, which is ungated",
						s.Name.Value, x.name(), row.Key.Value).
						WithHint("it would never be chosen").
						Note(x.gate.Ungated[at].Span, "%q may be called in every state and changes none", row.Key.Value))
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
