package yamldoc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// largeDocuments are shapes of text that a careless parser reads in quadratic time, each about size bytes long.
func largeDocuments(size int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)+1) }
	var keys strings.Builder
	for i := 0; keys.Len() < size; i++ {
		fmt.Fprintf(&keys, "state-%d:\n  - good-enough: done # first match wins\n  - \"*\": 'state-%d'\n", i, i+1)
	}

	return map[string]string{
		"states":    keys.String(),
		"comments":  "a: b\n" + repeat("# a line of a comment\n") + "c: d\n",
		"one-line":  "[" + repeat("{a: b, c: \"d\"}, ") + "e]",
		"literal":   "a: |\n" + repeat("  a line of text\n"),
		"folded":    "a: >\n" + repeat("  a line of text\n\n"),
		"plain":     "a: b\n" + repeat("  a line of text\n"),
		"quoted":    "a: \"" + repeat("text \\n text\n  ") + "\"\n",
		"hidden":    repeat("- a\u2028b\n"),
		"separated": repeat("- a\u0085b\n"),
	}
}

func BenchmarkParse(b *testing.B) {
	for _, size := range []int{100_000, 1_000_000} {
		for name, text := range largeDocuments(size) {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				content := []byte(text)
				b.SetBytes(int64(len(content)))
				for b.Loop() {
					if root, _ := yamldoc.Parse(source.NewFile("a.yaml", content)); root == nil {
						b.Fatal("not parsed")
					}
				}
			})
		}
	}
}

// BenchmarkSyntaxError measures the search for the place of a mistake at the end of a large file.
func BenchmarkSyntaxError(b *testing.B) {
	content := []byte(largeDocuments(1_000_000)["states"] + "last:\n\t- x: y\n")
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if _, found := yamldoc.Parse(source.NewFile("a.yaml", content)); len(found) != 1 {
			b.Fatal("nothing found")
		}
	}
}

func BenchmarkFrontmatter(b *testing.B) {
	content := []byte("---\n" + largeDocuments(10_000)["states"] + "---\n\n" + strings.Repeat("Some prose.\r\n", 1000))
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if fm, _ := yamldoc.ParseFrontmatter(source.NewFile("AGENT.md", content)); fm.Head == nil {
			b.Fatal("not parsed")
		}
	}
}
