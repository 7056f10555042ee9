package rt

import (
	"strings"
	"unicode"
)

// trimFence returns the content of a text that is one fenced block of Markdown, else the trimmed
// text.
func trimFence(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") || len(text) < 6 {
		return text
	}
	opening, inner, ok := strings.Cut(strings.TrimSuffix(text, "```"), "\n")
	if !ok || !isFence(opening) {
		return text
	}

	return strings.TrimSpace(inner)
}

// withoutFences leaves out the lines that begin and end fenced blocks of Markdown.
func withoutFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}

	var out strings.Builder
	for line := range strings.Lines(text) {
		if !isFence(line) {
			out.WriteString(line)
		}
	}

	return out.String()
}

// isFence reports whether a line does nothing but begin or end a fenced block: what is behind the
// marks is at most the name of a language, so that a line with code in it is not lost.
func isFence(line string) bool {
	marks, ok := strings.CutPrefix(strings.TrimSpace(line), "```")

	return ok && !strings.ContainsFunc(strings.TrimLeft(marks, "` \t"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-_.#", r)
	})
}
