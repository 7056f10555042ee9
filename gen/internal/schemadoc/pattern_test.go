package schemadoc

import (
	"regexp"
	"strings"
	"testing"
)

func TestPatternsMeanWhatECMA262Says(t *testing.T) {
	for _, c := range []struct{ pattern, match, other string }{
		{`^a.c$`, "abc", "a\rc"},
		{`^a.c$`, "a\u00a0c", "a\u2028c"},
		{`^\s$`, "\u00a0", "a"},
		{`^\s$`, "\ufeff", "\u200b"},
		{`^\s$`, "\v", "\x00"},
		{`^\S$`, "\u200b", "\u3000"},
		{`^[\s,]+$`, "\u2003,", "a"},
		{`^[\S]$`, "a", "\u2029"},
		{`^[^\S]$`, "\u202f", "a"},
		{`^[a\-z]$`, "-", "b"},
		{`^[.]$`, ".", "a"},
		{`^\d{2,3}$`, "123", "1234"},
		{`^\x41\0?$`, "A\x00", "a"},
		{`^(?<year>\d+)-(?:a|b)$`, "12-a", "12-c"},
		{`^\p{Lu}\P{L}$`, "Ä1", "ä1"},
		{`\bcat\B`, "cats", "cat"},
		{`^\/\@$`, "/@", "/"},
		{`end$`, "the end", "the end\n"},
	} {
		translated, err := goPattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		re := regexp.MustCompile(translated)
		if !re.MatchString(c.match) || re.MatchString(c.other) {
			t.Errorf("%s became %s: %q is %v, %q is %v", c.pattern, translated, c.match, re.MatchString(c.match), c.other, re.MatchString(c.other))
		}
	}
}

func TestSpacesAndTheirComplement(t *testing.T) {
	in, out := regexp.MustCompile("^["+spaces+"]$"), regexp.MustCompile("^["+noSpaces+"]$")
	n := 0
	for r := rune(0); r <= 0x10ffff; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		s := string(r)
		if in.MatchString(s) == out.MatchString(s) {
			t.Fatalf("%U is in both or in none", r)
		}
		if in.MatchString(s) {
			n++
		}
	}
	if n != 25 {
		t.Errorf("%d characters are white space, ECMA 262 has 25", n)
	}
}

func TestPatternsThatDiffer(t *testing.T) {
	for pattern, part := range map[string]string{
		`(?=a)`: "lookaround", `(?<!a)b`: "lookaround", `(a)\1`: `\1`, `(?i)a`: "ECMA 262", `(?P<n>a)`: "ECMA 262",
		`\Aa`: `\A`, `a\z`: `\z`, `\Qa\E`: `\Q`, `\a`: `\a`, `[[:alpha:]]`: "[:", `\pL`: `\p`, `\p{Greek}`: `\p`, `\p{^Lu}`: `\p`,
		`\u0041`: `\u`, `\x{41}`: `\x`, `[]a]`: "]", `a{`: "{", `a{,3}`: "{", `a}`: "}", `a]`: "]", `^*`: "place", `\b+`: "place", `^{2}`: "{",
		`[\b]`: `\b`, `[\s-a]`: "-", `[\d-z]`: "-", `\07`: `\0`, `(`: "parentheses", `a**`: "repeats", `a{1001}`: "1000", `[z-a]`: "z-a",
		`\`: `\`, `[a`: "]", `*`: "repeats", `\é`: `\é`,
	} {
		_, err := goPattern(pattern)
		switch {
		case err == nil:
			t.Errorf("%s is accepted", pattern)
		case !strings.Contains(err.Error(), part):
			t.Errorf("%s: %v; expected to read of %s", pattern, err, part)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add(`^[a-z\s]+\.(?:x|y){2,3}$`)
	f.Fuzz(func(t *testing.T, pattern string) {
		translated, err := goPattern(pattern)
		if err == nil {
			if _, err := regexp.Compile(translated); err != nil {
				t.Fatalf("%q became %q: %v", pattern, translated, err)
			}
		}
	})
}
