package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// deadTransition finds rows that are never taken: rows with a key that their agent never finishes
// with, and a catch-all where every key of the agent has a row. It omits consequences of other
// problems: a row with a diagnostic, a list without a row for a key, an agent whose keys may change
// when it is fixed, and a row that agrees with the prompt, which is prompt-key.
var deadTransition = Pass{Name: "dead-transition", run: func(u *unit) {
	f := u.problemsSoFar()
	u.eachState(func(x *machine, s *ir.State) {
		isUnknown := s.Agent == nil || f.doubtfulAgents[s.Agent] || u.flow.Outcomes(s.Agent).IsNone()
		if x.isDriven() || isUnknown || len(s.Rows) == 0 || x.flow.StateOf(s).Beyond {
			return
		}
		for _, row := range x.deadRows(s) {
			wrong, _ := u.misdeclaredKey(s.Agent, row.Key.Value)
			if wrong.Value == "" && !u.unroutedRows[row] && !f.spans[row.Key.Span] && !x.isSignalled(s, row.Key.Value) {
				u.report(u.deadRowDiagnostic(x, s, row))
			}
		}
		for _, move := range x.flow.StateOf(s).Moves {
			switch row := move.Row; {
			case row == nil || f.spans[row.Key.Span]:
			case move.Dead == flow.Shadowed:
				u.report(x.neverTakenDiagnostic(s, row, "one of the rows before it always is").
					WithHint("remove it, or one of the guards that leave nothing for it"))
			case move.Dead == flow.NoWay && !x.hasFaultyGuard(f):
				u.report(x.noPathDiagnostic(s, row))
			}
		}
		u.reportDeadCatchAll(x, s, f)
	})
	u.reportDeadWorkRows(f)
	u.reportDeadBranches()
}}

// reportedProblems are the problems that earlier passes have reported.
type reportedProblems struct {
	// spans are the spans of all problems. files are the files whose agents may have other keys
	// once their problems are fixed.
	spans map[source.Span]bool
	files map[*source.File]bool
	// doubtfulAgents are the agents in those files, and agents that finish with the key of such an
	// agent.
	doubtfulAgents map[*ir.Agent]bool
}

// keyNeutralErrors are the errors whose fix does not change the keys of an agent.
var keyNeutralErrors = []*diag.Check{
	diag.UndefinedSkill, diag.UndefinedTool, diag.UndefinedRole, diag.SchemaUnsupported,
	diag.InvalidName, diag.NameMismatch, diag.DuplicateName,
}

// keyChangingWarnings are the warnings whose fix gives an agent other keys: another agent runs, or
// a react loop replaces a oneshot.
var keyChangingWarnings = []*diag.Check{diag.MarkerNearAgent, diag.PromptWithoutTools}

func (u *unit) problemsSoFar() reportedProblems {
	f := reportedProblems{spans: map[source.Span]bool{}, files: map[*source.File]bool{}}
	for _, d := range u.list.Sorted() {
		f.spans[d.Span] = true
		isError := d.Severity == diag.Error && !slices.Contains(keyNeutralErrors, d.Check)
		if isError || slices.Contains(keyChangingWarnings, d.Check) {
			f.files[d.Span.File] = true
		}
	}
	if len(f.files) == 0 {
		return f
	}
	f.doubtfulAgents = u.flow.AgentsPassingOn(func(a *ir.Agent) bool {
		inStep := func(step *ir.Step) bool { return f.files[step.File] }
		return f.files[a.File] || slices.ContainsFunc(a.Conversations(), inStep)
	})

	return f
}

// deadRowDiagnostic describes a row with a key that the agent of its state never finishes with.
func (u *unit) deadRowDiagnostic(x *machine, s *ir.State, row *ir.Row) *diag.Diagnostic {
	d := x.neverTakenDiagnostic(s, row, u.describeOutcomes(s))
	out := u.outcomesBeside(s)
	if out.Adapts() {
		return u.noteInnerRoute(d, s.Agent, row.Key.Value)
	}
	live := out.Keys()
	if out.Exhausts {
		live = append(live, ir.ExhaustedKey)
	}
	near, ok := diag.Nearest(row.Key.Value, live)
	switch {
	case ok && !hasRowWithKey(s, near):
		suggestKey(d, s.Agent, row, live)
	case ok:
		d.WithHint("remove it: %q has a row of its own", near)
	case row == olderRow(s) && out.HasKey(ir.DoneKey):
		d.WithHint("remove it: it has the older name of %q, which has a row of its own", ir.DoneKey)
	case len(declaredKeys(s.Agent)) > 0:
		d.WithHint("remove it, or add %q to the keys of agent %q", row.Key.Value, s.Agent.Name.Value)
	}

	return u.noteOutcomes(d, s)
}

// outcomesBeside returns the outcomes of the agent of a state, given the rows of the state. If none
// of them is for [ir.ExhaustedKey], that key is possible, because its row may be misspelled.
func (u *unit) outcomesBeside(s *ir.State) flow.Outcomes {
	if hasRowWithKey(s, ir.ExhaustedKey) {
		return u.flow.OutcomesIn(s)
	}

	return u.flow.Outcomes(s.Agent)
}

