package expr

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/source"
)

// noSpan is the place of a note without one.
var noSpan source.Span

// maxListed is how many names a message lists at most.
const maxListed = 12

// listed writes names as a person would. Of many it says how many it leaves out.
func listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}

	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed-1], ", "), len(names)-maxListed+1)
}

// isIdentifier reports whether a name can stand in an expression without brackets.
func isIdentifier(name string) bool {
	return name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, func(c rune) bool { return !isNamePart(c) })
}

// quoteText writes a text as the language does.
func quoteText(text string) string { return fmt.Sprintf("%q", text) }
