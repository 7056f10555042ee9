package command

import (
	"slices"
	"strings"
	"testing"
)

func TestParseEnv(t *testing.T) {
	got, err := parseEnv("\ufeff# comment\n\nA=1\r\nexport B = two words # comment\nC=\"x\\ty\" # z\nD='a \"b\" #c'\nE=\nF=a=b#c\n")
	want := []variable{{"A", "1"}, {"B", "two words"}, {"C", "x\ty"}, {"D", `a "b" #c`}, {"E", ""}, {"F", "a=b#c"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	for text, want := range map[string]string{
		"A=1\nB":    "2: the line is not NAME=VALUE",
		"=x":        "1: the line is not NAME=VALUE",
		"A B=x":     "1: the line is not NAME=VALUE",
		"A=\"x":     "1: the value of A: a closing quote is missing, or an escape is unknown",
		"A='x":      "1: the value of A: the closing quote is missing",
		"A='x' y":   "1: the value of A: there is text after the closing quote",
		"A=\"\\q\"": "1: the value of A: a closing quote is missing, or an escape is unknown",
	} {
		if _, err := parseEnv(text); err == nil || err.Error() != want {
			t.Errorf("parseEnv(%q): %v, want %s", text, err, want)
		}
	}
}

// Whatever a file holds, a variable has a name that an environment can hold.
func FuzzParseEnv(f *testing.F) {
	for _, text := range []string{"A=1", "export B='x' # y", "C=\"\\n\"", "=", "'", "A=\"", "\ufeffA=\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		vars, err := parseEnv(text)
		for _, v := range vars {
			if err != nil || v.name == "" || strings.ContainsAny(v.name, "= \t\n\x00") || strings.Contains(v.value, "\x00") {
				t.Errorf("%q gives %q, %v", text, v, err)
			}
		}
	})
}
