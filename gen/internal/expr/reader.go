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

// reader parses one text of a source file. Places are byte offsets in the text.
type reader struct {
	text   ir.Text
	inside *yamldoc.Positions // nil until it is needed
	scope  *Scope
	// items are the values of `this` in the surrounding {{#each}}, innermost last.
	items []Name
	found []*diag.Diagnostic
	// unfit is the check for unsupported syntax.
	unfit *diag.Check
}

func newReader(text ir.Text, scope *Scope) *reader {
	return &reader{text: text, scope: scope, unfit: diag.UnsupportedExpression}
}

// place is a part of the text.
type place struct{ start, end int }

func (r *reader) span(at place) source.Span { return r.positions().Span(at.start, at.end) }

// positions maps offsets of the text to the file.
func (r *reader) positions() *yamldoc.Positions {
	if r.inside == nil {
		r.inside = yamldoc.NewPositions(r.text.Span, r.text.Value)
	}

	return r.inside
}

// sourceText returns the text at a place, on one line.
func (r *reader) sourceText(at place) string {
	return strings.Join(strings.Fields(r.text.Value[at.start:at.end]), " ")
}

func (r *reader) report(check *diag.Check, at place, format string, args ...any) *diag.Diagnostic {
	d := diag.New(check, r.span(at), format, args...)
	r.found = append(r.found, d)

	return d
}

// unsupported reports unsupported syntax.
func (r *reader) unsupported(at place, format string, args ...any) *diag.Diagnostic {
	return r.report(r.unfit, at, format, args...)
}

// hasError reports whether an error has been found.
func (r *reader) hasError() bool {
	return slices.ContainsFunc(r.found, (*diag.Diagnostic).IsError)
}

// edit is a change of the text. The new text is unquoted; [reader.addFix] quotes it.
type edit struct {
	at  place
	new string
}

// addFix adds a fix with the edits to d, unless the kind of scalar cannot contain them.
func (r *reader) addFix(d *diag.Diagnostic, message string, edits ...edit) {
	fix := diag.Fix{Message: message}
	for _, e := range edits {
		text, ok := r.quoteInScalar(e.new)
		if !ok || !r.positions().IsExact() {
			return
		}
		fix.Edits = append(fix.Edits, diag.Edit{Span: r.span(e.at), New: text})
	}
	d.Fixes = append(d.Fixes, fix)
}

// quoteInScalar quotes a text for the kind of scalar; ok is false if the scalar cannot contain it.
func (r *reader) quoteInScalar(text string) (written string, ok bool) {
	around := r.text.Span.Text()
	switch {
	case around == r.text.Value:
		// In a flow collection brackets and commas end a plain scalar, and elsewhere a colon or a
		// number sign may.
		return text, !strings.ContainsAny(text, "[]{},#:")
	case strings.HasPrefix(around, `"`):
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text), true
	case strings.HasPrefix(around, "'"):
		return strings.ReplaceAll(text, "'", "''"), true
	}

	return text, true
}

// noSpan is the span of a note without a position.
var noSpan source.Span

// isIdentifier reports whether a name can be written in an expression without brackets.
func isIdentifier(name string) bool {
	other := func(c rune) bool { return !isNamePart(c) }
	first, _ := utf8.DecodeRuneInString(name)

	return name != "" && !unicode.IsDigit(first) && !strings.ContainsFunc(name, other)
}

// words are the terms of messages, which differ between workflows and machines.
type words struct {
	step, steps, noStep string
	// elsewhere, goThrough and choose describe alternatives to expressions. otherwise describes a
	// word that is not a name.
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

// vocabulary returns the terms for the scope.
func (r *reader) vocabulary() *words {
	if r.scope.Machine {
		return &inMachine
	}

	return &inWorkflow
}
