package eventkind

import "strings"

// Words returns the words of a row with the values of fields: {name} is the value of a field, which get returns. What
// is in brackets is left out if the value of a field in it is empty.
func Words(words string, get func(field string) string) string {
	text := ""
	for words != "" {
		before, behind, _ := strings.Cut(words, "[")
		always, _ := fill(before, get)
		text += always
		optional, rest, _ := strings.Cut(behind, "]")
		if filled, isFull := fill(optional, get); isFull {
			text += filled
		}
		words = rest
	}

	return text
}

// fill returns words without brackets with the values of fields, and reports whether each of their fields has a value.
func fill(words string, get func(field string) string) (text string, isFull bool) {
	isFull = true
	for {
		before, rest, hasField := strings.Cut(words, "{")
		text += before
		if !hasField {
			return text, isFull
		}
		field, behind, _ := strings.Cut(rest, "}")
		value := get(field)
		isFull = isFull && value != ""
		text += value
		words = behind
	}
}
