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

// Nearest returns the candidate that name most likely means. This is a candidate that differs only
// in case, else the one with the smallest edit distance, the first of equals. The distance must be
// at most a third of the longer name's runes; for names of two runes or more one edit is always
// allowed. If name is a path that ends in a candidate, Nearest returns that candidate. ok is false
// if none is near or name itself is a candidate.
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
			limit = min(limit, best-1) // only a nearer one matters
		}
		if limit < 1 || max(length-size, size-length) > limit { // an edit changes the length by at most one
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

// IsCertain reports whether near, which Nearest returned for name, can replace it without a
// question. It needs no quotes, no other candidate is as near, and at most a quarter of the longer
// name is edited or two letters of at least three are transposed. The two must not both be
// plausible names, as worker-1 and worker-2 or review and reviewer are.
func IsCertain(name, near string, candidates []string) bool {
	if !bareText.MatchString(near) || slices.Contains(otherValues, strings.ToLower(near)) {
		return false
	}
	if strings.HasSuffix(name, "/"+near) {
		return true
	}
	longer := max(utf8.RuneCountInString(name), utf8.RuneCountInString(near))
	edits := distanceIgnoringCase(name, near)
	isSwapped := longer >= 3 && isTransposition(name, near)
	isLonger := edits > 1 && (strings.HasPrefix(name, near) || strings.HasPrefix(near, name))
	if edits > longer/4 && !isSwapped || isLonger || keepDigits(name) != keepDigits(near) {
		return false
	}

	return IsOnlyNearest(name, near, candidates)
}

// IsOnlyNearest reports whether no other candidate is as near to name as near is.
func IsOnlyNearest(name, near string, candidates []string) bool {
	edits := distanceIgnoringCase(name, near)

	return !slices.ContainsFunc(candidates, func(c string) bool { return c != near && distanceIgnoringCase(name, c) <= edits })
}

// bareText matches names that YAML reads as text without quotes.
var bareText = regexp.MustCompile(`^[\pL_./]([\pL\pN_./:-]*[\pL\pN_/])?$`)

// otherValues are words that YAML does not read as text.
var otherValues = []string{"true", "false", "yes", "no", "on", "off", "y", "n", "null", ".", ".inf", ".nan"}

// distanceIgnoringCase is Distance without regard to case.
func distanceIgnoringCase(a, b string) int {
	if strings.EqualFold(a, b) {
		return 0
	}

	return Distance(strings.ToLower(a), strings.ToLower(b))
}

// keepDigits returns the digits of a name.
func keepDigits(name string) string {
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
	if isTransposition(a, b) {
		return 1
	}

	return levenshtein.Distance(a, b, nil)
}

// isTransposition reports whether b is a with two neighbouring runes exchanged.
func isTransposition(a, b string) bool {
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

// allowedEdits returns the largest distance of two names if the longer one has length runes.
func allowedEdits(length int) int {
	if length < 2 {
		return 0
	}

	return max(1, length/3)
}

// maxListed is how many names a message lists at most.
const maxListed = 12

// JoinNames joins names for a sentence: `draft, critique, refine`. A long list is cut, with the
// number of the omitted names.
func JoinNames(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}

	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed-1], ", "), len(names)-maxListed+1)
}
