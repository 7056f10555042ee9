package tomldoc_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// FuzzParse: whatever the text, the parser ends, all places are inside of the file, parts stand inside of what holds them,
// and no word of the library reaches the user.
func FuzzParse(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".toml") {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		root, found := tomldoc.Parse(source.NewFile("tama.toml", content))
		for _, d := range found {
			s := d.Span
			if s.File == nil || s.Start < 0 || s.Start > s.End || s.End > len(content) {
				t.Fatalf("%q at %d-%d of %d", d.Message, s.Start, s.End, len(content))
			}
			misformatted := strings.Contains(d.Message, "%!") && !bytes.Contains(content, []byte("%!"))
			if strings.Contains(d.Message, "toml:") || misformatted || !utf8.ValidString(d.Message) {
				t.Fatalf("message %q", d.Message)
			}
		}
		if root == nil {
			if len(found) == 0 {
				t.Fatal("neither a tree nor a finding")
			}
			return
		}
		checkNode(t, root, len(content))
		if _, err := json.Marshal(root.JSON()); err != nil {
			t.Fatal(err)
		}
	})
}

func checkNode(t *testing.T, n *yamldoc.Node, size int) {
	s := n.Span
	if s.File == nil || s.Start < 0 || s.Start > s.End || s.End > size {
		t.Fatalf("%s %q at %d-%d of %d", n.Kind, n.Text, s.Start, s.End, size)
	}
	if isScalar(n) && !n.Quoted && n.Text != s.Text() {
		t.Fatalf("%q stands at %q", n.Text, s.Text())
	}
	for _, item := range n.Items {
		checkNode(t, item, size)
	}
	for _, f := range n.Fields {
		checkNode(t, f.Key, size)
		checkNode(t, f.Value, size)
	}
}
