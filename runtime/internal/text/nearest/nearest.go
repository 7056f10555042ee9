// Package nearest finds what a person meant who misspelled a name: for commands, flags and scripts.
package nearest

import "fmt"

// DidYouMean returns the end of a message about an unknown word; "" if none of the candidates is near.
func DidYouMean(word string, candidates []string) string {
	near, ok := Name(word, candidates)
	if !ok {
		return ""
	}

	return fmt.Sprintf(" (did you mean %q?)", near)
}

// Name returns the candidate that a person who wrote word most likely meant: the one with the fewest edits, the first of
// equals, and only if a third of the longer word's letters or fewer have to change (one always may, in words of two letters
// or more).
func Name(word string, candidates []string) (near string, ok bool) {
	best := -1
	for _, c := range candidates {
		d := distance([]rune(word), []rune(c))
		if d <= allowed(word, c) && (best < 0 || d < best) {
			best, near = d, c
		}
	}

	return near, best >= 0
}

func allowed(a, b string) int {
	longer := max(len([]rune(a)), len([]rune(b)))
	if longer < 2 {
		return 0
	}

	return max(1, longer/3)
}

// distance counts the letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
func distance(a, b []rune) int {
	older, old := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(old[j+1]+1, row[j]+1, old[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old = old, row
	}

	return old[len(b)]
}
