package yamldoc_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestFixesMend applies each fix of each wrong case: what was found is gone.
func TestFixesMend(t *testing.T) {
	paths, _ := filepath.Glob("testdata/err/*.txtar")
	fixes := 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range archive.Files {
			if !strings.HasSuffix(in.Name, ".yaml") {
				continue
			}
			content := invisible.Replace(string(in.Data))
			_, found := yamldoc.Parse(source.NewFile(in.Name, []byte(content)))
			for _, d := range found {
				for _, fix := range d.Fixes {
					fixes++
					mended := content
					for _, e := range slices.Backward(fix.Edits) {
						mended = mended[:e.Span.Start] + e.New + mended[e.Span.End:]
					}
					if root, left := yamldoc.Parse(source.NewFile(in.Name, []byte(mended))); root == nil {
						t.Errorf("%s/%s: after %q\n%s\n%s", path, in.Name, fix.Message, mended, lines(left))
					}
				}
			}
		}
	}
	if fixes < 10 {
		t.Errorf("%d fixes are too few", fixes)
	}
}
