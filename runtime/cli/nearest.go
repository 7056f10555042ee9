package cli

import "github.com/agentc-dev/agentc/runtime/internal/nearest"

// Nearest returns the candidate that a person who wrote word most likely meant: the one with the fewest edits, the first of
// equals, and only if a third of the longer word's letters or fewer have to change (one always may, in words of two letters
// or more).
func Nearest(word string, candidates []string) (near string, ok bool) {
	return nearest.Name(word, candidates)
}
