package source_test

import (
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

func TestPos(t *testing.T) {
	tests := []struct {
		name, text string
		offset     int
		want       source.Pos
	}{
		{"start", "abc", 0, source.Pos{Line: 1, Column: 1}},
		{"middle", "abc", 2, source.Pos{Line: 1, Column: 3}},
		{"end", "abc", 3, source.Pos{Line: 1, Column: 4}},
		{"before the start", "abc", -4, source.Pos{Line: 1, Column: 1}},
		{"behind the end", "abc", 99, source.Pos{Line: 1, Column: 4}},
		{"empty file", "", 0, source.Pos{Line: 1, Column: 1}},
		{"line break itself", "a\nb", 1, source.Pos{Line: 1, Column: 2}},
		{"second line", "a\nb", 2, source.Pos{Line: 2, Column: 1}},
		{"empty last line", "a\n", 2, source.Pos{Line: 2, Column: 1}},
		{"crlf", "a\r\nb", 3, source.Pos{Line: 2, Column: 1}},
		{"lone carriage return", "a\rb", 2, source.Pos{Line: 1, Column: 3}},
		{"line separator", "a\u2028b", 4, source.Pos{Line: 1, Column: 3}},
		{"next line character", "a\u0085b", 3, source.Pos{Line: 1, Column: 3}},
		{"multi-byte", "äö😀b", 8, source.Pos{Line: 1, Column: 4}},
		{"not UTF-8", "\xff\xfeb", 2, source.Pos{Line: 1, Column: 3}},
		{"byte order mark", "\ufeffab", 4, source.Pos{Line: 1, Column: 2}},
		{"on the byte order mark", "\ufeffab", 0, source.Pos{Line: 1, Column: 1}},
		{"inside the byte order mark", "\ufeffab", 2, source.Pos{Line: 1, Column: 1}},
		{"byte order mark, second line", "\ufeffa\nb", 5, source.Pos{Line: 2, Column: 1}},
		{"byte order mark on the second line", "a\n\ufeffb", 5, source.Pos{Line: 2, Column: 2}},
		{"tab is one column", "\tb", 1, source.Pos{Line: 1, Column: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := source.NewFile("f", []byte(tt.text)).Pos(tt.offset); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	f := source.NewFile("f", []byte("\ufeffone\r\ntwo\n\nfour\rstill\n"))
	for i, want := range []string{"", "one", "two", "", "four\rstill", "", ""} {
		if got := f.Line(i); got != want {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
	if n := f.LineCount(); n != 5 {
		t.Errorf("%d lines, want 5", n)
	}
	for line, want := range map[int]int{-1: 0, 1: 0, 2: 8, 4: 13, 5: 24, 9: 24} {
		if got := f.LineStart(line); got != want {
			t.Errorf("line %d starts at %d, want %d", line, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	f := source.NewFile("a", []byte("one\ntwo\n"))
	s := source.Span{File: f, Start: 4, End: 7}
	if s.Text() != "two" || s.Pos() != (source.Pos{Line: 2, Column: 1}) || s.EndPos() != (source.Pos{Line: 2, Column: 4}) || !s.IsValid() {
		t.Errorf("got %q from %v to %v", s.Text(), s.Pos(), s.EndPos())
	}
	var none source.Span
	if none.IsValid() || none.Text() != "" || none.Pos().IsValid() || none.EndPos().IsValid() {
		t.Error("the zero span has a place")
	}
}

func TestBefore(t *testing.T) {
	a, b := source.NewFile("a", []byte("text")), source.NewFile("b", []byte("text"))
	ordered := []source.Span{{}, {File: a, Start: 0, End: 1}, {File: a, Start: 0, End: 2}, {File: a, Start: 1, End: 1}, {File: b, Start: 0, End: 1}}
	for i, s := range ordered {
		for j, o := range ordered {
			if got := s.Before(o); got != (i < j) {
				t.Errorf("span %d before span %d: %t", i, j, got)
			}
		}
	}
}

func TestShown(t *testing.T) {
	f := source.NewFile("a", []byte("key: abc\n  def\nend\n"))
	f.Hide(source.Span{File: f, Start: 5, End: 14})
	for _, c := range []struct {
		from, to int
		want     string
	}{{0, 19, "key: ***\n  ***\nend\n"}, {0, 6, "key: *"}, {7, 12, "*\n  *"}, {0, 5, "key: "}, {14, 19, "\nend\n"}, {6, 6, ""}} {
		if got := string(f.Redacted(c.from, c.to)); got != c.want {
			t.Errorf("from %d to %d %q is shown, want %q", c.from, c.to, got, c.want)
		}
	}
	if got := string(f.Bytes); got != "key: abc\n  def\nend\n" {
		t.Errorf("the file is %q", got)
	}
}

// FuzzPos compares places with a count rune by rune.
func FuzzPos(f *testing.F) {
	f.Add([]byte("a\nä\r\n😀\n"), 7)
	f.Add([]byte("\ufeffa\n\xff\xfeb"), 6)
	f.Fuzz(func(t *testing.T, text []byte, offset int) {
		file := source.NewFile("f", text)
		if offset < 0 || offset > len(text) {
			return
		}
		want := source.Pos{Line: 1, Column: 1}
		for i := 0; i < offset; {
			r, size := utf8.DecodeRune(text[i:])
			if i+size > offset {
				return // inside of a rune
			}
			switch {
			case r == '\n':
				want = source.Pos{Line: want.Line + 1, Column: 1}
			case i == 0 && r == '\ufeff':
			default:
				want.Column++
			}
			i += size
		}
		if got := file.Pos(offset); got != want {
			t.Errorf("%q at %d: got %v, want %v", text, offset, got, want)
		}
	})
}
