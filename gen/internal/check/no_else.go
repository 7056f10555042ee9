package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// noElse finds keys whose rows all have guards, in states without "*": if no guard holds, the run fails. Where others fire the
// keys, or a model calls tools, they learn which guards failed and may try again, so that nothing is missing there. A "*"
// must have a row without a guard in every machine, because it says what happens with all that is left.
var noElse = Pass{Name: "no-else", run: func(u *unit) {
	u.eachTried(func(x *machine, s *ir.State, rows []*ir.Row) {
		switch {
		case slices.ContainsFunc(rows, unguarded), foldsAlike(s, rows[0].Key.Value):
		case rows[0].IsCatchAll():
			last := rows[len(rows)-1]
			d := diag.New(diag.NoElse, last.Key.Span, `the last row "*" in state %q of machine %q has a guard, and nothing says what follows if %s`,
				s.Name.Value, x.name(), noneHolds(rows))
			d.Severity = diag.Error
			u.report(noteGuards(d, rows).WithHint(`add a row "*" without a guard`))
		case x.driven() || !x.flow.Of(s).PerhapsNone(rows[0].Key.Value) || slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll):
		case slices.ContainsFunc(rows, u.faultyGuard): // what is meant may be the opposite of another guard
		default:
			d := diag.New(diag.NoElse, rows[0].Key.Span, "nothing says what follows the key %q in state %q of machine %q if %s",
				rows[0].Key.Value, s.Name.Value, x.name(), noneHolds(rows))
			u.report(noteGuards(d, rows).WithHint(`the run would fail: add a row for %q without a guard, or "*"`, rows[0].Key.Value))
		}
	})
	for _, x := range u.workMachines {
		if !x.Partial {
			x.noElseOnSuccess(u)
		}
	}
}}

// noElseOnSuccess finds states of a workflow that may end well without a row for that: all have guards, none of which need hold, and
// no step names the next state. The machine fails there.
func (x *machine) noElseOnSuccess(u *unit) {
	reported := map[*ir.Row]bool{}
	for _, s := range x.flow.States {
		rows := s.TriedOn(ir.OnSuccess)
		if !s.Written || len(rows) == 0 || !perhapsStalls(s) {
			continue
		}
		if reported[rows[0]] || u.found(diag.NoExit, s.Name.Span) {
			continue
		}
		reported[rows[0]] = true
		d := diag.New(diag.NoElse, rows[0].Key.Span, "nothing says what follows the success of state %q in machine %q if %s",
			s.Name.Value, x.name(), noneHolds(rows))
		u.report(noteGuards(d, rows).WithHint("the run would fail: add a row {from: %s, on: success, to: STATE} without a guard", s.Name.Value))
	}
}

// perhapsStalls reports whether a machine can fail after the success of a state because no row applies, and no step can name the next
// state.
func perhapsStalls(s *flow.State) bool { return s.Stalls && !s.Anywhere && len(s.State.Next) == 0 }

// faultyGuard reports whether there is a mistake in the guard of a row.
func (u *unit) faultyGuard(row *ir.Row) bool {
	return hasWithin(u.faulty, row.When.Text.Span) || row.When.Func == nil && row.When.Formula == nil
}

// foldsAlike reports whether a row of s has another key that is equal to this one when folded, which is ambiguous-key.
func foldsAlike(s *ir.State, key string) bool {
	return slices.ContainsFunc(s.Rows, func(row *ir.Row) bool {
		return row.Key.Value != key && ir.FoldKey(row.Key.Value) == ir.FoldKey(key)
	})
}

// noneHolds says that the guards of rows fail.
func noneHolds(rows []*ir.Row) string {
	if len(rows) == 1 {
		return "its guard is false"
	}

	return "none of its guards is true"
}

// noteGuards shows the guards of rows in the order in which they are asked.
func noteGuards(d *diag.Diagnostic, rows []*ir.Row) *diag.Diagnostic {
	return noteEach(d, rows, "and so on, for %d more", func(row *ir.Row) { d.Note(row.When.Text.Span, "the guard is %q", row.When.Text.Value) })
}
