package cells

import (
	"fmt"
	"strings"
	"unicode"
)

// Clean shows text of a model or a person on one line: control characters and direction marks cannot act on the terminal.
func Clean(text string) string {
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

// CleanLines is Clean for text that may keep its lines.
func CleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Clean(strings.TrimSuffix(line, "\r"))
	}

	return strings.Join(lines, "\n")
}

// Harmless is text on one line that cannot act on a terminal and whose cells can be counted.
func Harmless(text string) string { return Clean(Plain(text)) }
