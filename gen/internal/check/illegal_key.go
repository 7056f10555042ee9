package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
)

// illegal returns those of the keys that a prompt names which are not legal. One that need not be a key to finish with counts
// if another that is named in the same way is legal, or if it is nearly one that is and that the prompt does not mention. Where
// every key is taken, open, only those count that are certain and nearly a known one.
func illegal(prompt string, legal []string, open bool) []namedKey {
	named := namedKeys(prompt)
	isLegal := func(k namedKey) bool { return isKeyOf(k.key, legal) || k.whole != "" && isKeyOf(k.whole, legal) }
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
		certain := k.way.certain() && k.whole == ""
		if open {
			return isLegal(k) || !certain || !near[k.key]
		}
		return isLegal(k) || !certain && !meant[k.kin()] && !near[k.key]
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
