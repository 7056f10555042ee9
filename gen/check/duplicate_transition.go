package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
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
	u.workRowsBehind(func(x *workMachine, first, row *ir.WorkRow, catchAll bool) {
		if !catchAll {
			u.hiddenRows[row] = true
			u.report(x.secondWorkRow(first, row))
		}
	})
}}

func (x *machine) secondRow(s *ir.State, first, row *ir.Row) *diag.Diagnostic {
	tried := "the first row for %q"
	if row.Key.Span.Start < first.Key.Span.Start { // the one behind it has a higher priority
		tried = "the row for %q that is tried first"
	}

	return diag.New(diag.DuplicateTransition, row.Key.Span, "state %q of machine %q has a second row for %q",
		s.Name.Value, x.agent.Name.Value, row.Key.Value).
		WithHint("it would never be chosen").
		Note(first.Key.Span, tried, first.Key.Value)
}

func unguarded(row *ir.Row) bool { return row.When == nil }
