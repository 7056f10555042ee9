package expr

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// noSpan is the place of a note without one.
var noSpan source.Span

// isIdentifier reports whether a name can stand in an expression without brackets.
func isIdentifier(name string) bool {
	other := func(c rune) bool { return !isNamePart(c) }
	first, _ := utf8.DecodeRuneInString(name)

	return name != "" && !unicode.IsDigit(first) && !strings.ContainsFunc(name, other)
}

// quoteText writes a text as the language does.
func quoteText(text string) string { return fmt.Sprintf("%q", text) }

// What findings call the steps of a place, and what they propose instead of an expression.

func (r *reader) step() string {
	if r.scope.Machine {
		return "state"
	}

	return "step"
}

func (r *reader) steps() string {
	if r.scope.Machine {
		return "the states with an agent"
	}

	return "the steps"
}

func (r *reader) thereIsNo(name string) string {
	if r.scope.Machine {
		return fmt.Sprintf("there is no state %q in which an agent runs", name)
	}

	return fmt.Sprintf("there is no step %q", name)
}

func (r *reader) elsewhere() string {
	if r.scope.Machine {
		return "a named guard can compute it"
	}

	return "a function of the project can compute it"
}

func (r *reader) goThrough() string {
	if r.scope.Machine {
		return "a named guard can go through a list"
	}

	return "lists are gone through by a step of kind map"
}

// otherwise is what a word may be meant as that is no name of the place.
func (r *reader) otherwise() string {
	if r.scope.Machine {
		return "a text is written in quotes, and a named guard alone or behind not"
	}

	return "a text is written in quotes"
}

func (r *reader) choose() string {
	if r.scope.Machine {
		return "with several rows"
	}

	return "in a conditional step"
}
