package yamldoc_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Each scalar is written in some style; the word in it is found in the file.
func TestInside(t *testing.T) {
	tests := []struct{ name, text, word, written string }{
		{"plain", "a: one two three\n", "two", "two"},
		{"plain, folded", "a: one\n  two\n\n  three\n", "three", "three"},
		{"plain, over a fold", "a: one\n  two\n", "one two", "one\n  two"},
		{"single quotes", "a: 'it''s two'\n", "two", "two"},
		{"a quote in single quotes", "a: 'it''s two'\n", "'s", "''s"},
		{"single quotes, folded", "a: 'it''s\n\n  two '\n", "two", "two"},
		{"double quotes", `a: "\t\u00e4\U0001F600\x41 two"` + "\n", "two", "two"},
		{"an escape", `a: "\t\u00e4\U0001F600\x41 two"` + "\n", "\u00e4\U0001f600", `\u00e4\U0001F600`},
		{"double quotes, folded", "a: \"one  \n \n\n  two\"\n", "two", "two"},
		{"double quotes, continued", "a: \"one \\\n   two\"\n", "two", "two"},
		{"up to a continuation", "a: \"one\\\n  \\ two\"\n", "two", "two"},
		{"literal", "a: |\n  one\n    two\n\n  three\n", "  two\n\nthree", "  two\n\n  three"},
		{"literal, blank first", "a: |2-\n\n\n    one\n  two", "two", "two"},
		{"literal, kept", "a: |+\n  one\n  two\n\n\nb: 1\n", "two\n\n", "two\n\n"},
		{"folded", "a: >\n  one\n  two\n\n  three\n", "two\nthree", "two\n\n  three"},
		{"folded to a space", "a: >-\n  one\n  two\n", "one two", "one\n  two"},
		{"folded, further in", "a: >\n  one\n    two\n  three\n", "  two\nthree", "  two\n  three"},
		{"folded, indented first", "a: >1\n   one\n two\n", "two", "two"},
		{"two bytes a break", "a: >\r\n  one\r\n  two\r\n", "two", "two"},
		{"two bytes a break, literal", "a: |\r\n  one\r\n  two\r\n", "one\ntwo", "one\r\n  two"},
		{"hidden characters", "a: \"\u2028 \u0085 two\"\n", "two", "two"},
		{"a tab", "a: |\n  one\ttwo\n", "\ttwo", "\ttwo"},
		{"flow", "a: {b: [x, one two]}\n", "two", "two"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, found := yamldoc.Parse(source.NewFile("f.yaml", []byte(tt.text)))
			if len(found) > 0 {
				t.Fatal(found[0].Message)
			}
			n := root.Value("a")
			for n.Kind != yamldoc.String {
				n = lastChild(n)
			}
			i := strings.Index(n.Text, tt.word)
			if i < 0 {
				t.Fatalf("%q is not in %q", tt.word, n.Text)
			}
			if got := yamldoc.NewPositions(n.Span, n.Text).Span(i, i+len(tt.word)).Text(); got != tt.written {
				t.Errorf("got %q, want %q", got, tt.written)
			}
		})
	}
}

func lastChild(n *yamldoc.Node) *yamldoc.Node {
	if n.Kind == yamldoc.Seq {
		return n.Items[len(n.Items)-1]
	}

	return n.Fields[len(n.Fields)-1].Value
}

// What does not stand there has the place of the whole.
func TestInsideOfSomethingElse(t *testing.T) {
	f := source.NewFile("f", []byte("a: &x 'text'\nb: *x\n"))
	alias := source.Span{File: f, Start: 16, End: 18}
	if got := yamldoc.NewPositions(alias, "text").Span(1, 2); got != alias {
		t.Errorf("got %q", got.Text())
	}
	if got := yamldoc.NewPositions(source.Span{}, "text").Span(1, 2); got.IsValid() {
		t.Errorf("got %v", got)
	}
	body := source.NewFile("f", []byte("'one'\r\ntwo\r\n"))
	whole := source.Span{File: body, End: len(body.Bytes)}
	if got := yamldoc.NewPositions(whole, "'one'\ntwo\n").Span(6, 9).Text(); got != "two" {
		t.Errorf("got %q", got)
	}
}

// TestInsideOfCases asks for each character of each scalar of the cases: it stands in the file as itself, as an
// escape, as a line break, or as the blanks before one.
func TestInsideOfCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/ok/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no cases")
	}
	scalars := 0
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if !strings.HasSuffix(file.Name, ".yaml") {
				continue
			}
			root, _ := yamldoc.Parse(source.NewFile(file.Name, []byte(invisible.Replace(string(file.Data)))))
			scalars += checkInside(t, root)
		}
	}
	if scalars < 50 {
		t.Errorf("only %d scalars", scalars)
	}
}

// checkInside looks at the scalars of a tree that are written in place and are not blank, and counts them.
func checkInside(t *testing.T, n *yamldoc.Node) (scalars int) {
	t.Helper()
	for _, item := range n.Items {
		scalars += checkInside(t, item)
	}
	for _, f := range n.Fields {
		scalars += checkInside(t, f.Key) + checkInside(t, f.Value)
	}
	if n.Kind != yamldoc.String || strings.TrimSpace(n.Text) == "" || strings.HasPrefix(n.Span.Text(), "*") {
		return scalars
	}

	in := yamldoc.NewPositions(n.Span, n.Text)
	for i, last := 0, n.Span.Start; i < len(n.Text); {
		r, size := utf8.DecodeRuneInString(n.Text[i:])
		at := in.Span(i, i+size)
		written := at.Text()
		if at.Start < last || !strings.HasPrefix(written, n.Text[i:i+size]) && !strings.HasPrefix(written, `\`) &&
			!strings.ContainsRune(" \n", r) && r != utf8.RuneError {
			t.Errorf("%d of %q stands at %q of %q", i, n.Text, written, n.Span.Text())
			return scalars
		}
		i, last = i+size, at.Start
	}

	return scalars + 1
}
