package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Severity is whether a diagnostic stops the compilation.
type Severity uint8

const (
	// Error stops the compilation: nothing is written.
	Error Severity = iota + 1
	// Warning is reported, and is a failure only with --strict.
	Warning
)

// String returns the word in messages: "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}

	return "error"
}

// Diagnostic is one problem in the sources.
type Diagnostic struct {
	// Check is the kind of problem, an element of the catalogue.
	Check *Check
	// Severity is the severity of the check, except where the context makes it lower or higher.
	Severity Severity
	// Span is the text with the problem; the zero Span if no position is known.
	Span source.Span
	// Message is one sentence: lower case, no full stop, user text quoted with %q.
	Message string
	// Hint is printed next to the caret, such as `did you mean "critique"?`; may be empty.
	Hint string
	// Related are further positions that explain the problem, printed as notes in this order.
	Related []Related
	// Fixes are the fixes that are certain; --fix applies the first.
	Fixes []Fix
}

// Related is a note at another position, or without one.
type Related struct {
	Span    source.Span
	Message string
}

// Fix is a change of the sources: applying all its edits fixes the problem.
type Fix struct {
	// Message describes the fix, such as `replace "critque" with "critique"`.
	Message string
	// Edits do not overlap.
	Edits []Edit
}

// Edit replaces the bytes of Span by New.
type Edit struct {
	Span source.Span
	New  string
}

// New returns a diagnostic of check at span with the severity of the catalogue. Format and args
// make the message, as in [fmt.Sprintf].
func New(check *Check, span source.Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{Check: check, Severity: check.Severity, Span: span, Message: fmt.Sprintf(format, args...)}
}

// Note adds a related position and returns d. The zero Span gives a note without a position.
func (d *Diagnostic) Note(span source.Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{Span: span, Message: fmt.Sprintf(format, args...)})
	return d
}

// IsError reports whether the severity is Error.
func (d *Diagnostic) IsError() bool { return d.Severity == Error }

// WithHint sets the text next to the caret and returns d.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithFix adds a fix with the edit of [Replace] and returns d.
func (d *Diagnostic) WithFix(message string, span source.Span, replacement string) *Diagnostic {
	d.Fixes = append(d.Fixes, Fix{Message: message, Edits: []Edit{Replace(span, replacement)}})
	return d
}

// Replace returns the edit that replaces the text of span. Line breaks at the end of the span are
// kept: a YAML block ends where the next field begins, and that field stays on a line of its own.
func Replace(span source.Span, text string) Edit {
	if hasText(span) {
		span.End = span.Start + len(strings.TrimRight(span.Text(), "\r\n"))
	}

	return Edit{Span: span, New: text}
}

// Guess adds the hint `did you mean "x"?` with the candidate that [Nearest] returns for name. If no
// candidate is near, d is unchanged. It returns d.
func (d *Diagnostic) Guess(name string, candidates []string) *Diagnostic {
	if near, ok := Nearest(name, candidates); ok {
		d.WithHint("did you mean %q?", near)
	}

	return d
}

// Suggest is Guess for a name that is wrong for any set of candidates: if the near one is
// [IsCertain] and the name is literally under the span, it also adds a fix. It returns d.
func (d *Diagnostic) Suggest(name string, candidates []string) *Diagnostic {
	near, ok := Nearest(name, candidates)
	if span, stands := Literally(d.Span, name); ok && stands && IsCertain(name, near, candidates) {
		d.WithFix(fmt.Sprintf("replace %q with %q", name, near), span, near)
	}

	return d.Guess(name, candidates)
}

// Literally returns the span of a name inside a span: all of it, or the part between quotes. ok is
// false if the text differs from the name, for example by an escape.
func Literally(span source.Span, name string) (at source.Span, ok bool) {
	switch text := span.Text(); text {
	case `"` + name + `"`, "'" + name + "'":
		return Unquoted(span), true
	default:
		return span, text == name
	}
}

// Unquoted returns the part of a span between its quotes; the span itself if it has none.
func Unquoted(span source.Span) source.Span {
	if text := span.Text(); len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[0] == text[len(text)-1] {
		span.Start++
		span.End--
	}

	return span
}

// Warn makes d a warning and returns it.
func (d *Diagnostic) Warn() *Diagnostic {
	d.Severity = Warning
	return d
}

// List collects the diagnostics of a run. The zero value is ready for use. It is not safe for
// concurrent use.
type List struct {
	all []*Diagnostic
}

// Add appends diagnostics.
func (l *List) Add(ds ...*Diagnostic) { l.all = append(l.all, ds...) }

// Retain keeps the diagnostics for which keep returns true, in their order, and removes the others.
func (l *List) Retain(keep func(*Diagnostic) bool) {
	l.all = slices.DeleteFunc(l.all, func(d *Diagnostic) bool { return !keep(d) })
}

// Len returns the number of diagnostics.
func (l *List) Len() int { return len(l.all) }

// HasErrors reports whether a diagnostic has severity Error.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.all, (*Diagnostic).IsError)
}

// Sorted returns the diagnostics sorted by file and position, each once: two with the same check,
// position and message are one.
func (l *List) Sorted() []*Diagnostic {
	sorted := slices.Clone(l.all)
	slices.SortStableFunc(sorted, func(a, b *Diagnostic) int {
		switch {
		case a.Span.Before(b.Span):
			return -1
		case b.Span.Before(a.Span):
			return 1
		}
		return cmp.Or(strings.Compare(a.Check.Name, b.Check.Name), strings.Compare(a.Message, b.Message))
	})

	return slices.CompactFunc(sorted, func(a, b *Diagnostic) bool {
		return a.Check == b.Check && a.Span == b.Span && a.Message == b.Message
	})
}
