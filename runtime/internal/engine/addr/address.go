package addr

import (
	"cmp"
	"strconv"
	"strings"
)

// Split returns the branch of an effect, "" for the run itself, and its number there.
func Split(address string) (branch string, ordinal int) {
	dot := strings.LastIndexByte(address, '.')
	ordinal, _ = strconv.Atoi(address[dot+1:])

	return address[:max(dot, 0)], ordinal
}

// GroupOf returns the address of the parallel group that a branch is part of.
func GroupOf(branch string) string { return branch[:max(strings.LastIndexByte(branch, '.'), 0)] }

// IsAfter reports whether an address is in a branch behind the effect with a number, or within a
// later one.
func IsAfter(address, branch string, ordinal int) bool {
	rest := address
	if branch != "" {
		var isInside bool
		rest, isInside = strings.CutPrefix(address, branch+".")
		if !isInside {
			return false
		}
	}
	first, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(first)

	return err == nil && n > ordinal
}

// IsTrailing reports whether nothing was done after an effect: not in its branch, nor in enclosing
// branches after the group. newest has the number of the last effect of each branch.
func IsTrailing(address string, newest map[string]int) bool {
	for {
		branch, ordinal := Split(address)
		if newest[branch] > ordinal {
			return false
		}
		if branch == "" {
			return true
		}
		address = GroupOf(branch)
	}
}

// Compare orders addresses as the program reaches them, and branches by their numbers.
func Compare(a, b string) int {
	for a != "" && b != "" {
		var first, second string
		first, a, _ = strings.Cut(a, ".")
		second, b, _ = strings.Cut(b, ".")
		m, _ := strconv.Atoi(first)
		n, _ := strconv.Atoi(second)
		if m != n {
			return cmp.Compare(m, n)
		}
	}

	return cmp.Compare(len(a), len(b))
}
