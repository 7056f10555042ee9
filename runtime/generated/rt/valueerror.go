package rt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxValueProblems bounds what is listed: enough to fix a value in one go, little enough for a
// model to read.
const maxValueProblems = 8

// maxFound is how many characters of a value a problem repeats.
const maxFound = 60

// describeKind describes v as it is in the text, cut to what is needed to recognise it.
func (v *JSON) describeKind() string {
	switch v.kind {
	case valueList:
		return "a list of " + strconv.Itoa(v.Len()) + pluralText(v.Len(), " item", " items")
	case valueObject:
		return "an object"
	case valueText:
		literal := v.Literal()
		if utf8.RuneCountInString(literal) <= maxFound {
			return literal
		}
		n := utf8.RuneCountInString(v.Text())
		return cutText(literal) + `…" (` + strconv.Itoa(n) + pluralText(n, " character)", " characters)")
	}

	literal := v.Literal()
	if len(literal) > maxFound {
		return literal[:maxFound] + "…"
	}

	return literal
}

// cutText returns the first characters of a JSON string, opening quote included, without half of an
// escape at the end.
func cutText(literal string) string {
	end := 1
	for runes := 1; runes < maxFound && end < len(literal)-1; runes++ {
		switch {
		case strings.HasPrefix(literal[end:], `\u`):
			end += len(`\u0000`)
		case literal[end] == '\\':
			end += 2
		default:
			_, size := utf8.DecodeRuneInString(literal[end:])
			end += size
		}
	}

	return literal[:end]
}

func pluralText(n int, one, many string) string {
	if n == 1 {
		return one
	}

	return many
}
