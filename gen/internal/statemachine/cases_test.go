package statemachine_test

import (
	"io/fs"
	"path"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// TestRight reads testdata/ok/*.txtar: workflows, and in the file "program" what they are lowered to. Nothing is found
// in them; a file "findings" lists what is no error.
func TestRight(t *testing.T) { runCases(t, "testdata/ok/*.txtar", true) }

// TestWrong reads testdata/err/*.txtar: workflows with mistakes and near misses, and in the file "findings" what is
// said about them, byte for byte.
func TestWrong(t *testing.T) { runCases(t, "testdata/err/*.txtar", false) }

func runCases(t *testing.T, pattern string, right bool) {
	casetest.Run(t, pattern, func(t *testing.T, c *casetest.Case) {
		agents, functions, list := read(t, c.Project(expectations...))
		c.Want(t, "findings", casetest.Text(t, list.Sorted()))
		if right {
			c.Want(t, "program", dump(agents, functions))
		}
		if right == list.HasErrors() {
			t.Errorf("errors: %t", list.HasErrors())
		}
		for _, a := range agents {
			holdsTogether(t, a, list)
		}
	})
}

// expectations are the files of a case that are not the project's.
var expectations = []string{"findings", "program"}

// read reads the workflows of a project: those of its folder, else the file workflow.yaml on its own. An agent of the
// project is a oneshot.
func read(t testing.TB, fsys fs.FS) ([]*ir.Agent, []*ir.Func, *diag.List) {
	t.Helper()
	list := &diag.List{}
	alone := "workflow.yaml"
	if paths, err := fs.Glob(fsys, "workflows/*.yaml"); err != nil {
		t.Fatal(err)
	} else if len(paths) > 0 {
		alone = ""
	}
	p := frontend.New(fsys, list)
	set := statemachine.New(p, alone)
	set.Find()
	set.Read()
	workflows := slices.Clone(p.Program.Agents)
	agents, err := fs.Glob(fsys, "agents/*/AGENT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range agents {
		name := path.Base(path.Dir(file))
		p.AddName(name, &ir.Agent{Name: ir.Text{Value: name}, Node: &ir.Oneshot{}})
	}
	set.Lower()
	if p.Err != nil {
		t.Fatal(p.Err)
	}

	return workflows, p.Program.Funcs, list
}
