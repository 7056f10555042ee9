package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// unroutedKey finds keys with which an agent can finish and that have no row in its state. Only a
// closed list of rows can lack one. A key that a machine with a catch-all end does not route leaves
// the machine and is checked where the machine runs. Keys of timers and signals are checked too.
var unroutedKey = Pass{Name: "unrouted-key", run: func(u *unit) {
	u.eachState(func(x *machine, s *ir.State) {
		if !x.flow.StateOf(s).Unrouted || s.Place().Kind != ir.PlaceClosed {
			return
		}
		if u.flow.CannotEnd(s.Agent) {
			return // that is no-exit, and it never finishes with a key
		}
		if out := u.flow.OutcomesIn(s); !out.HasNoKeys() {
			u.reportUnrouted(x, s, out.Unrouted(s).Keys())
		}
	})
	u.reportUnroutedFired()
	u.reportUnroutedBranches()
	u.reportBlockedWorkflows()
	u.reportRefusedImports()
}}

// reportUnrouted reports the keys without a row in s: a key that a row most likely misspells at
// this row, all others at the list. It records other problems of the rows as consequences.
func (u *unit) reportUnrouted(x *machine, s *ir.State, missing []string) {
	dead := x.deadRows(s)
	var rest []string
	for _, key := range missing {
		row := misspelledRow(key, dead)
		if row == nil {
			rest = append(rest, key)
			continue
		}
		dead = slices.DeleteFunc(dead, func(r *ir.Row) bool { return r == row })
		u.recordUnrouted(s.Agent, row)
		u.reportInState(x, s, u.misspelledRowDiagnostic(x, s, key, row))
	}
	if len(rest) == 0 {
		return
	}
	for _, row := range dead {
		u.recordUnrouted(s.Agent, row)
	}
	if alwaysDone(s.Agent) {
		u.reportInState(x, s, hintDone(s, u.unroutedDiagnostic(x, s, rest)))
		return
	}
	d := u.unroutedDiagnostic(x, s, rest)
	u.reportInState(x, s, noteEach(d, dead, "and so on, for %d more rows", func(row *ir.Row) {
		d.Note(row.Key.Span, "%q is not a key with which it finishes", row.Key.Value)
	}))
}

// reportInState reports a problem of a state. It is a warning if only dead rows lead to the state,
// because no run fails there.
func (u *unit) reportInState(x *machine, s *ir.State, d *diag.Diagnostic) {
	if at := x.flow.StateOf(s); at.Written && !at.Reached {
		d.Warn().Note(noSpan, "only rows that are never taken lead to state %q", s.Name.Value)
	}
	u.report(d)
}

// recordUnrouted records that a reported problem explains a row for a with a key that a never
// finishes with.
func (u *unit) recordUnrouted(a *ir.Agent, row *ir.Row) {
	u.unroutedRows[row] = true
	if u.unroutedKeys[a] == nil {
		u.unroutedKeys[a] = map[string]bool{}
	}
	u.unroutedKeys[a][ir.FoldKey(row.Key.Value)] = true
}

// misspelledRowDiagnostic describes a row of s that most likely misspells the key. If the prompt
// names the key of the row, the declared key is the misspelled one.
func (u *unit) misspelledRowDiagnostic(x *machine, s *ir.State, key string, row *ir.Row) *diag.Diagnostic {
	if wrong, named := u.misdeclaredKey(s.Agent, row.Key.Value); wrong.Value == key {
		return diag.New(diag.UnroutedKey, wrong.Span,
			"agent %q declares the key %q, but state %q of machine %q has no row for it",
			s.Agent.Name.Value, key, s.Name.Value, x.name()).
			Suggest(key, []string{row.Key.Value}).
			Note(row.Key.Span, "this row has %q", row.Key.Value).
			Note(named, "and the prompt names %q", row.Key.Value)
	}
	d := u.unroutedDiagnostic(x, s, []string{key})
	d.Span, d.Hint = row.Key.Span, ""

	return suggestKey(d, s.Agent, row, []string{key})
}

