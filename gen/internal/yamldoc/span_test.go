package yamldoc_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// checkSpan reports whether the bytes under a scalar's span are this scalar: they mean the same when they are read again,
// and nothing around the scalar is among them.
func checkSpan(n *yamldoc.Node) error {
	text := n.Span.Text()
	if strings.HasPrefix(text, "*") && !n.Quoted {
		return nil // an alias; its name is not its value
	}
	if text == "" {
		if n.Text != "" {
			return fmt.Errorf("nothing stands for %q", n.Text)
		}
		return nil // a bare key, or a tag without a text
	}
	switch first, last := text[0], text[len(text)-1]; {
	case first == '"' || first == '\'':
		if len(text) < 2 || last != first || !n.Quoted {
			return fmt.Errorf("%q is no quoted scalar", text)
		}
	case n.Quoted:
		if first != '|' && first != '>' {
			return fmt.Errorf("%q is no block scalar", text)
		}
	default:
		if strings.Trim(text, " \t\r\n") != text || strings.Contains(text, " #") {
			return fmt.Errorf("%q holds what is not the scalar's", text)
		}
	}

	for _, again := range rereadings(text) {
		if m := again(); m != nil && m.Text == n.Text {
			return nil
		}
	}

	return fmt.Errorf("%q does not read as %q", text, n.Text)
}

// rereadings puts the text of a scalar where it may have stood: at the top, in a block list, in a flow list, as a key, and with the
// lines of a block moved to the left, since an indentation indicator counts from the parent.
func rereadings(text string) []func() *yamldoc.Node {
	read := func(doc string, find func(*yamldoc.Node) *yamldoc.Node) func() *yamldoc.Node {
		return func() *yamldoc.Node {
			root, found := yamldoc.Parse(source.NewFile("again.yaml", []byte(doc)))
			if len(found) > 0 {
				return nil
			}
			return find(root)
		}
	}
	itself := func(n *yamldoc.Node) *yamldoc.Node {
		if isScalar(n) {
			return n
		}
		return nil
	}
	only := func(n *yamldoc.Node) *yamldoc.Node {
		if len(n.Items) == 1 && isScalar(n.Items[0]) {
			return n.Items[0]
		}
		return nil
	}

	key := func(n *yamldoc.Node) *yamldoc.Node {
		if len(n.Fields) == 1 {
			return n.Fields[0].Key
		}
		return nil
	}

	all := []func() *yamldoc.Node{
		read(text, itself), read("- "+text, only), read("["+text+"]", only), read(text+": x", key), read("? "+text, key),
	}
	if text[0] == '|' || text[0] == '>' {
		for cut := 1; cut < 20; cut++ {
			all = append(all, read(strings.ReplaceAll(text, "\n"+strings.Repeat(" ", cut), "\n"), itself))
		}
	}

	return all
}

// checkTree checks all places of a tree.
func checkTree(root *yamldoc.Node, size int) (err error) {
	walk(root, func(n *yamldoc.Node) {
		switch {
		case err != nil:
		case n.Span.File == nil || n.Span.Start < 0 || n.Span.Start > n.Span.End || n.Span.End > size:
			err = fmt.Errorf("%s %q has the place %d-%d of %d", n.Kind, n.Text, n.Span.Start, n.Span.End, size)
		case isScalar(n):
			err = checkSpan(n)
		default:
			err = checkChildren(n)
		}
	})

	return err
}

// checkChildren checks that the parts of a collection stand inside it, in order. Merged fields stand elsewhere.
func checkChildren(n *yamldoc.Node) error {
	if strings.HasPrefix(n.Span.Text(), "*") {
		return nil
	}
	at := n.Span.Start
	inside := func(c *yamldoc.Node) error {
		if c.Span.Start < at || c.Span.End > n.Span.End {
			return fmt.Errorf("%q does not stand in order inside of %q", c.Span.Text(), n.Span.Text())
		}
		at = c.Span.End
		return nil
	}
	for _, item := range n.Items {
		if err := inside(item); err != nil {
			return err
		}
	}
	if strings.Contains(n.Span.Text(), "<<") {
		return nil
	}
	for _, f := range n.Fields {
		if err := inside(f.Key); err != nil {
			return err
		}
		if err := inside(f.Value); err != nil {
			return err
		}
	}

	return nil
}

