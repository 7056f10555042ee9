package yamldoc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// seed adds the inputs of all cases to a corpus.
func seed(f *testing.F, extension string) {
	paths, _ := filepath.Glob("testdata/*/*.txtar")
	for _, path := range append(paths, filepath.Join("testdata", "spans.txtar")) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			all := path == filepath.Join("testdata", "spans.txtar")
			if len(file.Data) < 1000 && (all || strings.HasSuffix(file.Name, extension)) { // small ones are mutated more often
				f.Add(file.Data)
			}
		}
	}
}

// FuzzSpans: whatever the text, the parser ends, says at most one thing about its syntax, in our words and inside of the
// file, and every scalar of a tree is what stands under its place.
func FuzzSpans(f *testing.F) {
	seed(f, ".yaml")
	f.Fuzz(func(t *testing.T, content []byte) {
		root, found := yamldoc.Parse(source.NewFile("a.yaml", content))
		checkFindings(t, root, found, len(content))
		if root == nil {
			return
		}
		if err := checkTree(root, len(content)); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(root.JSON()); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzFrontmatter(f *testing.F) {
	seed(f, ".md")
	f.Fuzz(func(t *testing.T, content []byte) {
		fm, found := yamldoc.ParseFrontmatter(source.NewFile("AGENT.md", content))
		checkFindings(t, fm.Head, found, len(content))
		if s := fm.BodySpan; s.Start < 0 || s.Start > s.End || s.End != len(content) {
			t.Fatalf("body at %d-%d of %d", s.Start, s.End, len(content))
		}
		if want := strings.ReplaceAll(fm.BodySpan.Text(), "\r\n", "\n"); fm.Body != want {
			t.Fatalf("body %q is not %q", fm.Body, want)
		}
		if fm.Head == nil {
			return
		}
		if err := checkTree(fm.Head, fm.BodySpan.Start); err != nil {
			t.Fatal(err)
		}
	})
}

func checkFindings(t *testing.T, root *yamldoc.Node, found []*diag.Diagnostic, size int) {
	t.Helper()
	syntax := 0
	for _, d := range found {
		if err := checkFinding(d, size); err != nil {
			t.Fatal(err)
		}
		if d.Check == diag.Syntax {
			syntax++
		}
	}
	if syntax > 1 || syntax == 1 && root != nil {
		t.Fatalf("%d syntax findings, tree %v", syntax, root)
	}
}

func checkFinding(d *diag.Diagnostic, size int) error {
	switch s := d.Span; {
	case s.File == nil || s.Start < 0 || s.Start > s.End || s.End > size:
		return fmt.Errorf("%q at %d-%d of %d", d.Message, s.Start, s.End, size)
	case leaks(d, "yaml:") || leaks(d, "%!") || !utf8.ValidString(d.Message):
		return fmt.Errorf("message %q", d.Message)
	}

	return nil
}

// leaks reports whether the message holds text that is a library's or a misuse of fmt, and not a quotation of the file.
func leaks(d *diag.Diagnostic, text string) bool {
	return strings.Contains(d.Message, text) && !bytes.Contains(d.Span.File.Bytes, []byte(text))
}
