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

// deadWorkRows finds rows of machines in workflows that are never taken because of what their state is: it ends the machine, has
// no steps that could fail, or asks no person; rows of which nothing comes; and values of next_state that no run looks at.
func (u *unit) deadWorkRows(f findings) {
	for _, x := range u.workMachines {
		if x.Partial {
			continue
		}
		for _, row := range x.Machine.Rows() {
			if d := x.deadRow(row); d != nil && !u.hiddenRows[row] {
				u.report(d)
			}
		}
		for _, s := range x.flow.States {
			u.shadowedWorkRows(s, f)
		}
		x.deadNext(u)
	}
}

// shadowedWorkRows finds rows of a state whose guards do not hold unless one before them does. Where a guard is always the same,
// that is what is wrong.
func (u *unit) shadowedWorkRows(s *flow.State, f findings) {
	for _, move := range s.Moves {
		if move.Row != nil && move.Row.When != nil && hasWithin(f.places, move.Row.When.Text.Span) {
			return
		}
	}
	for _, move := range s.Moves {
		switch row := move.Row; {
		case row == nil || row.FromAny() || u.hiddenRows[row]:
		case move.Dead == flow.Shadowed:
			u.report(dead(row, "whenever its guard is true, one before it is"))
		case move.Dead == flow.NoWay && row.When != nil && !f.places[row.Key.Span]:
			u.report(dead(row, "its guard holds with no values with which the state is left").Note(row.When.Text.Span, "the guard is %q", row.When.Text.Value))
		}
	}
}

// deadRow says why a row is taken in none of the states that have it, where that is because of what they are; nil else.
func (x *machine) deadRow(row *ir.Row) *diag.Diagnostic {
	on, from := row.Key.Value, x.flow.Of(row.From.State)
	states, whose := []*flow.State{from}, fmt.Sprintf("state %q", row.From.Value)
	switch {
	case row.FromAny():
		states, whose = x.flow.States, "any state"
	case from == nil:
		return nil
	case from.End:
		return dead(row, "machine %q ends in %q", x.name(), from.Name.Value)
	case interp.Stays(from.State, row) && from.Asks:
		d := diag.New(diag.DeadTransition, row.Key.Span,
			"the row on pause from %q to itself changes nothing: the run continues after the step that asked, with the answer", from.Name.Value)
		return d.WithHint("remove it")
	}
	takes := func(s *flow.State) bool { return !s.End && s.Brings(on) && !interp.Stays(s.State, row) }
	switch {
	case slices.ContainsFunc(states, takes):
		return nil
	case on == ir.OnPause && row.FromAny():
		return dead(row, "no step of another state asks a person")
	case on == ir.OnPause:
		return dead(row, "no step of %s asks a person", whose)
	}

	return dead(row, "no step of %s can fail", whose)
}

func dead(row *ir.Row, why string, args ...any) *diag.Diagnostic {
	return diag.New(diag.DeadTransition, row.Key.Span, "the row on %s from %q is never taken: %s", row.Key.Value, row.From.Value,
		fmt.Sprintf(why, args...)).WithHint("remove it")
}

// deadNext finds values of next_state that are never looked at, because a row is always taken before.
func (x *machine) deadNext(u *unit) {
	for _, s := range x.flow.States {
		row := s.AlwaysOn(ir.OnSuccess)
		if s.End || row == nil || u.reads(x.agent).roots[ir.RootNext] {
			continue
		}
		for _, ref := range s.State.Next {
			if !within(ref.Span, s.Body.Span) {
				continue // what an agent may answer with may be followed where else it is asked
			}
			u.report(diag.New(diag.DeadTransition, ref.Span,
				"this next_state is never followed: rows come first, and one is always taken after state %q", s.Name.Value).
				WithHint("remove it, or give the row a guard").
				Note(row.Key.Span, "the row leads to %q", row.To.Value))
		}
	}
}

// hasWithin reports whether one of some places is a part of another one.
func hasWithin(places map[source.Span]bool, around source.Span) bool {
	for at := range places {
		if within(at, around) {
			return true
		}
	}

	return false
}

// within reports whether a place is a part of another one.
func within(at, around source.Span) bool {
	return at.File == around.File && around.Start <= at.Start && at.End <= around.End
}
