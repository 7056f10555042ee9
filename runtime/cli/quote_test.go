package cli

import "testing"

func TestQuote(t *testing.T) {
	for want, words := range map[string][]string{
		"desk answer r1 approve yes":  {"desk", "answer", "r1", "approve", "yes"},
		"./desk -C a/b 'two words'":   {"./desk", "-C", "a/b", "two words"},
		`'it'\''s' '' '$x' '#1' 'a*'`: {"it's", "", "$x", "#1", "a*"},
		"approve@0 'a#7.0.1'":         {"approve@0", "a#7.0.1"},
	} {
		if got := Quote(words...); got != want {
			t.Errorf("Quote(%q) = %s, want %s", words, got, want)
		}
	}
}
