package cli

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/internal/nearest"
)

// Nearest returns the candidate that was most likely meant by word: the one with the fewest edits, the first of
// equals, provided that at most a third of the longer word's letters change (one always may, in words of two letters
// or more).
func Nearest(word string, candidates []string) (near string, ok bool) {
	return nearest.Name(word, candidates)
}

// DidYouMean returns the end of a message about an unknown word; "" if none of the candidates is near.
func DidYouMean(word string, candidates []string) string {
	near, ok := Nearest(word, candidates)
	if !ok {
		return ""
	}

	return fmt.Sprintf(" (did you mean %q?)", near)
}
