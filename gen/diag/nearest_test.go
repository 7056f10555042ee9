package diag_test

import (
	"math/rand"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
)

func TestNearest(t *testing.T) {
	states := []string{"draft", "critique", "refine", "done", "ok", "größe"}
	cases := []struct{ name, want string }{
		{"critque", "critique"},
		{"refin", "refine"},
		{"dine", "done"},
		{"k", "ok"},
		{"grösse", "größe"},
		{"done", ""}, // is a candidate
		{"finished", ""},
		{"", ""},
		{"dn", ""},
		{"dnoe", "done"},
		{"ko", "ok"},
		{"states/done", "done"},
		{"./ok", "ok"},
		{"states/finished", ""},
		{"done/", "done"}, // one edit
		{"ok/of/all", ""},
		{"enod", ""}, // the letters alone are not enough
		{"grßöe", "größe"},
		{"DRAFT", "draft"},
		{"GRÖSSE", ""}, // ß is no letter in two cases
		{"DONE", "done"},
	}
	for _, c := range cases {
		got, ok := diag.Nearest(c.name, states)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Nearest(%q) = %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
	if got, _ := diag.Nearest("dona", []string{"dond", "done"}); got != "dond" {
		t.Errorf("of equals %q came first", got)
	}
	if got, _ := diag.Nearest("A", []string{"b", "a", "á"}); got != "a" {
		t.Errorf("of names that are nearly equal %q came first", got)
	}
}

// The quick tests before a distance is computed must not lose a candidate.
func TestNearestFindsWhatPlainSearchFinds(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	word := func() string {
		letters := []rune("abcdeäöü-")
		text := make([]rune, random.Intn(9))
		for i := range text {
			text[i] = letters[random.Intn(len(letters))]
		}
		return string(text)
	}
	found := 0
	for range 20000 {
		name, candidate := word(), word()
		longer := max(len([]rune(name)), len([]rune(candidate)))
		allowed := max(1, longer/3)
		want := name != candidate && longer >= 2 && diag.Distance(name, candidate) <= allowed
		if _, got := diag.Nearest(name, []string{candidate}); got != want {
			t.Fatalf("Nearest(%q, %q) = %v, want %v", name, candidate, got, want)
		}
		if want {
			found++
		}
	}
	if found < 100 {
		t.Errorf("only %d of the pairs were near", found)
	}
}
