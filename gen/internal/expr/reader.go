package expr

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// reader reads one text of a source file. Places in it are byte offsets in the text.
type reader struct {
	text   ir.Text
	inside *yamldoc.Inside // nil until a place is asked for
	scope  *Scope
	// items are what `this` is in the {{#each}} around, innermost last.
	items []Name
	found []*diag.Diagnostic
	// unfit is what the language does not have.
	unfit *diag.Check
}

func newReader(text ir.Text, scope *Scope) *reader {
	return &reader{text: text, scope: scope, unfit: diag.UnsupportedExpression}
}

// place is a part of the text.
type place struct{ start, end int }

func (r *reader) span(at place) source.Span { return r.places().Span(at.start, at.end) }

// places returns where the text is in the file.
func (r *reader) places() *yamldoc.Inside {
	if r.inside == nil {
		r.inside = yamldoc.NewInside(r.text.Span, r.text.Value)
	}

	return r.inside
}

// written is what is at a place, on one line.
func (r *reader) written(at place) string {
	return strings.Join(strings.Fields(r.text.Value[at.start:at.end]), " ")
}

func (r *reader) report(check *diag.Check, at place, format string, args ...any) *diag.Diagnostic {
	d := diag.New(check, r.span(at), format, args...)
	r.found = append(r.found, d)

	return d
}

// unsupported reports what the language does not have.
func (r *reader) unsupported(at place, format string, args ...any) *diag.Diagnostic {
	return r.report(r.unfit, at, format, args...)
}

// failed reports whether an error has been found.
func (r *reader) failed() bool {
	return slices.ContainsFunc(r.found, (*diag.Diagnostic).IsError)
}

// edit is a change of the text. What is inserted is written as an expression or a template is; how it is quoted is up
// to [reader.fix].
type edit struct {
	at  place
	new string
}

// fix gives d the fix that makes the edits, unless what is inserted could not be in the text's kind of scalar.
func (r *reader) fix(d *diag.Diagnostic, message string, edits ...edit) {
	fix := diag.Fix{Message: message}
	for _, e := range edits {
		text, ok := r.quoted(e.new)
		if !ok || !r.places().Known() {
			return
		}
		fix.Edits = append(fix.Edits, diag.Edit{Span: r.span(e.at), New: text})
	}
	d.Fixes = append(d.Fixes, fix)
}

// quoted returns text as it is written inside of the scalar; ok is false if it cannot be there.
func (r *reader) quoted(text string) (written string, ok bool) {
	around := r.text.Span.Text()
	switch {
	case around == r.text.Value:
		// In a flow collection brackets and commas end a plain scalar, and elsewhere a colon or a number sign may.
		return text, !strings.ContainsAny(text, "[]{},#:")
	case strings.HasPrefix(around, `"`):
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text), true
	case strings.HasPrefix(around, "'"):
		return strings.ReplaceAll(text, "'", "''"), true
	}

	return text, true
}

// noSpan is the place of a note without one.
var noSpan source.Span

// isIdentifier reports whether a name can be written in an expression without brackets.
func isIdentifier(name string) bool {
	other := func(c rune) bool { return !isNamePart(c) }
	first, _ := utf8.DecodeRuneInString(name)

	return name != "" && !unicode.IsDigit(first) && !strings.ContainsFunc(name, other)
}

// words are what messages call the steps of a place, and what they propose instead of an expression.
type words struct {
	step, steps, noStep string
	// elsewhere, goThrough and choose are how something else is done, and otherwise what a word may be that is no name.
	elsewhere, goThrough, choose, otherwise string
}

var inWorkflow = words{
	step: "step", steps: "the steps", noStep: "there is no step %q",
	elsewhere: "a function of the project can compute it", goThrough: "to iterate over a list, use a step of kind map",
	choose: "in a conditional step", otherwise: "a text has to be in quotes",
}

var inMachine = words{
	step: "state", steps: "the states with an agent", noStep: "there is no state %q in which an agent runs",
	elsewhere: "a named guard can compute it", goThrough: "a named guard can iterate over a list",
	choose: "with several rows", otherwise: "a text has to be in quotes; a named guard is written alone or after not",
}

// words are those of the place.
func (r *reader) words() *words {
	if r.scope.Machine {
		return &inMachine
	}

	return &inWorkflow
}
