package cells

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "plain": 5, "naïve": 5, "e\u0301": 1, "日本語": 6, "ｱｲｳ": 3, "Ａ": 2, "한국": 4, "👍": 2, "…": 1, "├─": 2, "שלום": 4,
		"กำ": 2, "\u1100\u1161": 2,
	} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestTableAgreesWithScripts: of scripts that are written in wide characters, the standard library knows all letters.
func TestTableAgreesWithScripts(t *testing.T) {
	halfwidth := func(r rune) bool { return 0xFF61 <= r && r <= 0xFFDC }
	letters := 0
	for name, want := range map[string]int{
		"Han": 2, "Hiragana": 2, "Katakana": 2, "Yi": 2, "Bopomofo": 2, "Tangut": 2,
		"Latin": 1, "Greek": 1, "Cyrillic": 1, "Arabic": 1, "Hebrew": 1, "Thai": 1, "Devanagari": 1, "Armenian": 1, "Georgian": 1,
	} {
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if !unicode.Is(unicode.Scripts[name], r) || !unicode.IsLetter(r) || halfwidth(r) {
				continue
			}
			letters++
			if fullwidth := 0xFF00 < r && r < 0xFF61; !fullwidth && Rune(r) != want {
				t.Errorf("%s %U takes %d cells, want %d", name, r, Rune(r), want)
			}
		}
	}
	if letters < 80_000 {
		t.Errorf("only %d letters were looked at", letters)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.In(r, unicode.Mn, unicode.Me) && Rune(r) != 0 {
			t.Errorf("the mark %U takes %d cells", r, Rune(r))
		}
	}
}

func TestTableIsSorted(t *testing.T) {
	last := uint32(0)
	next := func(lo, hi uint32) {
		if lo <= last || hi < lo {
			t.Errorf("the range %X to %X stands after %X", lo, hi, last)
		}
		last = hi
	}
	for _, r := range wide.R16 {
		next(uint32(r.Lo), uint32(r.Hi))
	}
	for _, r := range wide.R32 {
		next(r.Lo, r.Hi)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text             string
		most             int
		want, wantOfLeft string
	}{
		{"", 0, "", ""},
		{"abc", 0, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "ab…", "…cd"},
		{"日本語", 6, "日本語", "日本語"},
		{"日本語", 5, "日本…", "…本語"},
		{"日本語", 4, "日…", "…語"},
		{"日本語", 1, "…", "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…", "…e\u0301"},
		{"abe\u0301", 1, "…", "…"},
	} {
		if got, left := Cut(c.text, c.most), CutLeft(c.text, c.most); got != c.want || left != c.wantOfLeft {
			t.Errorf("%q cut to %d: %q and %q, want %q and %q", c.text, c.most, got, left, c.want, c.wantOfLeft)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                             "plain",
		"👩\u200d💻":                          "👩💻",
		"❤\ufe0f":                           "❤",
		"👍🏽":                                "👍",
		"a" + strings.Repeat("\u0301", 900): "a\u0301\u0301\u0301\u0301",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		text         string
		width, lines int
		want         []string
	}{
		{"", 10, 3, nil},
		{"one two three", 7, 3, []string{"one two", "three"}},
		{"one two three", 7, 1, []string{"three"}},
		{"abcdefghij", 4, 9, []string{"abcd", "efgh", "ij"}},
		{"a 日本語日本語 b", 5, 9, []string{"a", "日本", "語日", "本語", "b"}},
		{"one", 1, 3, nil},
	} {
		if got := Tail(c.text, c.width, c.lines); !slices.Equal(got, c.want) {
			t.Errorf("Tail(%q, %d, %d) = %q, want %q", c.text, c.width, c.lines, got, c.want)
		}
	}
}

// FuzzFits: whatever the text, what is cut fits, and the lines of a text have its words.
func FuzzFits(f *testing.F) {
	f.Add("日本語 and e\u0301 and \xff", 5)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = max(min(most, 300), 2)
		for _, cut := range []string{Cut(text, most), CutLeft(text, most), Head(text, most)} {
			if Width(cut) > most {
				t.Errorf("%q takes %d cells, more than %d", cut, Width(cut), most)
			}
		}
		lines := Wrap(text, most, most)
		for _, line := range lines {
			if Width(line) > most {
				t.Errorf("the line %q takes %d cells, more than %d", line, Width(line), most)
			}
		}
		if got, want := strings.Join(lines, ""), strings.Join(strings.Fields(text), ""); strings.ReplaceAll(got, " ", "") != want {
			t.Errorf("%q became %q", text, lines)
		}
	})
}
