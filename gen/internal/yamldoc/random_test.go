package yamldoc_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestRandomDocuments writes documents at random, in all styles of scalars and collections, and compares the tree with
// what was written: every key, every value, the text under every place, and each
// character's own place.
func TestRandomDocuments(t *testing.T) {
	for seed := range uint64(2000) {
		w := &writer{rand: rand.New(rand.NewPCG(seed, 2)), eol: "\n"}
		if seed%3 == 1 {
			w.eol = "\r\n"
		}
		w.mapping(0, 0)
		root := parse(t, w.text.String())
		checkInside(t, root)

		var got []scalar
		walk(root, func(n *yamldoc.Node) {
			if isScalar(n) {
				got = append(got, scalar{n.Text, n.Span.Text()})
			}
		})
		if len(got) != len(w.written) {
			t.Fatalf("seed %d: %d scalars, written %d\n%s", seed, len(got), len(w.written), w.text.String())
		}
		for i, want := range w.written {
			if got[i] != want {
				t.Fatalf("seed %d: got %q, want %q\n%s", seed, got[i], want, w.text.String())
			}
		}
	}
}

type scalar struct{ value, text string }

// writer writes a document and remembers its scalars in order.
type writer struct {
	rand    *rand.Rand
	text    strings.Builder
	written []scalar
	eol     string
	keys    int
}

func (w *writer) scalar(value, text string) {
	w.text.WriteString(text)
	w.written = append(w.written, scalar{value, text})
}

func (w *writer) mapping(indent, depth int) {
	for range 1 + w.rand.IntN(4) {
		w.text.WriteString(strings.Repeat(" ", indent))
		w.keys++
		w.inline(fmt.Sprintf("%s%d", w.pick("key", "ключ", "鍵", "😀", "two words", "a-b"), w.keys))
		w.text.WriteString(w.pick(":", ": "))
		w.value(indent, depth)
		if w.rand.IntN(6) == 0 {
			w.text.WriteString(strings.Repeat(" ", indent) + "# a comment: 'with' \"quotes\" [ü" + w.eol)
		}
	}
}

func (w *writer) list(indent, depth int) {
	for range 1 + w.rand.IntN(3) {
		w.text.WriteString(strings.Repeat(" ", indent) + "-")
		w.value(indent, depth)
	}
}

// value writes what stands behind a colon or a dash, up to the end of its last line.
func (w *writer) value(indent, depth int) {
	kind := w.rand.IntN(7)
	if depth > 3 && kind < 2 {
		kind += 2
	}
	switch kind {
	case 0:
		w.text.WriteString(w.eol)
		w.mapping(indent+1+w.rand.IntN(4), depth+1)
	case 1:
		w.text.WriteString(w.eol)
		w.list(indent+1+w.rand.IntN(4), depth+1)
	case 2:
		w.block(indent)
	case 3:
		w.text.WriteString(" ")
		w.flow(0)
		w.text.WriteString(w.pick("", " ", " # c") + w.eol)
	default:
		w.text.WriteString(" ")
		w.inline(w.phrase())
		w.text.WriteString(w.pick("", "  ", " # \"c\": d") + w.eol)
	}
}

func (w *writer) flow(depth int) {
	open, end := "[", "]"
	if w.rand.IntN(2) == 0 {
		open, end = "{", "}"
	}
	w.text.WriteString(open + w.pick("", " "))
	for i := range 1 + w.rand.IntN(3) {
		if i > 0 {
			w.text.WriteString(w.pick(",", ", "))
		}
		if open == "{" {
			w.keys++
			w.inline(fmt.Sprintf("k%d", w.keys))
			w.text.WriteString(": ")
		}
		if depth < 2 && w.rand.IntN(4) == 0 {
			w.flow(depth + 1)
		} else {
			w.inline(w.phrase())
		}
	}
	w.text.WriteString(w.pick("", " ") + end)
}

// inline writes a value on one line in a style that can hold it.
func (w *writer) inline(value string) {
	plain := value != "" && strings.Trim(value, " ") == value && !strings.ContainsAny(value, "\n\t\\#:'\"[]{}>|,") && !strings.ContainsAny(value[:1], "-*&@")
	switch {
	case plain && w.rand.IntN(2) == 0:
		w.scalar(value, value)
	case w.rand.IntN(2) == 0 && !strings.ContainsAny(value, "\n\t"):
		w.scalar(value, "'"+strings.ReplaceAll(value, "'", "''")+"'")
	default:
		w.scalar(value, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(value)+`"`)
	}
}

// block writes a literal or folded text below a collection at an indentation.
func (w *writer) block(indent int) {
	folded := w.rand.IntN(2) == 0
	chomp := w.pick("", "-", "+")
	in := strings.Repeat(" ", indent+1+w.rand.IntN(3))
	var text, value strings.Builder
	text.WriteString(map[bool]string{true: ">", false: "|"}[folded] + chomp + w.eol)
	last := 1 + w.rand.IntN(3)
	for i := range last {
		line := w.pick("one line", "ü: 'x' # no comment", "- \"y\"", "日本 😀")
		text.WriteString(in + line + w.eol)
		value.WriteString(line)
		switch {
		case i == last-1 && chomp != "-":
			value.WriteString("\n")
		case i < last-1 && folded:
			value.WriteString(" ")
		case i < last-1:
			value.WriteString("\n")
		}
	}
	w.text.WriteString(" ")
	w.scalar(value.String(), text.String())
}

func (w *writer) phrase() string {
	return w.pick("x", "a b", "it's", `say "hi"`, "a: b", "# not", "", " lead", "tail ", "日本", "ü\u2028ö", "l\u0085m", "😀 x",
		"[a]", "a,b", "*", "&x", "100", "1.0", "on", "back\\slash", "two\nlines", "tab\there", "@x", "{{input}}", "a#b", "a:b")
}

func (w *writer) pick(choices ...string) string { return choices[w.rand.IntN(len(choices))] }
