package diff_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/diff"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// Each archive in testdata has two versions of a project, in the folders old and new, and what is said of them.
func TestVersions(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		project := c.Project("want", "markdown")
		r := diff.Of(load(t, project, "old"), load(t, project, "new"), cost.Options{Model: "ollama:small", MaxTokens: 100})
		r.Old, r.New = "old", "new"
		var text, markdown strings.Builder
		if err := r.Text(&text); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(text.String(), "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%d columns: %s", len([]rune(line)), line)
			}
		}
		c.Want(t, "want", text.String())
		if err := r.Markdown(&markdown); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "markdown", markdown.String())
	})
}

// load compiles a version, in which nothing may be wrong.
func load(t *testing.T, project fstest.MapFS, folder string) *ir.Program {
	t.Helper()
	files, err := fs.Sub(project, folder)
	if err != nil {
		t.Fatal(err)
	}
	list := &diag.List{}
	p, err := loader.Load(files, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Errorf("%s/%s: %s", folder, d.Span.File.Path, d.Message)
		}
	}

	return p
}
