package diag

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agext/levenshtein"
)

// Nearest returns the candidate that was most likely meant by name: one that differs in case alone,
// or else the one with the smallest edit distance, the first of equals, provided that the distance
// is at most a third of the longer name's runes (at least one edit is always allowed for names of
// two runes or more). If name is a path that ends in a candidate, Nearest returns that candidate.
// ok is false if none is near or name itself is a candidate.
func Nearest(name string, candidates []string) (near string, ok bool) {
	best := -1
	length := utf8.RuneCountInString(name)
	for _, c := range candidates {
		if c == name {
			return "", false
		}
		if best != 0 && strings.EqualFold(name, c) {
			best, near = 0, c
			continue
		}
		size := utf8.RuneCountInString(c)
		limit := allowedEdits(max(length, size))
		if best >= 0 {
			limit = min(limit, best-1) // only a nearer one is of interest
		}
		if limit < 1 || max(length-size, size-length) > limit { // an edit changes the length by one at most
			continue
		}
		if d := Distance(name, c); d <= limit {
			best, near = d, c
		}
	}

	if slash := strings.LastIndexByte(name, '/'); best < 0 && slash >= 0 && slices.Contains(candidates, name[slash+1:]) {
		return name[slash+1:], true
	}

	return near, best >= 0
}

// Certain reports whether near, which Nearest returned for name, can replace it without asking: it
// needs no quotes, no other candidate is as near, at most a quarter of the longer name is edited or
// two letters of at least three have changed places, and the two are not both plausible names, as
// worker-1 and worker-2 or review and reviewer are.
func Certain(name, near string, candidates []string) bool {
	if !bareText.MatchString(near) || slices.Contains(otherValues, strings.ToLower(near)) {
		return false
	}
	if strings.HasSuffix(name, "/"+near) {
		return true
	}
	longer := max(utf8.RuneCountInString(name), utf8.RuneCountInString(near))
	edits := foldedDistance(name, near)
	isSwapped := longer >= 3 && swapped(name, near)
	isLonger := edits > 1 && (strings.HasPrefix(name, near) || strings.HasPrefix(near, name))
	if edits > longer/4 && !isSwapped || isLonger || digitsOf(name) != digitsOf(near) {
		return false
	}

	return Alone(name, near, candidates)
}

// Alone reports whether no other candidate is as near to name as near is.
func Alone(name, near string, candidates []string) bool {
	edits := foldedDistance(name, near)

	return !slices.ContainsFunc(candidates, func(c string) bool { return c != near && foldedDistance(name, c) <= edits })
}

// bareText is a text that is in YAML without quotes, as the name does that it replaces.
var bareText = regexp.MustCompile(`^[\pL_./]([\pL\pN_./:-]*[\pL\pN_/])?$`)

// otherValues are words that YAML reads as something else than a text.
var otherValues = []string{"true", "false", "yes", "no", "on", "off", "y", "n", "null", ".", ".inf", ".nan"}

// foldedDistance is Distance with the case of letters aside.
func foldedDistance(a, b string) int {
	if strings.EqualFold(a, b) {
		return 0
	}

	return Distance(strings.ToLower(a), strings.ToLower(b))
}

// digitsOf returns the digits of a name in their order.
func digitsOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// Distance returns how many runes have to be inserted, removed or replaced to turn a into b.
// Exchanging two neighbours counts as one.
func Distance(a, b string) int {
	if swapped(a, b) {
		return 1
	}

	return levenshtein.Distance(a, b, nil)
}

// swapped reports whether b is a with two neighbouring runes exchanged.
func swapped(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false
	}
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) {
		return false
	}
	i := 0
	for x[i] == y[i] {
		i++
	}

	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
}

// allowedEdits returns how far a name may be from another if the longer of them has so many runes.
func allowedEdits(length int) int {
	if length < 2 {
		return 0
	}

	return max(1, length/3)
}

// maxListed is how many names a message lists at most.
const maxListed = 12

// Listed joins names for a sentence: `draft, critique, refine`. A long list is cut, with the number
// of the names left out.
func Listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}

	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed-1], ", "), len(names)-maxListed+1)
}