// unroutedDiagnostic describes the keys without a row in s.
func (u *unit) unroutedDiagnostic(x *machine, s *ir.State, missing []string) *diag.Diagnostic {
	where := fmt.Sprintf("state %q of machine %q", s.Name.Value, x.name())
	if alwaysDone(s.Agent) {
		return diag.New(diag.UnroutedKey, rowsSpan(s),
			"agent %q is a %s, which always finishes with %q, but %s has no row for it",
			s.Agent.Name.Value, s.Agent.Node.Pattern(), ir.DoneKey, where)
	}

	origins := u.originsOf(s.Agent, missing)
	texts := ir.Map(origins, func(from origin) string { return from.key })
	d := diag.New(diag.UnroutedKey, rowsSpan(s), "%s %q can finish with %s, but %s has no row for %s",
		noun(s.Agent), s.Agent.Name.Value, quoted(texts), where, plural(len(texts), "that", "those"))
	d.WithHint("add %s for %s", plural(len(texts), "a row", "rows"), quoted(texts))
	if older := olderRow(s); older != nil && slices.Contains(texts, ir.DoneKey) {
		d.WithHint("the row %q has the older name of %q", older.Key.Value, ir.DoneKey)
	}

	return noteEach(d, origins, "and so on, for %d more keys", func(from origin) { d.Note(from.at, "%s", from.says) })
}

// alwaysDone reports whether a always finishes with done, apart from its limit.
func alwaysDone(a *ir.Agent) bool {
	switch node := a.Node.(type) {
	case *ir.Oneshot:
		return true
	case *ir.Flow:
		if !node.IsWorkflow() {
			done, own := node.FinishKeys()
			return done && len(own) == 0
		}
	}

	return false
}

// originsOf returns the origins of the keys. Of many keys only the first are looked up.
func (u *unit) originsOf(a *ir.Agent, missing []string) []origin {
	origins := make([]origin, len(missing))
	for i, key := range missing {
		origins[i] = origin{key: key}
		if i < maxListed {
			origins[i] = u.originOf(a, key)
		}
	}

	return origins
}

// hintDone adds a hint for a state whose agent always finishes with done.
func hintDone(s *ir.State, d *diag.Diagnostic) *diag.Diagnostic {
	if row := olderRow(s); row != nil {
		d.Span = row.Key.Span
		return d.WithHint("%q is the older name of %q", row.Key.Value, ir.DoneKey)
	}
	if f, ok := ir.PatternOf(s.Agent.Node); ok {
		return hintPattern(s.Agent, f, d)
	}

	name := s.Agent.Name.Value
	d.WithHint("a react agent chooses its key: give %q the pattern react", name)

	return d.Note(placeOf(s.Agent.PatternAt, s.Agent.Name), "%q is a oneshot", name)
}

// hintPattern adds a hint for a state that expects a key which its pattern never has.
func hintPattern(a *ir.Agent, f *ir.Flow, d *diag.Diagnostic) *diag.Diagnostic {
	d.WithHint("add a row for %q", ir.DoneKey)
	d.Note(placeOf(a.PatternAt, a.Name), "%q is a %s", a.Name.Value, f.Kind)
	if f.HasLimitKey() {
		d.Note(noSpan, "when its limit is reached it finishes with %q, if there is a row for that", ir.ExhaustedKey)
	}

	return d
}

// olderRow returns the row of s with the name that done had in older projects, or nil.
func olderRow(s *ir.State) *ir.Row {
	older := ir.ResultKey
	if f, ok := ir.PatternOf(s.Agent.Node); ok && f.Kind == "parallel" {
		older = f.Kind
	}

	return rowFor(s, older)
}

// deadRows returns the rows of s whose keys its agent never finishes with.
func (x *machine) deadRows(s *ir.State) []*ir.Row {
	dead := ir.Where(x.flow.StateOf(s).Moves, func(move *flow.Move) bool { return move.Dead == flow.NoKey && !move.Row.IsCatchAll() })

	return ir.Map(dead, func(move *flow.Move) *ir.Row { return move.Row })
}

// misspelledRow returns the dead row that most likely misspells the key, or nil.
func misspelledRow(key string, dead []*ir.Row) *ir.Row {
	texts := ir.Map(dead, func(row *ir.Row) string { return row.Key.Value })
	near, ok := diag.Nearest(key, texts)
	if !ok {
		return nil
	}

	return dead[slices.Index(texts, near)]
}

// rowsSpan returns the span of the rows of s, from the first key to the end of the last row.
func rowsSpan(s *ir.State) source.Span {
	first, last := s.Rows[0].Key.Span, s.Rows[len(s.Rows)-1]
	end := last.To.Span
	if !end.IsValid() {
		end = last.Key.Span
	}
	if end.File != first.File || end.End < first.End {
		return first
	}

	return source.Span{File: first.File, Start: first.Start, End: end.End}
}

// noun returns the kind of an agent in messages.
func noun(a *ir.Agent) string {
	switch n := a.Node.(type) {
	case *ir.Machine:
		return "machine"
	case *ir.Flow:
		if n.IsWorkflow() {
			return "workflow"
		}
	}

	return "agent"
}
