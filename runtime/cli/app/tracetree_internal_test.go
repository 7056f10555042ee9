package app

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWrapBreaksHugeWords: a word of millions of letters is broken in one pass over it, and loses none.
func TestWrapBreaksHugeWords(t *testing.T) {
	word := strings.Repeat("wördle", 500_000)
	lines := wrapCells("a "+word+" z", 40, 60)
	if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != "a"+word+"z" {
		t.Errorf("%d characters of %d", utf8.RuneCountInString(got), utf8.RuneCountInString(word))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 60 || i == 0 && n > 40 {
			t.Fatalf("line %d has %d characters", i, n)
		}
	}
}
