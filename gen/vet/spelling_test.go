package vet

import (
	"strings"
	"testing"
)

func TestListed(t *testing.T) {
	for names, want := range map[string]string{
		"a":                       "a",
		"a b":                     "a and b",
		"a b c d e f g h i j":     "a, b, c, d, e, f, g, h, i and j",
		"a b c d e f g h i j k l": "a, b, c, d, e, f, g, h, i and 3 more",
	} {
		if got := joinNames(strings.Fields(names)); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
}
