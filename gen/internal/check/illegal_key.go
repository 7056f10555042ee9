package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
)

// illegalKeysIn returns the keys that a prompt names and that are not legal. A key that may mean
// something else counts only if another key named in the same way is legal, or if it is similar to
// a legal key that the prompt does not mention. If every key is taken (isOpen), only certain keys
// count that are similar to a known one.
func illegalKeysIn(prompt string, legal []string, isOpen bool) []namedKey {
	named := namedKeysIn(prompt)
	isLegal := func(k namedKey) bool { return isKeyOf(k.key, legal) || k.whole != "" && isKeyOf(k.whole, legal) }
	meant, near := map[any]bool{}, map[string]bool{}
	for _, k := range named {
		if isLegal(k) {
			meant[k.group()] = true
		} else if _, known := near[k.key]; !known {
			legal, ok := nearestMistyped(k.key, legal)
			near[k.key] = ok && !containsKey(prompt, legal)
		}
	}

	return slices.DeleteFunc(named, func(k namedKey) bool {
		isCertain := k.form.isCertain() && k.whole == ""
		switch {
		case isLegal(k):
			return true
		case isOpen:
			return !isCertain || !near[k.key]
		}
		return !isCertain && !meant[k.group()] && !near[k.key]
	})
}

// nearestMistyped returns the known key that a key is most likely a misspelling of. Short words and
// keys that differ in a digit only, such as step-2 and step-3, are no misspellings.
func nearestMistyped(key string, known []string) (near string, ok bool) {
	const leastLength = 4
	near, ok = diag.Nearest(key, known)

	return near, ok && len(key) >= leastLength && strings.Map(dropDigit, key) != strings.Map(dropDigit, near)
}

func dropDigit(r rune) rune {
	if unicode.IsDigit(r) {
		return -1
	}

	return r
}
