package diag

import "github.com/agext/levenshtein"

// Nearest returns the candidate that a person who wrote name most likely meant: the one with the smallest edit distance,
// the first of equals, and only if the distance is at most a third of the longer name's runes (at least one edit is
// always allowed for names of two runes or more). ok is false if none is near or name itself is a candidate.
func Nearest(name string, candidates []string) (near string, ok bool) {
	best := -1
	for _, c := range candidates {
		if c == name {
			return "", false
		}
		d := levenshtein.Distance(name, c, nil)
		if d <= allowedEdits(name, c) && (best < 0 || d < best) {
			best, near = d, c
		}
	}

	return near, best >= 0
}

func allowedEdits(a, b string) int {
	longer := max(len([]rune(a)), len([]rune(b)))
	if longer < 2 {
		return 0
	}

	return max(1, longer/3)
}
