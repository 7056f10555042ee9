package eventkind

import "strings"

// Words returns the words of a row with the values of fields: {name} is the value of a field, which get returns. What
// is in brackets is left out if the value of a field in it is empty.
func Words(words string, get func(field string) string) string {
	var b strings.Builder
	for words != "" {
		before, part, hasPart := strings.Cut(words, "[")
		appendWords(&b, before, get)
		if !hasPart {
			break
		}
		part, words, _ = strings.Cut(part, "]")
		var optional strings.Builder
		if appendWords(&optional, part, get) {
			b.WriteString(optional.String())
		}
	}

	return b.String()
}

// appendWords appends words without brackets, and reports whether each of their fields has a value.
func appendWords(b *strings.Builder, words string, get func(field string) string) (isFull bool) {
	isFull = true
	for {
		before, rest, hasField := strings.Cut(words, "{")
		b.WriteString(before)
		if !hasField {
			return isFull
		}
		field, behind, _ := strings.Cut(rest, "}")
		value := get(field)
		isFull = isFull && value != ""
		b.WriteString(value)
		words = behind
	}
}
