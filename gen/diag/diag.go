package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Severity says whether a diagnostic stops the compilation.
type Severity uint8

const (
	// Error stops the compilation: nothing is written.
	Error Severity = iota + 1
	// Warning is shown, and fails only under --strict.
	Warning
)

// String returns the word that is in a message: "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}

	return "error"
}

// Diagnostic is one finding.
type Diagnostic struct {
	// Check names the finding and is an element of the catalogue.
	Check *Check
	// Severity is the catalogue's, unless the place makes it milder or graver.
	Severity Severity
	// Span is the text at fault; the zero Span when no place is known.
	Span source.Span
	// Message is one sentence: lower case, no full stop, user text quoted with %q.
	Message string
	// Hint is beside the caret, such as `did you mean "critique"?`; may be empty.
	Hint string
	// Related are further places that explain the finding, printed as notes in this order.
	Related []Related
	// Fixes are those that are certain; the first is the one that --fix applies.
	Fixes []Fix
}

// Related is a note at another place, or without one.
type Related struct {
	Span    source.Span
	Message string
}

// Fix is a change of the sources: applying all its edits cures the finding.
type Fix struct {
	// Message says what the fix does, such as `replace "critque" with "critique"`.
	Message string
	// Edits do not overlap.
	Edits []Edit
}

// Edit replaces the bytes under Span by New.
type Edit struct {
	Span source.Span
	New  string
}

// New returns a finding of check at span with the severity that the catalogue gives it. The message is made from format
// and args as by [fmt.Sprintf].
func New(check *Check, span source.Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{Check: check, Severity: check.Severity, Span: span, Message: fmt.Sprintf(format, args...)}
}

// Note adds a related place and returns d. The zero Span gives a note without a place.
func (d *Diagnostic) Note(span source.Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{Span: span, Message: fmt.Sprintf(format, args...)})
	return d
}

// WithHint sets the text beside the caret and returns d.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithFix adds a fix that makes the edit [Replace] and returns d.
func (d *Diagnostic) WithFix(message string, span source.Span, replacement string) *Diagnostic {
	d.Fixes = append(d.Fixes, Fix{Message: message, Edits: []Edit{Replace(span, replacement)}})
	return d
}

// Replace is the edit that writes text in place of what is under span. The line breaks at its end stay: those of a YAML
// block, which ends where the next field begins, keep that field on a line of its own.
func Replace(span source.Span, text string) Edit {
	if hasText(span) {
		span.End = span.Start + len(strings.TrimRight(span.Text(), "\r\n"))
	}

	return Edit{Span: span, New: text}
}

// Guess adds the hint `did you mean "x"?` with what [Nearest] finds for name among the candidates. Without a near candidate
// d is unchanged. It returns d.
func (d *Diagnostic) Guess(name string, candidates []string) *Diagnostic {
	if near, ok := Nearest(name, candidates); ok {
		d.WithHint("did you mean %q?", near)
	}

	return d
}

// Suggest is Guess for a name that is at fault whatever the candidates are called: if the near one is [Certain] and the name
// is literally under the span, there is a fix too. It returns d.
func (d *Diagnostic) Suggest(name string, candidates []string) *Diagnostic {
	near, ok := Nearest(name, candidates)
	if span, stands := Literally(d.Span, name); ok && stands && Certain(name, near, candidates) {
		d.WithFix(fmt.Sprintf("replace %q with %q", name, near), span, near)
	}

	return d.Guess(name, candidates)
}

// Literally returns where a name is under a span: all of it, or what is between quotes. ok is false where something else
// is there, such as the name with an escape.
func Literally(span source.Span, name string) (at source.Span, ok bool) {
	switch text := span.Text(); text {
	case `"` + name + `"`, "'" + name + "'":
		return Unquoted(span), true
	default:
		return span, text == name
	}
}

// Unquoted returns what is between the quotes that a span begins and ends with; the span itself without.
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

// List collects the findings of a run. The zero value is ready for use. It is not safe for concurrent use.
type List struct {
	all []*Diagnostic
}

// Add appends findings.
func (l *List) Add(ds ...*Diagnostic) { l.all = append(l.all, ds...) }

// Retain keeps the findings for which keep reports true, in their order, and drops the others.
func (l *List) Retain(keep func(*Diagnostic) bool) {
	l.all = slices.DeleteFunc(l.all, func(d *Diagnostic) bool { return !keep(d) })
}

// Len returns how many findings there are.
func (l *List) Len() int { return len(l.all) }

// HasErrors reports whether a finding has severity Error.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.all, func(d *Diagnostic) bool { return d.Severity == Error })
}

// Sorted returns the findings by file and place, each once: two with the same check, place and message are one.
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
