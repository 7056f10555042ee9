package rt

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCutPiece(t *testing.T) {
	lines := strings.Repeat("a line of text\n", 10)
	for name, c := range map[string]struct {
		text       string
		from, most int
		piece      string
		where      string
	}{
		"short":             {"all of it", 0, 9, "all of it", ""},
		"line":              {lines, 0, 40, "a line of text\na line of text\n", ""},
		"later line":        {lines, 15, 40, "a line of text\na line of text\n", ""},
		"end":               {lines, 135, 40, "a line of text\n", ""},
		"space":             {"one two three four", 0, 12, "one two ", ""},
		"character":         {"éééééééé", 0, 5, "éé", ""},
		"less than one":     {"日日日", 0, 1, "日", ""},
		"not UTF-8":         {strings.Repeat("\x80", 20), 0, 8, strings.Repeat("\x80", 8), ""},
		"early line":        {"x\n" + strings.Repeat("y", 20), 0, 10, "x\nyyyyyyyy", ""},
		"list":              {`[1, 22, 333, 4444, 55555]`, 0, 15, `[1, 22, 333,`, "before $[3]"},
		"list of list":      {`{"items":[{"id":1},{"id":2},{"id":3}]}`, 0, 30, `{"items":[{"id":1},{"id":2},`, "before $.items[2]"},
		"member":            {`{"a":"x, y","b":[1,2],"c":"cccccccccccccccccc"}`, 0, 30, `{"a":"x, y","b":[1,2],`, `in the object $, behind its member "b"`},
		"inner member":      {`[{"a" : {"b":1,"c":"ccccccccccccccccccccccc"}}]`, 0, 20, `[{"a" : {"b":1,`, `in the object $[0].a, behind its member "b"`},
		"comma in a string": {`["a,b,c,d,e,f,g,h,i,j,k,l"]`, 0, 12, `["a,b,c,d,e,`, ""},
		"quote in a string": {`["a\",",2,33333333333333]`, 0, 12, `["a\",",2,`, "before $[2]"},
		"second piece":      {`[1,2,3,4,5,6,7,8,9,10,11]`, 9, 6, `5,6,7,`, "before $[7]"},
		"not JSON":          {`[note] one, two, three, four`, 0, 22, `[note] one, two, `, ""},
		"wrong brackets":    {`[1,2},3,4,5,6`, 0, 8, `[1,2},3,`, ""},
		"half a string":     {`{"aaaaaaaaaaaaaaaa`, 0, 4, `{"aa`, ""},
		"a quote at last":   {`{"aaa":"`, 0, 2, `{"aa`, ""},
		"deep":              {strings.Repeat("[", deepestCut+1) + "1,2", 0, deepestCut + 3, strings.Repeat("[", deepestCut+1) + "1,", ""},
	} {
		end, where := cutPiece(c.text, c.from, c.most)
		if got := c.text[c.from:end]; got != c.piece || where != c.where {
			t.Errorf("%s: %q, %q, not %q, %q", name, got, where, c.piece, c.where)
		}
	}
}

func FuzzCutPiece(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":"c,d\""}],"é":"日本"}`, 7)
	f.Add("a line\nanother line\n", 3)
	f.Add(`[[[[[[`, 2)
	f.Add("\x80\x80\x80", 1)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = max(most, 1)
		var all strings.Builder
		for from := 0; from < len(text); {
			end, where := cutPiece(text, from, most)
			if end <= from || end-from > max(most, utf8.UTFMax) {
				t.Fatalf("a piece of %d bytes from %d of %q, of at most %d", end-from, from, text, most)
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[from:end]) {
				t.Fatalf("%q is cut in a character: %q", text, text[from:end])
			}
			if len(where) > 3000 {
				t.Fatalf("where: %d bytes", len(where))
			}
			all.WriteString(text[from:end])
			from = end
		}
		if all.String() != text {
			t.Fatalf("the pieces of %q are %q", text, all.String())
		}
	})
}
