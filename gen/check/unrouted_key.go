package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
	"github.com/agentc-dev/agentc/gen/source"
)

// unroutedKey finds keys with which an agent can finish and that have no row where it stands. Only closed lists of rows can
// lack one. What a list with a catch-all that ends the machine does not route leaves the machine, and is found where that
// stands: legal(place) composes, and so do the sets of keys that come out.
var unroutedKey = Pass{Name: "unrouted-key", run: func(u *unit) {
	for _, x := range u.machines {
		if x.Partial || x.External {
			continue
		}
		for _, s := range x.States {
			if len(s.Rows) == 0 || s.Agent == nil || keys.Of(s).Kind != keys.Closed {
				continue
			}
			if missing := u.unrouted(s); len(missing) > 0 {
				u.report(u.unroutedFinding(x, s, missing))
			}
		}
	}
}}

// unrouted returns the keys with which the agent of s can finish and that have no row in s.
func (u *unit) unrouted(s *ir.State) []string {
	out := u.keys.Outcomes(s.Agent)
	if out.Empty() {
		return nil
	}

	return out.Beyond(s).Keys()
}

// unroutedFinding says which keys have no row in s.
func (u *unit) unroutedFinding(x *machine, s *ir.State, missing []string) *diag.Diagnostic {
	where := fmt.Sprintf("state %q of machine %q", s.Name.Value, x.agent.Name.Value)
	if alwaysDone(s.Agent) {
		return u.doneMend(s, diag.New(diag.UnroutedKey, rowsSpan(s),
			"agent %q is a %s, which always finishes with %q, and %s has no row for that",
			s.Agent.Name.Value, s.Agent.Node.Pattern(), keys.Done, where))
	}

	origins := u.origins(s.Agent, missing)
	texts := make([]string, len(origins))
	for i, from := range origins {
		texts[i] = from.key
	}
	d := diag.New(diag.UnroutedKey, rowsSpan(s), "%s %q can finish with %s, and %s has no row for %s",
		noun(s.Agent), s.Agent.Name.Value, quoted(texts), where, plural(len(texts), "that", "those"))
	d.WithHint("add %s for %s", plural(len(texts), "a row", "rows"), quoted(texts))
	switch row, older := u.misspelledRow(s, texts), olderRow(s); {
	case row != nil:
		d.Span, d.Hint = row.Key.Span, ""
		d.Guess(row.Key.Value, texts) // or the key is misspelled where it comes from
	case older != nil && slices.Contains(texts, keys.Done):
		d.WithHint("the row %q has the older name of %q", older.Key.Value, keys.Done)
	}
	for i, from := range origins {
		if i == maxListed {
			return d.Note(noSpan, "and so on, for %d more keys", len(origins)-i)
		}
		d.Note(from.at, "%s", from.says)
	}

	return d
}

// alwaysDone reports whether a has no choice: it finishes with the key done, unless its limit has a row of its own.
func alwaysDone(a *ir.Agent) bool {
	switch node := a.Node.(type) {
	case *ir.Oneshot:
		return true
	case *ir.Flow:
		done, own := keys.OfFlow(node)
		return done && len(own) == 0
	}

	return false
}

// origins returns where the keys come from. Of many keys only the first are looked up.
func (u *unit) origins(a *ir.Agent, missing []string) []origin {
	origins := make([]origin, len(missing))
	for i, key := range missing {
		origins[i] = origin{key: key}
		if i < maxListed {
			origins[i] = u.origin(a, key)
		}
	}

	return origins
}

// doneMend says how to mend a state whose agent always finishes with done.
func (u *unit) doneMend(s *ir.State, d *diag.Diagnostic) *diag.Diagnostic {
	if row := u.misspelledRow(s, []string{keys.Done}); row != nil {
		d.Span = row.Key.Span
		return d.Suggest(row.Key.Value, []string{keys.Done})
	}
	if row := olderRow(s); row != nil {
		d.Span = row.Key.Span
		return d.WithHint("%q is the older name of %q", row.Key.Value, keys.Done)
	}
	if f, ok := s.Agent.Node.(*ir.Flow); ok {
		return flowMend(s.Agent, f, d)
	}

	return oneshotMend(s.Agent, d)
}

// oneshotMend says how to mend a state whose oneshot is asked to choose.
func oneshotMend(a *ir.Agent, d *diag.Diagnostic) *diag.Diagnostic {
	name, at := a.Name.Value, a.PatternAt.Span
	d.WithHint("a react agent chooses its key: give %q the pattern react", name)
	d.Note(placeOf(a.PatternAt, a.Name), "%q is a oneshot", name)
	if !at.IsValid() {
		return d
	}

	return d.WithFix(fmt.Sprintf("give agent %q the pattern react", name), at, "react")
}

// flowMend says how to mend a state that waits for a key which its flow never has. Another pattern would be another agent.
func flowMend(a *ir.Agent, f *ir.Flow, d *diag.Diagnostic) *diag.Diagnostic {
	d.WithHint("add a row for %q", keys.Done)
	d.Note(placeOf(a.PatternAt, a.Name), "%q is a %s", a.Name.Value, f.Kind)
	if keys.Limited(f) {
		d.Note(noSpan, "when its limit is reached it finishes with %q, if there is a row for that", keys.Exhausted)
	}

	return d
}

// olderRow returns the row of s with the name that the key done of its agent had in older projects; nil if there is none.
func olderRow(s *ir.State) *ir.Row {
	older := keys.DoneOlder
	if f, ok := s.Agent.Node.(*ir.Flow); ok && f.Kind == "parallel" {
		older = f.Kind
	}
	for _, row := range s.Rows {
		if keys.Fold(row.Key.Value) == older {
			return row
		}
	}

	return nil
}

// misspelledRow returns the row that most likely was to route the only missing key: one near to it, with a key that the
// agent of s can never finish with. It returns nil if there is no such row.
func (u *unit) misspelledRow(s *ir.State, missing []string) *ir.Row {
	out := u.keys.Outcomes(s.Agent)
	if len(missing) != 1 || out.Adapts {
		return nil
	}
	var dead []string
	rows := map[string]*ir.Row{}
	for _, row := range s.Rows {
		if !out.Has(row.Key.Value) {
			dead = append(dead, row.Key.Value)
			rows[row.Key.Value] = row
		}
	}
	near, ok := diag.Nearest(missing[0], dead)
	if !ok {
		return nil
	}

	return rows[near]
}

// rowsSpan returns the place of the list of rows of s, from its first key to the end of its last row.
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

// noun says what an agent is.
func noun(a *ir.Agent) string {
	if _, ok := a.Node.(*ir.Machine); ok {
		return "machine"
	}

	return "agent"
}