// neverTakenDiagnostic describes a row that no run takes.
func (x *machine) neverTakenDiagnostic(s *ir.State, row *ir.Row, why string) *diag.Diagnostic {
	return diag.New(diag.DeadTransition, row.Key.Span, "the row %q of state %q in machine %q is never taken: %s",
		row.Key.Value, s.Name.Value, x.name(), why).WithHint("remove it")
}

// noPathDiagnostic describes a row whose guard fails on every path to its state.
func (x *machine) noPathDiagnostic(s *ir.State, row *ir.Row) *diag.Diagnostic {
	const hint = "remove it, or correct the guards"
	if row.When == nil {
		return x.neverTakenDiagnostic(s, row, "one of the rows before it is, on every way to this state").WithHint(hint)
	}

	return x.neverTakenDiagnostic(s, row, "its guard holds on no way to this state").WithHint(hint).
		Note(row.When.Text.Span, "the guard is %q", row.When.Text.Value)
}

// hasFaultyGuard reports whether a guard of the machine has a problem, which changes the values
// that states remember.
func (x *machine) hasFaultyGuard(f reportedProblems) bool {
	return slices.ContainsFunc(x.Machine.Rows(), func(row *ir.Row) bool {
		return row.When != nil && hasSpanWithin(f.spans, row.When.Text.Span)
	})
}

// hasRowWithKey reports whether a row of s has the key.
func hasRowWithKey(s *ir.State, key string) bool { return rowFor(s, key) != nil }

// rowFor returns the first row of s with the key, or nil.
func rowFor(s *ir.State, key string) *ir.Row {
	return ir.First(s.Rows, func(row *ir.Row) bool { return ir.FoldKey(row.Key.Value) == ir.FoldKey(key) })
}

// declaredKeys returns the keys that a declares.
func declaredKeys(a *ir.Agent) []ir.Text {
	if react, ok := a.Node.(*ir.React); ok {
		return react.Keys
	}

	return nil
}

// describeOutcomes describes the keys with which the agent of a state finishes, as the reason why a
// row is never taken.
func (u *unit) describeOutcomes(s *ir.State) string {
	a, out := s.Agent, u.outcomesBeside(s)
	agent := fmt.Sprintf("%s %q", noun(a), a.Name.Value)
	switch f, flow := ir.PatternOf(a.Node); {
	case out.Adapts():
		return fmt.Sprintf("%s routes that key itself", agent)
	case out.HasNoKeys():
		return fmt.Sprintf("%s always reaches its limit, and finishes with %q", agent, ir.ExhaustedKey)
	case alwaysDone(a) && flow && f.HasLimitKey():
		return fmt.Sprintf("%s is a %s, which finishes with %q, or with %q at its limit",
			agent, f.Kind, ir.DoneKey, ir.ExhaustedKey)
	case alwaysDone(a):
		return fmt.Sprintf("%s is a %s, which always finishes with %q", agent, a.Node.Pattern(), ir.DoneKey)
	case out.Exhausts:
		return fmt.Sprintf("%s finishes with %s, or with %q at a limit", agent, quotedOr(out.Keys()), ir.ExhaustedKey)
	}

	return fmt.Sprintf("%s always finishes with %s", agent, quotedOr(out.Keys()))
}

// maxOrigins is the maximum number of origins that a diagnostic shows.
const maxOrigins = 4

// noteOutcomes adds notes on the origins of the keys of the agent of a state.
func (u *unit) noteOutcomes(d *diag.Diagnostic, s *ir.State) *diag.Diagnostic {
	a := s.Agent
	if known := declaredKeys(a); len(known) > 0 {
		return d.Note(textsSpan(known), "agent %q declares its keys here", a.Name.Value)
	}
	if alwaysDone(a) {
		return d.Note(placeOf(a.PatternAt, a.Name), "%q is a %s", a.Name.Value, a.Node.Pattern())
	}
	for i, key := range u.outcomesBeside(s).Keys() {
		if i == maxOrigins {
			return d.Note(noSpan, "and so on, for other keys")
		}
		from := u.originOf(a, key)
		d.Note(from.at, "%s", from.says)
	}

	return d
}

// noteInnerRoute adds a note on the row inside a that routes the key.
func (u *unit) noteInnerRoute(d *diag.Diagnostic, a *ir.Agent, key string) *diag.Diagnostic {
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

// reportDeadCatchAll reports the first catch-all row of a state if no catch-all of it is ever
// taken.
func (u *unit) reportDeadCatchAll(x *machine, s *ir.State, f reportedProblems) {
	row := ir.First(s.Rows, (*ir.Row).IsCatchAll)
	if row == nil || len(x.flow.StateOf(s).TriedOn(ir.CatchAll)) > 0 || f.spans[row.Key.Span] {
		return
	}
	why := u.describeOutcomes(s) + ", and there is " + plural(max(1, len(u.outcomesBeside(s).Keys())), "a row for that", "a row for each")
	u.report(u.noteOutcomes(x.neverTakenDiagnostic(s, row, why), s))
}
