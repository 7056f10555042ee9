package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// duplicateTransition finds a second row without a guard for a key of the same state, or a second row for an event of a state in
// a workflow.
var duplicateTransition = Pass{Name: "duplicate-transition", run: func(u *unit) {
	for _, h := range u.hidden {
		switch {
		case h.machine.task != nil && !h.byAny:
			u.report(h.machine.secondWorkRow(h.first, h.row))
		case h.machine.task == nil && h.row.When == nil:
			u.report(h.machine.secondRow(h.state, h.first, h.row))
		}
	}
	u.rowsOfUngated()
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

// secondWorkRow is the diagnostic for a row that a row of the same state hides.
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

// behindCatchAll is the diagnostic for a row from "*" that hides one from a state.
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
