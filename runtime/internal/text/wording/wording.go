// Package wording has how messages write waits, and names and texts of users and models, and how such texts are compared.
package wording

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxQuoted bounds, in characters, what a message quotes of a model's text: the error's fields have all.
const maxQuoted = 200

// QuoteStart is Start in quotes.
func QuoteStart(text string) string { return strconv.Quote(Start(text)) }

// Start is as much of a text as a message has.
func Start(text string) string { return First(text, maxQuoted) }

// First is the first characters of a text, at most as many as most says, and a mark if there are more.
func First(text string, most int) string {
	characters := 0
	for i := range text {
		if characters == most {
			return text[:i] + "…"
		}
		characters++
	}

	return text
}

// List joins names for a message.
func List(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}

	return strings.Join(quoted, ", ")
}

// Agents names agents for a message.
func Agents(names []string) string {
	if len(names) == 1 {
		return "agent " + strconv.Quote(names[0])
	}

	return "agents " + List(names)
}

// Fold returns key as rows are compared the second time: trimmed and lower-cased. A folded key is returned as it is,
// without allocating.
func Fold(key string) string {
	return strings.ToLower(strings.TrimSpace(key))
}

// Texts returns keys of a generated type as plain texts.
func Texts[K ~string](keys []K) []string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = string(key)
	}

	return texts
}

// Quote returns text as a JSON string.
func Quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return strconv.Quote(text)
	}

	return string(quoted)
}

// Join joins what has a text of its own.
func Join[T interface{ String() string }](parts []T) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.String()
	}

	return strings.Join(texts, ", ")
}
