package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// deadTransition finds rows that are never taken: those with a key that their agent never finishes with, and a catch-all
// beside rows for all that it can finish with. Nothing is said where that follows from another diagnostic: at a row that has
// one, about a list that lacks a key, and of an agent whose keys may be others when it is fixed; nor where the prompt agrees
// with the row, which is found as prompt-key.
var deadTransition = Pass{Name: "dead-transition", run: func(u *unit) {
	f := u.findingsSoFar()
	u.eachState(func(x *machine, s *ir.State) {
		if x.driven() || s.Agent == nil || len(s.Rows) == 0 || f.doubted[s.Agent] || u.flow.Outcomes(s.Agent).None() || x.flow.Of(s).Beyond {
			return
		}
		for _, row := range x.deadRows(s) {
			wrong, _ := u.misdeclared(s.Agent, row.Key.Value)
			if wrong.Value == "" && !u.unroutedRows[row] && !f.places[row.Key.Span] && !x.signalled(s, row.Key.Value) {
				u.report(u.deadRow(x, s, row))
			}
		}
		for _, move := range x.flow.Of(s).Moves {
			switch row := move.Row; {
			case row == nil || f.places[row.Key.Span]:
			case move.Dead == flow.Shadowed:
				u.report(x.neverTaken(s, row, "one of the rows before it always is").
					WithHint("remove it, or one of the guards that leave nothing for it"))
			case move.Dead == flow.NoWay && !x.hasFaultyGuard(f):
				u.report(x.noWay(s, row))
			}
		}
		u.deadCatchAll(x, s, f)
	})
	u.deadWorkRows(f)
	u.deadBranches()
}}

// findings are what other passes have found.
type findings struct {
	// places are those of all findings, files those whose agents may finish with other keys when what is found is fixed.
	places map[source.Span]bool
	files  map[*source.File]bool
	// doubted are the agents in those files, and those that pass on the key of one.
	doubted map[*ir.Agent]bool
}

// besideKeys are the errors whose fix leaves an agent's keys as they are.
var besideKeys = []*diag.Check{
	diag.UndefinedSkill, diag.UndefinedTool, diag.UndefinedRole, diag.SchemaUnsupported,
	diag.InvalidName, diag.NameMismatch, diag.DuplicateName,
}

// turnKeys are the warnings whose fix gives an agent other keys: another agent runs, or a react loop in place of a oneshot.
var turnKeys = []*diag.Check{diag.MarkerNearAgent, diag.PromptWithoutTools}

func (u *unit) findingsSoFar() findings {
	f := findings{places: map[source.Span]bool{}, files: map[*source.File]bool{}}
	for _, d := range u.list.Sorted() {
		f.places[d.Span] = true
		isError := d.Severity == diag.Error && !slices.Contains(besideKeys, d.Check)
		if isError || slices.Contains(turnKeys, d.Check) {
			f.files[d.Span.File] = true
		}
	}
	if len(f.files) == 0 {
		return f
	}
	f.doubted = u.flow.PassOn(func(a *ir.Agent) bool {
		inStep := func(step *ir.Step) bool { return f.files[step.File] }
		return f.files[a.File] || slices.ContainsFunc(a.Conversations(), inStep)
	})

	return f
}

// deadRow is the diagnostic that an agent never finishes with the key of a row.
func (u *unit) deadRow(x *machine, s *ir.State, row *ir.Row) *diag.Diagnostic {
	d := x.neverTaken(s, row, u.finishes(s.Agent))
	out := u.flow.Outcomes(s.Agent)
	if out.Adapts() {
		return u.noteKept(d, s.Agent, row.Key.Value)
	}
	live := out.Keys()
	if out.Exhausts {
		live = append(live, ir.ExhaustedKey)
	}
	near, ok := diag.Nearest(row.Key.Value, live)
	switch {
	case ok && !routes(s, near):
		suggestKey(d, s.Agent, row, live)
	case ok:
		d.WithHint("remove it: %q has a row of its own", near)
	case row == olderRow(s) && out.Has(ir.DoneKey):
		d.WithHint("remove it: it has the older name of %q, which has a row of its own", ir.DoneKey)
	case len(declared(s.Agent)) > 0:
		d.WithHint("remove it, or add %q to the keys of agent %q", row.Key.Value, s.Agent.Name.Value)
	}

	return u.noteOutcomes(d, s.Agent)
}

// neverTaken is the diagnostic for a row that no run takes.
func (x *machine) neverTaken(s *ir.State, row *ir.Row, why string) *diag.Diagnostic {
	return diag.New(diag.DeadTransition, row.Key.Span, "the row %q of state %q in machine %q is never taken: %s",
		row.Key.Value, s.Name.Value, x.name(), why).WithHint("remove it")
}

