package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// reportDeadWorkRows reports rows of machines in workflows that are never taken: their state ends
// the machine, has no steps that can fail, or asks no person. It also reports rows without effect
// and values of next_state that no run uses.
func (u *unit) reportDeadWorkRows(f reportedProblems) {
	for _, x := range u.workMachines {
		if x.Partial {
			continue
		}
		for _, row := range x.Machine.Rows() {
			if d := x.deadWorkRowDiagnostic(row); d != nil && !u.hiddenRows[row] {
				u.report(d)
			}
		}
		for _, s := range x.flow.States {
			u.reportShadowedWorkRows(s, f)
		}
		x.reportDeadNext(u)
	}
}

// reportShadowedWorkRows reports rows of a state whose guard holds only if an earlier one does. If
// a guard has a problem, its rows are a consequence.
func (u *unit) reportShadowedWorkRows(s *flow.State, f reportedProblems) {
	for _, move := range s.Moves {
		if move.Row != nil && move.Row.When != nil && hasSpanWithin(f.spans, move.Row.When.Text.Span) {
			return
		}
	}
	for _, move := range s.Moves {
		switch row := move.Row; {
		case row == nil || row.IsFromAny() || u.hiddenRows[row]:
		case move.Dead != flow.Shadowed && move.Dead != flow.NoWay, u.hasReported(diag.DeadTransition, row.Key.Span):
		case move.Dead == flow.Shadowed:
			u.report(newDeadRow(row, "whenever its guard is true, one before it is"))
		case row.When != nil && !f.spans[row.Key.Span]:
			u.report(newDeadRow(row, "its guard holds with no values with which the state is left").Note(row.When.Text.Span, "the guard is %q", row.When.Text.Value))
		}
	}
}

// deadWorkRowDiagnostic describes why none of the states with a row takes it. It returns nil if one
// may.
func (x *machine) deadWorkRowDiagnostic(row *ir.Row) *diag.Diagnostic {
	on, from := row.Key.Value, x.flow.StateOf(row.From.State)
	states, whose := []*flow.State{from}, fmt.Sprintf("state %q", row.From.Value)
	switch {
	case row.IsFromAny():
		states, whose = x.flow.States, "any state"
	case from == nil:
		return nil
	case from.End:
		return newDeadRow(row, "machine %q ends in %q", x.name(), from.Name.Value)
	case interp.StaysInState(from.State, row) && from.Asks:
		d := diag.New(diag.DeadTransition, row.Key.Span,
			"the row on pause from %q to itself changes nothing: the run continues after the step that asked, with the answer", from.Name.Value)
		return d.WithHint("remove it")
	}
	takes := func(s *flow.State) bool { return !s.End && s.CanEndWith(on) && !interp.StaysInState(s.State, row) }
	switch {
	case row.IsTimeout && !slices.ContainsFunc(states, canTimeOut):
		return newDeadRow(row, "no step of %s fails because its time is over", whose).
			WithHint("remove it, or give a question a timeout without on_timeout")
	case slices.ContainsFunc(states, takes):
		return nil
	case on == ir.OnPause && row.IsFromAny():
		return newDeadRow(row, "no step of another state asks a person")
	case on == ir.OnPause:
		return newDeadRow(row, "no step of %s asks a person", whose)
	case on == ir.OnSuccess:
		return x.answeredFirstDiagnostic(row, states)
	}

	return newDeadRow(row, "no step of %s can fail", whose)
}

// canTimeOut reports whether a step of a state may fail because its time is over: a question without
// an answer for that, or a call of a model, a function or a workflow.
func canTimeOut(s *flow.State) bool {
	found := false
	ir.WalkTasks(s.Body, func(t *ir.Task) {
		switch do := t.Do.(type) {
		case *ir.Ask:
			found = found || do.CanTimeOut()
		case *ir.Run, *ir.UseFunc, *ir.UseBuiltin, *ir.Import:
			found = true
		case *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine: // they have inner steps
		case *ir.PassOn, *ir.Receive, *ir.Return:
		}
	})

	return found && !s.End
}

// answeredFirstDiagnostic describes a row on success from states that an answer always leaves
// before all of their steps have run. It returns nil if the row is from no such state.
func (x *machine) answeredFirstDiagnostic(row *ir.Row, states []*flow.State) *diag.Diagnostic {
	s := ir.First(states, func(s *flow.State) bool { return s.LeavingQuestion != nil })
	if s == nil {
		return nil
	}

	return newDeadRow(row, "the answer to step %q leaves state %q before it has succeeded", s.LeavingQuestion.Name.Value, s.Name.Value).
		Note(s.LeavingRow.Key.Span, "this row takes every answer to %q", s.LeavingRow.To.Value)
}

func newDeadRow(row *ir.Row, why string, args ...any) *diag.Diagnostic {
	on := row.Key.Value
	if row.IsTimeout {
		on = "timeout"
	}

	return diag.New(diag.DeadTransition, row.Key.Span, "the row on %s from %q is never taken: %s", on, row.From.Value,
		fmt.Sprintf(why, args...)).WithHint("remove it")
}

// reportDeadNext reports values of next_state that are never used, because a row is always taken
// first.
func (x *machine) reportDeadNext(u *unit) {
	for _, s := range x.flow.States {
		row := s.AlwaysOn(ir.OnSuccess)
		if s.End || row == nil || u.readsOf(x.agent).roots[ir.RootNext] {
			continue
		}
		for _, ref := range s.State.Next {
			if !isWithin(ref.Span, s.Body.Span) {
				continue // an agent may run elsewhere too, where its answer is used
			}
			u.report(diag.New(diag.DeadTransition, ref.Span,
				"this next_state is never followed: rows come first, and one is always taken after state %q", s.Name.Value).
				WithHint("remove it, or give the row a guard").
				Note(row.Key.Span, "the row leads to %q", row.To.Value))
		}
	}
}

// hasSpanWithin reports whether one of the spans is inside another one.
func hasSpanWithin(places map[source.Span]bool, around source.Span) bool {
	for at := range places {
		if isWithin(at, around) {
			return true
		}
	}

	return false
}

// isWithin reports whether a span is inside another one.
func isWithin(at, around source.Span) bool {
	return at.File == around.File && around.Start <= at.Start && at.End <= around.End
}
