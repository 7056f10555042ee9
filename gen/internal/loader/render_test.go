package loader_test

import (
	"io/fs"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

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
