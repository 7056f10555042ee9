package app

import (
	"fmt"
	"strings"
	"unicode"
)

// clean shows text of a model or a person on one line: control characters and direction marks cannot act on the terminal.
func clean(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "U+%04X", r)
		default:
			b.WriteRune(r)
		}
	}

	return b.String()
}

// cleanLines is clean for text that may keep its lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = clean(strings.TrimSuffix(line, "\r"))
	}

	return strings.Join(lines, "\n")
}