// noWay is the diagnostic that the guards say something else on every way to the state of a row.
func (x *machine) noWay(s *ir.State, row *ir.Row) *diag.Diagnostic {
	const hint = "remove it, or correct the guards"
	if row.When == nil {
		return x.neverTaken(s, row, "one of the rows before it is, on every way to this state").WithHint(hint)
	}

	return x.neverTaken(s, row, "its guard holds on no way to this state").WithHint(hint).
		Note(row.When.Text.Span, "the guard is %q", row.When.Text.Value)
}

// hasFaultyGuard reports whether something has been found in a guard of the machine: what the states find remembered follows from it.
func (x *machine) hasFaultyGuard(f findings) bool {
	return slices.ContainsFunc(x.Machine.Rows(), func(row *ir.Row) bool {
		return row.When != nil && hasWithin(f.places, row.When.Text.Span)
	})
}

// routes reports whether a row of s has the key.
func routes(s *ir.State, key string) bool { return rowFor(s, key) != nil }

// rowFor returns the first row of s with the key; nil if there is none.
func rowFor(s *ir.State, key string) *ir.Row {
	return ir.First(s.Rows, func(row *ir.Row) bool { return ir.FoldKey(row.Key.Value) == ir.FoldKey(key) })
}

// declared returns the keys that a declares.
func declared(a *ir.Agent) []ir.Text {
	if react, ok := a.Node.(*ir.React); ok {
		return react.Keys
	}

	return nil
}

// finishes says with which keys a finishes, as the reason why a row is never taken.
func (u *unit) finishes(a *ir.Agent) string {
	out := u.flow.Outcomes(a)
	agent := fmt.Sprintf("%s %q", noun(a), a.Name.Value)
	switch f, flow := ir.PatternOf(a.Node); {
	case out.Adapts():
		return fmt.Sprintf("%s routes that key itself", agent)
	case alwaysDone(a) && flow && f.Limited():
		return fmt.Sprintf("%s is a %s, which finishes with %q, or with %q at its limit",
			agent, f.Kind, ir.DoneKey, ir.ExhaustedKey)
	case alwaysDone(a):
		return fmt.Sprintf("%s is a %s, which always finishes with %q", agent, a.Node.Pattern(), ir.DoneKey)
	case out.Empty():
		return fmt.Sprintf("%s finishes with %q alone", agent, ir.ExhaustedKey)
	case out.Exhausts:
		return fmt.Sprintf("%s finishes with %s, or with %q at a limit", agent, quotedOr(out.Keys()), ir.ExhaustedKey)
	}

	return fmt.Sprintf("%s always finishes with %s", agent, quotedOr(out.Keys()))
}

// maxOrigins is how many places a diagnostic shows at most from which keys come.
const maxOrigins = 4

// noteOutcomes shows from where a has its keys.
func (u *unit) noteOutcomes(d *diag.Diagnostic, a *ir.Agent) *diag.Diagnostic {
	if known := declared(a); len(known) > 0 {
		return d.Note(textsSpan(known), "agent %q declares its keys here", a.Name.Value)
	}
	if alwaysDone(a) {
		return d.Note(placeOf(a.PatternAt, a.Name), "%q is a %s", a.Name.Value, a.Node.Pattern())
	}
	for i, key := range u.flow.Outcomes(a).Keys() {
		if i == maxOrigins {
			return d.Note(noSpan, "and so on, for other keys")
		}
		from := u.origin(a, key)
		d.Note(from.at, "%s", from.says)
	}

	return d
}

// noteKept shows where in a the key is routed, so that it does not come out.
func (u *unit) noteKept(d *diag.Diagnostic, a *ir.Agent, key string) *diag.Diagnostic {
	for seen := map[*ir.Agent]bool{}; a != nil && !seen[a]; {
		seen[a] = true
		m, ok := a.Node.(*ir.Machine)
		if !ok {
			return d.Note(placeOf(a.PatternAt, a.Name), "%q is a %s, which waits for that key", a.Name.Value, a.Node.Pattern())
		}
		a = nil
		for _, s := range m.States {
			kind := s.Place().Kind
			if kind != ir.PlaceOuter && kind != ir.PlaceOr || !u.flow.Outcomes(s.Agent).Adapts() {
				continue
			}
			if row := rowFor(s, key); row != nil {
				return d.Note(row.Key.Span, "%q leads on from state %q here", row.Key.Value, s.Name.Value)
			}
			a = s.Agent
		}
	}

	return d
}

// deadCatchAll finds the first row "*" of a state of which none is ever taken.
func (u *unit) deadCatchAll(x *machine, s *ir.State, f findings) {
	row := ir.First(s.Rows, (*ir.Row).IsCatchAll)
	if row == nil || len(x.flow.Of(s).TriedOn(ir.CatchAll)) > 0 || f.places[row.Key.Span] {
		return
	}
	why := u.finishes(s.Agent) + ", and there is " + plural(len(u.flow.Outcomes(s.Agent).Keys()), "a row for that", "a row for each")
	u.report(u.noteOutcomes(x.neverTaken(s, row, why), s.Agent))
}
