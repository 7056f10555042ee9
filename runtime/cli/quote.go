package cli

import (
	"path/filepath"
	"strings"
)

// Quote returns words in the syntax of a POSIX shell, so that a person can copy a command line.
func Quote(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if word == "" || strings.ContainsFunc(word, needsQuotes) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}

	return strings.Join(quoted, " ")
}

// needsQuotes reports whether a shell may take the character for something else than itself. A
// backslash is left alone: it is in paths of Windows, whose shells know no such quotes.
func needsQuotes(r rune) bool {
	isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	isDigit := '0' <= r && r <= '9'
	if isLetter || isDigit {
		return false
	}

	return !strings.ContainsRune(`-_./:@,+=%`, r) && (r != '\\' || filepath.Separator != '\\')
}
