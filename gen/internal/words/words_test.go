package words_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/words"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct{ first, next, text, want string }{
		{"- ", "  ", "a few words", "- a few\n  words\n"},
		{"", "  ", "unbreakable text", "unbreakable\n  text\n"},
		{"", "", "  a\n b  ", "a b\n"},
		{"// ", "// ", "", "//\n"},
		{"", "", "éééé éééé", "éééé éééé\n"},
	} {
		if got := words.Wrap(c.first, c.next, c.text, 9); got != c.want {
			t.Errorf("Wrap(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range []string{"0 rows", "1 row", "2 rows"} {
		if got := words.Count(n, "row"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got, want := words.Line("a\tb\n\x1b[31mc\u202e"), "a b \ufffd[31mc\ufffd"; got != want {
		t.Errorf("Line() = %q, want %q", got, want)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		2 * time.Second: "2s", time.Minute: "1m", 90 * time.Minute: "1h30m", 48 * time.Hour: "48h", time.Hour + time.Second: "1h0m1s",
	} {
		if got := words.Duration(d); got != want {
			t.Errorf("%d is %s, want %s", d, got, want)
		}
	}
}
