package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

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
