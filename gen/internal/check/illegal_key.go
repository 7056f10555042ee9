package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// misspelled returns those of the keys that a prompt names which are nearly a known one that it does not mention.
func misspelled(prompt string, known []string) []namedKey {
	return slices.DeleteFunc(namedKeys(prompt), func(k namedKey) bool {
		near, ok := mistyped(k.key, known)
		return !ok || !k.way.certain() || k.whole != "" || ir.FoldKey(near) == ir.FoldKey(k.key) || holdsKey(prompt, near)
	})
}

// illegal returns those of the keys that a prompt names which are not legal. One that need not be a key to finish with counts
// if another that is named in the same way is legal, or if it is nearly one that is and that the prompt does not mention.
func illegal(prompt string, legal []string) []namedKey {
	named := namedKeys(prompt)
	folded := make(map[string]bool, len(legal))
	for _, key := range legal {
		folded[ir.FoldKey(key)] = true
	}
	isLegal := func(k namedKey) bool {
		return folded[ir.FoldKey(k.key)] || k.whole != "" && folded[ir.FoldKey(k.whole)]
	}
	meant, near := map[any]bool{}, map[string]bool{}
	for _, k := range named {
		if isLegal(k) {
			meant[k.kin()] = true
		} else if _, known := near[k.key]; !known {
			legal, ok := mistyped(k.key, legal)
			near[k.key] = ok && !holdsKey(prompt, legal)
		}
	}

	return slices.DeleteFunc(named, func(k namedKey) bool {
		return isLegal(k) || !meant[k.kin()] && !near[k.key] && (!k.way.certain() || k.whole != "")
	})
}

// mistyped returns which of the known keys a key is most likely meant to be, where it may just as well be one that is not
// known: most short words are nearly another one, and step-2 is not step-3 mistyped.
func mistyped(key string, known []string) (near string, ok bool) {
	const leastLength = 4
	near, ok = diag.Nearest(key, known)

	return near, ok && len(key) >= leastLength && strings.Map(noDigit, key) != strings.Map(noDigit, near)
}

func noDigit(r rune) rune {
	if unicode.IsDigit(r) {
		return -1
	}

	return r
}
