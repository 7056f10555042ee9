package validate

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/source"
	"github.com/agentc-dev/agentc/gen/yamldoc"
)

// TestQuickAgrees: the schema with its references written out accepts what the schema accepts, and nothing else.
func TestQuickAgrees(t *testing.T) {
	paths, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	refused := 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			doc, findings := yamldoc.ParseFrontmatter(source.NewFile(file.Name, file.Data))
			if doc.Head == nil || len(findings) > 0 {
				continue
			}
			for kind, format := range formats {
				slow, quick := format().compiled.Validate(doc.Head.JSON()), format().quick.Validate(doc.Head.JSON())
				if (slow == nil) != (quick == nil) {
					t.Errorf("%s, %s as kind %d: %v, but quickly %v", path, file.Name, kind, slow, quick)
				}
				if slow != nil {
					refused++
				}
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
