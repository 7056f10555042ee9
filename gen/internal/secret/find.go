package secret

import "bytes"

// Match is a place in a text that looks like a secret.
type Match struct {
	// Start and End are byte offsets.
	Start, End int
	// Public is how many bytes at the beginning say what it is and are the same in all secrets of its kind.
	Public int
	Kind   Kind
}

// Kind is a kind of secret.
type Kind struct {
	// Name is what it is, with its article: "an OpenAI key".
	Name string
	// Variable is the environment variable in which agentc expects a key of a provider of models; "" for all others.
	Variable string
}

// Find returns what looks like a secret in text.
func Find(text []byte) []Match {
	var found []Match
	for i := 0; i < len(text); {
		m, next := at(text, i)
		if n := len(found); m != nil && (n == 0 || m.Start >= found[n-1].End) {
			found = append(found, *m)
		}
		i = next
	}

	return found
}

// at returns the secret that begins at i or that the sign at i introduces, if there is one, and where to look on.
func at(text []byte, i int) (m *Match, next int) {
	switch c := text[i]; {
	case c == ':' || c == '=':
		if m := introduced(text, i); m != nil {
			return m, m.End
		}
	case len(byFirst[c]) > 0 && beginsWord(text, i):
		return shaped(text, i)
	}

	return nil, i + 1
}

// shaped returns the secret at i if it has the shape of one of the rules. What has the shape and is none is not looked at again.
func shaped(text []byte, i int) (m *Match, next int) {
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

// beginsWord reports whether no letter or digit is before i. The letter of an escape such as \n is none.
func beginsWord(text []byte, i int) bool {
	if i == 0 || !isAlphanumeric(text[i-1]) {
		return true
	}

	return i > 1 && text[i-2] == '\\' && (text[i-1] == 'n' || text[i-1] == 'r' || text[i-1] == 't')
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
