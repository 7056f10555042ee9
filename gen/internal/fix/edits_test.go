package fix

import (
	"bytes"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

func TestApplyKeepsOtherBytes(t *testing.T) {
	cases := []struct {
		name, content, want string
		edits               [][3]any // start, end, new text
	}{
		{"nothing", "a: b", "a: b", nil},
		{"one", "a: b\n", "a: c\n", [][3]any{{3, 4, "c"}}},
		{"in any order", "a: b\nc: d\n", "x: b\nc: y\n", [][3]any{{8, 9, "y"}, {0, 1, "x"}}},
		{"growing and shrinking", "aa: bb\ncc: dd", "a: bbbb\nc: dd", [][3]any{{7, 9, "c"}, {4, 6, "bbbb"}, {0, 2, "a"}}},
		{"byte order mark, other line ends, no last one", "\ufeffa: b\r\nc: d", "\ufeffa: x\r\nc: d", [][3]any{{6, 7, "x"}}},
		{"not UTF-8", "\xff\xfe: b\x00", "\xff\xfe: c\x00", [][3]any{{4, 5, "c"}}},
		{"at both ends", "a", "<a>", [][3]any{{1, 1, ">"}, {0, 0, "<"}}},
		{"a deletion", "a  b", "ab", [][3]any{{1, 3, ""}}},
		{"insertions at one place", "ab", "a12b", [][3]any{{1, 1, "1"}, {1, 1, "2"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := source.NewFile("f", []byte(c.content))
			var edits []diag.Edit
			for _, e := range c.edits {
				span := source.Span{File: f, Start: e[0].(int), End: e[1].(int)}
				edits = append(edits, diag.Edit{Span: span, New: e[2].(string)})
			}
			if got := string(Apply(f.Bytes, edits)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if string(f.Bytes) != c.content {
				t.Errorf("the content has become %q", f.Bytes)
			}
		})
	}
}

func TestBatch(t *testing.T) {
	f, other := source.NewFile("f", []byte("one two one")), source.NewFile("g", []byte("one two one"))
	at := func(start, end int, text string) diag.Edit {
		return diag.Edit{Span: source.Span{File: f, Start: start, End: end}, New: text}
	}
	elsewhere := diag.Edit{Span: source.Span{File: other, Start: 4, End: 7}, New: "ONE"}
	first := []diag.Edit{at(0, 3, "ONE")}
	cases := []struct {
		name  string
		edits []diag.Edit
		want  bool
	}{
		{"apart", []diag.Edit{at(4, 7, "TWO")}, true},
		{"the same again", first, true},
		{"the same and more", []diag.Edit{at(0, 3, "ONE"), at(4, 7, "TWO")}, true},
		{"the same text, written twice", []diag.Edit{at(8, 11, "ONE")}, true},
		{"another file", []diag.Edit{elsewhere}, true},
		{"overlaps", []diag.Edit{at(2, 5, "x")}, false},
		{"touches", []diag.Edit{at(3, 4, "")}, false},
		{"an insertion at its edge", []diag.Edit{at(3, 3, "x")}, false},
		{"another text there", []diag.Edit{at(0, 3, "1")}, false},
		{"two texts would become one", []diag.Edit{at(4, 7, "ONE")}, false},
		{"half of it overlaps", []diag.Edit{elsewhere, at(1, 2, "x")}, false},
		{"overlaps itself", []diag.Edit{at(4, 7, "x"), at(6, 8, "y")}, false},
		{"changes nothing", []diag.Edit{at(4, 7, "two")}, false},
		{"no edits", nil, false},
		{"no file", []diag.Edit{{New: "x"}}, false},
		{"outside", []diag.Edit{at(9, 12, "x")}, false},
		{"the file as a whole", []diag.Edit{at(-1, -1, "x")}, false},
		{"the wrong way round", []diag.Edit{at(5, 4, "x")}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := batch{}
			if !b.addFix(diag.Fix{Edits: first}) {
				t.Fatal("the first fix is not taken")
			}
			got := b.addFix(diag.Fix{Edits: c.edits})
			if got != c.want {
				t.Errorf("taken: %v", got)
			}
			if n := len(b["f"]) + len(b["g"]); !got && n != 1 {
				t.Errorf("%d edits of a fix that was not taken", n-1)
			}
		})
	}
}

// FuzzApply makes the edits that a batch takes of any, and compares with making them one after the
// other, the last of the file first.
func FuzzApply(f *testing.F) {
	f.Add([]byte("a: b\n"), []byte{3, 1, 2}, "text")
	f.Add([]byte("\ufeffa: b\r\nc: d"), []byte{0, 0, 1, 4, 2, 0, 9, 9, 9, 5, 0, 3}, "\r\n\xff")
	f.Add([]byte{}, []byte{0, 0, 2}, "x")
	f.Add([]byte("one two one two"), []byte{0, 3, 3, 8, 3, 3, 4, 3, 3}, "ONE")
	f.Fuzz(func(t *testing.T, content, places []byte, text string) {
		file := source.NewFile("f", content)
		b := batch{}
		for ; len(places) >= 3; places = places[3:] {
			start := int(places[0])
			e := diag.Edit{
				Span: source.Span{File: file, Start: start, End: start + int(places[1])},
				New:  text[:min(int(places[2]), len(text))],
			}
			b.addFix(diag.Fix{Edits: []diag.Edit{e}})
		}

		want := bytes.Clone(content)
		done := map[int]bool{}
		for range b["f"] {
			last := -1
			for i, e := range b["f"] {
				if !done[i] && (last < 0 || e.Span.Start > b["f"][last].Span.Start) {
					last = i
				}
			}
			done[last] = true
			e := b["f"][last]
			want = append(append(bytes.Clone(want[:e.Span.Start]), e.New...), want[e.Span.End:]...)
		}
		if got := Apply(content, b["f"]); !bytes.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
