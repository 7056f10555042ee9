package secret

import (
	"bytes"
	"strings"
)

// Match is a likely secret in a text.
type Match struct {
	// Start and End are byte offsets.
	Start, End int
	// Public is the length of the prefix, which is the same for all secrets of the kind.
	Public int
	Kind   Kind
}

// Kind is a kind of secret.
type Kind struct {
	// Name is a noun with its article: "an OpenAI key".
	Name string
	// Variable is the environment variable for the key of a provider of models, or "".
	Variable string
}

// Find returns the likely secrets in text.
func Find(text []byte) []Match {
	var found []Match
	for i := 0; i < len(text); {
		m, next := matchAt(text, i)
		if n := len(found); m != nil && (n == 0 || m.Start >= found[n-1].End) {
			found = append(found, *m)
		}
		i = next
	}

	return found
}

// matchAt returns the secret that begins at i or follows a character at i, and the next offset to
// try.
func matchAt(text []byte, i int) (secret *Match, next int) {
	switch c := text[i]; {
	case c == ':' || c == '=':
		if m := matchAfterName(text, i); m != nil {
			return m, m.End
		}
	case len(byFirst[c]) > 0 && beginsWord(text, i):
		return matchRule(text, i)
	}

	return nil, i + 1
}

// matchRule returns the secret at i that matches a rule. next skips a match that is not a secret.
func matchRule(text []byte, i int) (m *Match, next int) {
	next = i + 1
	for _, r := range byFirst[text[i]] {
		if !bytes.HasPrefix(text[i:], r.prefix) {
			continue
		}
		size, ok := r.match(text[i:])
		if ok {
			return &Match{Start: i, End: i + size, Public: len(r.prefix), Kind: r.kind}, i + size
		}
		next = max(next, i+size)
	}

	return nil, next
}

// beginsWord reports whether no letter or digit precedes i. The letter of an escape such as \n does
// not count.
func beginsWord(text []byte, i int) bool {
	if i == 0 || !isAlphanumeric(text[i-1]) {
		return true
	}

	return i > 1 && text[i-2] == '\\' && strings.IndexByte("nrt", text[i-1]) >= 0
}

func isAlphanumeric(c byte) bool {
	lower := c | 0x20

	return '0' <= c && c <= '9' || 'a' <= lower && lower <= 'z'
}
