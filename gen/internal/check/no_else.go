package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// noElse finds keys whose rows all have guards, in states without "*": if no guard holds, the run
// fails. A caller or a model that drives a machine learns which guards failed and may try again, so
// such machines need no further row. A "*" needs a row without a guard in every machine, because it
// handles all remaining keys.
var noElse = Pass{Name: "no-else", run: func(u *unit) {
	u.eachTried(func(x *machine, s *ir.State, rows []*ir.Row) {
		switch {
		case slices.ContainsFunc(rows, isUnguarded), hasAmbiguousKey(s, rows[0].Key.Value):
		case rows[0].IsCatchAll():
			last := rows[len(rows)-1]
			d := diag.New(diag.NoElse, last.Key.Span, `the last row "*" in state %q of machine %q has a guard, and no row is left if %s`,
				s.Name.Value, x.name(), describeFailedGuards(rows))
			d.Severity = diag.Error
			u.report(noteGuards(d, rows).WithHint(`add a row "*" without a guard`))
		case x.isDriven() || !x.flow.StateOf(s).PerhapsNone(rows[0].Key.Value) || slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll):
		case slices.ContainsFunc(rows, u.isGuardFaulty): // the guard may be meant as the opposite of another one
		default:
			d := diag.New(diag.NoElse, rows[0].Key.Span, "no row is left for the key %q in state %q of machine %q if %s",
				rows[0].Key.Value, s.Name.Value, x.name(), describeFailedGuards(rows))
			u.report(noteGuards(d, rows).WithHint(`the run would fail: add a row for %q without a guard, or "*"`, rows[0].Key.Value))
		}
	})
	for _, x := range u.workMachines {
		if !x.Partial {
			x.reportNoElseOnSuccess(u)
		}
	}
}}

// reportNoElseOnSuccess reports states of a workflow whose rows for success all have guards that
// may all fail, while no step names the next state. The machine fails there.
func (x *machine) reportNoElseOnSuccess(u *unit) {
	reported := map[*ir.Row]bool{}
	for _, s := range x.flow.States {
		rows := s.TriedOn(ir.OnSuccess)
		if !s.Written || len(rows) == 0 || !mayStall(s) {
			continue
		}
		if reported[rows[0]] || u.hasReported(diag.NoExit, s.Name.Span) {
			continue
		}
		reported[rows[0]] = true
		d := diag.New(diag.NoElse, rows[0].Key.Span, "no row is left for the success of state %q in machine %q if %s",
			s.Name.Value, x.name(), describeFailedGuards(rows))
		u.report(noteGuards(d, rows).WithHint("the run would fail: add a row {from: %s, on: success, to: STATE} without a guard", s.Name.Value))
	}
}

// mayStall reports whether a machine can fail after the success of a state because no row applies
// and no step names the next state.
func mayStall(s *flow.State) bool { return s.Stalls && !s.Anywhere && len(s.State.Next) == 0 }

// isGuardFaulty reports whether the guard of a row has an error.
func (u *unit) isGuardFaulty(row *ir.Row) bool {
	return hasSpanWithin(u.faulty, row.When.Text.Span) || row.When.Func == nil && row.When.Formula == nil
}

// hasAmbiguousKey reports whether another key of s is equal to this one when folded. That problem
// is ambiguous-key.
func hasAmbiguousKey(s *ir.State, key string) bool {
	return slices.ContainsFunc(s.Rows, func(row *ir.Row) bool {
		return row.Key.Value != key && ir.FoldKey(row.Key.Value) == ir.FoldKey(key)
	})
}

// describeFailedGuards describes the case that all guards of rows fail.
func describeFailedGuards(rows []*ir.Row) string {
	if len(rows) == 1 {
		return "its guard is false"
	}

	return "none of its guards is true"
}

// noteGuards adds notes with the guards of rows in the order of evaluation.
func noteGuards(d *diag.Diagnostic, rows []*ir.Row) *diag.Diagnostic {
	return noteEach(d, rows, "and so on, for %d more", func(row *ir.Row) { d.Note(row.When.Text.Span, "the guard is %q", row.When.Text.Value) })
}
