package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// duplicateTransition finds a second row for a key of the same state, or for an event of a state in a workflow.
var duplicateTransition = Pass{Name: "duplicate-transition", run: func(u *unit) {
	u.eachEarlierRow(func(x *machine, s *ir.State, first, row *ir.Row) {
		if first.Key.Value != row.Key.Value {
			return
		}
		u.report(diag.New(diag.DuplicateTransition, row.Key.Span, "state %q of machine %q has a second row for %q",
			s.Name.Value, x.agent.Name.Value, row.Key.Value).
			WithHint("it would never be chosen").
			Note(first.Key.Span, "the first row for %q", first.Key.Value))
	})
	u.workRowsBehind(func(x *workMachine, first, row *ir.WorkRow, catchAll bool) {
		if !catchAll {
			u.hiddenRows[row] = true
			u.report(x.secondWorkRow(first, row))
		}
	})
}}