func TestSpans(t *testing.T) {
	for name, text := range spanDocuments(t) {
		t.Run(name, func(t *testing.T) {
			for ending, doc := range map[string]string{
				"lf":          text,
				"crlf":        strings.ReplaceAll(text, "\n", "\r\n"),
				"cr":          strings.ReplaceAll(text, "\n", "\r"),
				"bom":         "\ufeff" + text,
				"cut":         strings.TrimSuffix(text, "\n"),
				"high places": strings.Repeat("# ü\u2028ü\u0085\n", 20) + text,
			} {
				t.Run(ending, func(t *testing.T) {
					if err := checkTree(parse(t, doc), len(doc)); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// spanDocuments returns the documents of testdata/spans.txtar.
func spanDocuments(t testing.TB) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "spans.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	documents := map[string]string{}
	for _, f := range archive.Files {
		documents[f.Name] = string(f.Data)
	}
	if len(documents) == 0 {
		t.Fatal("no documents")
	}

	return documents
}

func TestPlaces(t *testing.T) {
	tests := []struct{ name, text, pointer, key, value string }{
		{"plain", "a: b", "/a", "1:1-1:2", "1:4-1:5"},
		{"multi-byte", "ä: \"ö\"  # ü\nü: ö", "/ü", "2:1-2:2", "2:4-2:5"},
		{"beyond the basic plane", "k: [😀, b]", "/k/1", "", "1:8-1:9"},
		{"line separator is no line break", "a: x\u2028y\nb: c", "/b", "2:1-2:2", "2:4-2:5"},
		{"next line is no line break", "a: \"x\u0085y\"\nb: c", "/b", "2:1-2:2", "2:4-2:5"},
		{"byte order mark", "\ufeffa: b", "/a", "1:1-1:2", "1:4-1:5"},
		{"crlf", "a: b\r\nc: d\r\n", "/c", "2:1-2:2", "2:4-2:5"},
		{"bare", "a:\nb: c", "/a", "1:1-1:2", "1:3-1:3"},
		{"bare with a comment", "a:   # why\nb: c", "/a", "1:1-1:2", "1:3-1:3"},
		{"bare entry", "a:\n-\n- b", "/a/0", "", "2:2-2:2"},
		{"key alone in braces", "{a, b: c}", "/a", "1:2-1:3", "1:3-1:3"},
		{"last key alone in braces", "{b: c, a }", "/a", "1:8-1:9", "1:9-1:9"},
		{"pair in brackets", "[a: b]", "/0/a", "1:2-1:3", "1:5-1:6"},
		{"anchor and tag", "a: &x !!str 1", "/a", "1:1-1:2", "1:13-1:14"},
		{"anchor of a mapping", "a: &x\n  b: c", "/a", "1:1-1:2", "2:3-2:7"},
		{"tag on a line of its own", "a: !!map\n  # so\n  b: c", "/a", "1:1-1:2", "3:3-3:7"},
		{"alias", "a: &x b\nc: *x", "/c", "2:1-2:2", "2:4-2:6"},
		{"child of an alias", "a: &x {b: c}\nd: *x", "/d/b", "1:8-1:9", "1:11-1:12"},
		{"merged field", "a: &x {b: c}\nd:\n  <<: *x\n  e: f", "/d/b", "1:8-1:9", "1:11-1:12"},
		{"literal", "a: |\n  x\n\nb: c", "/a", "1:1-1:2", "1:4-3:1"},
		{"literal that keeps", "a: |+\n  x\n\nb: c", "/a", "1:1-1:2", "1:4-4:1"},
		{"folded with a comment behind", "a: >\n  x\n  y\n # c\nb: c", "/a", "1:1-1:2", "1:4-4:1"},
		{"plain over lines", "a: x\n  y\n\n  z # c\nb: c", "/a", "1:1-1:2", "1:4-4:4"},
		{"single quotes", "a: 'it''s' # c", "/a", "1:1-1:2", "1:4-1:11"},
		{"double quotes", `a: "\"\\" # c`, "/a", "1:1-1:2", "1:4-1:10"},
		{"flow over lines", "a: [\n  b, # ]\n  c\n]\nd: e", "/a", "1:1-1:2", "1:4-4:2"},
		{"empty flow", "a: { }", "/a", "1:1-1:2", "1:4-1:7"},
		{"root", "# c\na: b\n", "", "", "2:1-2:5"},
		{"pointer escapes", "a/b: {c~d: e}", "/a~1b/c~0d", "1:7-1:10", "1:12-1:13"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			key, value, ok := parse(t, tt.text).Find(tt.pointer)
			if !ok {
				t.Fatalf("nothing at %q", tt.pointer)
			}
			if got := span(key); got != tt.key {
				t.Errorf("key at %s, want %s", got, tt.key)
			}
			if got := span(value); got != tt.value {
				t.Errorf("value at %s, want %s", got, tt.value)
			}
		})
	}
}

func span(n *yamldoc.Node) string {
	if n == nil {
		return ""
	}
	p, e := n.Span.Pos(), n.Span.EndPos()

	return fmt.Sprintf("%d:%d-%d:%d", p.Line, p.Column, e.Line, e.Column)
}
