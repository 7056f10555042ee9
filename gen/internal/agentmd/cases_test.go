package agentmd_test

import (
	"io/fs"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// TestRightProjects loads testdata/ok/*.txtar: a project, and in the file "program" what it is lowered to. Nothing is
// found in them; a file "findings" lists what is no error.
func TestRightProjects(t *testing.T) { runCases(t, "testdata/ok/*.txtar", "program") }

// TestWrongProjects loads testdata/err/*.txtar: a project with mistakes and near misses, and in the file "findings" what
// is said about it, byte for byte.
func TestWrongProjects(t *testing.T) { runCases(t, "testdata/err/*.txtar", "") }

// runCases compares findings, and the program in the file called dump, for each case.
func runCases(t *testing.T, pattern, dump string) {
	casetest.Run(t, pattern, func(t *testing.T, c *casetest.Case) {
		program, findings := load(t, c.Project(expectations...))
		c.Want(t, "findings", casetest.Text(t, findings))
		if dump == "" {
			return
		}
		c.Want(t, dump, dumpProgram(program))
		for _, d := range findings {
			if d.Severity == diag.Error {
				t.Errorf("an error in a right project: %s", d.Message)
			}
		}
	})
}

// expectations are the files of a case that are not the project's.
var expectations = []string{"findings", "program"}

func load(t *testing.T, fsys fs.FS) (*ir.Program, []*diag.Diagnostic) {
	t.Helper()
	list := &diag.List{}
	program, err := loader.Load(fsys, list)
	if err != nil {
		t.Fatal(err)
	}

	return program, list.Sorted()
}
