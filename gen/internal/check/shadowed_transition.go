package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// shadowedTransition finds rows with a guard that are never asked: a row of their key without one is tried before them, or one
// with the same guard, which has said no by then. A second row without a guard is duplicate-transition.
var shadowedTransition = Pass{Name: "shadowed-transition", run: func(u *unit) {
	u.eachTried(func(x *machine, s *ir.State, rows []*ir.Row) {
		for i, row := range rows {
			if row.When == nil {
				continue
			}
			if first := shadow(rows[:i], row); first != nil {
				u.report(x.shadowed(s, rows, first, row))
			}
		}
	})
}}

// shadow returns which of the rows that are tried before a row takes whatever that would take; nil if none does.
func shadow(before []*ir.Row, row *ir.Row) *ir.Row {
	i := slices.IndexFunc(before, func(b *ir.Row) bool { return b.When == nil || b.When.Same(row.When) })
	if i < 0 {
		return nil
	}

	return before[i]
}

func (x *machine) shadowed(s *ir.State, rows []*ir.Row, first, row *ir.Row) *diag.Diagnostic {
	d := diag.New(diag.ShadowedTransition, row.Key.Span, "the guard %q of a row for %q in state %q of machine %q is never asked",
		row.When.Text.Value, row.Key.Value, s.Name.Value, x.name())
	if first.When != nil {
		return d.WithHint("the same guard has been asked before").
			Note(first.Key.Span, "this row for %q, which is tried before it, has that guard too", row.Key.Value)
	}
	d.Note(first.Key.Span, "this row for %q has no guard, and is tried before it", row.Key.Value)
	if first.Priority > row.Priority {
		return d.WithHint("give it a priority above %d", first.Priority)
	}
	d.WithHint("write it before the row without a guard, or give it a higher priority")
	if edit, ok := behindGuarded(s, rows); ok {
		d.Fixes = append(d.Fixes, diag.Fix{
			Message: fmt.Sprintf("write the row for %q without a guard behind those that have one", row.Key.Value),
			Edits:   []diag.Edit{edit},
		})
	}

	return d
}

// behindGuarded is the edit that puts the one row of a key without a guard behind those with guards. ok is false where it is
// not the order of the source that counts, where a row is not on a line of its own, or where a row of another key is between
// them: then a state may be missing.
func behindGuarded(s *ir.State, rows []*ir.Row) (edit diag.Edit, ok bool) {
	first := slices.IndexFunc(rows, unguarded)
	last := rows[len(rows)-1]
	for i, row := range rows {
		if row.Priority != rows[0].Priority || i != first && row.When == nil {
			return diag.Edit{}, false
		}
	}
	from, firstAlone := lineOf(s, rows[first])
	to, lastAlone := lineOf(s, last)
	isBetween := func(other *ir.Row) bool {
		return other.Key.Span.Start > from.End && other.Key.Span.Start < to.Start && !slices.Contains(rows, other)
	}
	if !firstAlone || !lastAlone || slices.ContainsFunc(s.Rows, isBetween) {
		return diag.Edit{}, false
	}
	between := source.Span{File: from.File, Start: from.End, End: to.End}.Text()
	rest := strings.TrimLeft(between, "\r\n")
	end, _, _ := strings.Cut(between, "\n")

	return diag.Edit{
		Span: source.Span{File: from.File, Start: from.Start, End: to.End},
		New:  rest + end + "\n" + from.Text(),
	}, true
}

// lineOf returns the line of a row without its end. alone is false unless the line is one entry of a list that begins and ends
// on it, and no other row stands there.
func lineOf(s *ir.State, row *ir.Row) (line source.Span, alone bool) {
	line = lineAt(row.Key.Span)
	if !strings.HasPrefix(strings.TrimSpace(line.Text()), "- ") {
		return line, false
	}
	within := func(span source.Span) bool {
		return !span.IsValid() || span.File == line.File && span.Start >= line.Start && span.End <= line.End
	}
	for _, other := range s.Rows {
		if other != row && within(other.Key.Span) {
			return line, false
		}
	}
	when := source.Span{}
	if row.When != nil {
		when = row.When.Text.Span
	}

	return line, within(row.To.Span) && within(when) && within(row.PriorityAt) && !continues(line)
}

// lineAt returns the line in which a span begins, without its end.
func lineAt(at source.Span) source.Span {
	number := at.Pos().Line
	start := at.File.LineStart(number)

	return source.Span{File: at.File, Start: start, End: start + len(at.File.Line(number))}
}

// continues reports whether the entry of a list that begins on a line goes on below it: what stands there is indented more.
func continues(line source.Span) bool {
	indent := func(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }
	for number := line.Pos().Line + 1; number <= line.File.LineCount(); number++ {
		if below := line.File.Line(number); strings.TrimSpace(below) != "" {
			return indent(below) > indent(line.Text())
		}
	}

	return false
}
