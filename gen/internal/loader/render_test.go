package loader_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// render is what a person reads of findings.
func render(t *testing.T, findings []*diag.Diagnostic) string {
	t.Helper()
	var text strings.Builder
	if err := diag.Text(&text, findings, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}

	return text.String()
}

// loadFS loads a project and returns what was found.
func loadFS(t *testing.T, project fs.FS) (*ir.Program, []*diag.Diagnostic) {
	t.Helper()
	list := &diag.List{}
	p, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}

	return p, list.Sorted()
}
