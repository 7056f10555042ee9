package expr

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/source"
)

// noSpan is the place of a note without one.
var noSpan source.Span

// isIdentifier reports whether a name can stand in an expression without brackets.
func isIdentifier(name string) bool {
	other := func(c rune) bool { return !isNamePart(c) }

	return name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, other)
}

// quoteText writes a text as the language does.
func quoteText(text string) string { return fmt.Sprintf("%q", text) }
