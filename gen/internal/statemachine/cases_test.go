package statemachine_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

var update = flag.Bool("update", false, "write what the tests find as what they expect")

// TestRight reads testdata/ok/*.txtar: workflows, and in the file "program" what they are lowered to. Nothing is found
// in them; a file "findings" lists what is no error.
func TestRight(t *testing.T) { runCases(t, "testdata/ok/*.txtar", true) }

// TestWrong reads testdata/err/*.txtar: workflows with mistakes and near misses, and in the file "findings" what is
// said about them, byte for byte.
func TestWrong(t *testing.T) { runCases(t, "testdata/err/*.txtar", false) }

func runCases(t *testing.T, pattern string, right bool) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			agents, functions, list := read(t, projectOf(archive))
			got := map[string]string{"findings": render(t, list.Sorted())}
			if right {
				got["program"] = dump(agents, functions)
			}
			compare(t, file, archive, got)
			if right == list.HasErrors() {
				t.Errorf("errors: %t", list.HasErrors())
			}
			for _, a := range agents {
				holdsTogether(t, a, list)
			}
		})
	}
}

// expectations are the files of a case that are not the project's.
var expectations = []string{"findings", "program"}

func projectOf(archive *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, file := range archive.Files {
		if !slices.Contains(expectations, file.Name) {
			fsys[file.Name] = &fstest.MapFile{Data: file.Data}
		}
	}

	return fsys
}

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
	if err := errors.Join(set.Find(), set.Read()); err != nil {
		t.Fatal(err)
	}
	workflows := slices.Clone(p.Program.Agents)
	agents, err := fs.Glob(fsys, "agents/*/AGENT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range agents {
		name := path.Base(path.Dir(file))
		p.AddName(name, &ir.Agent{Name: ir.Text{Value: name}, Node: &ir.Oneshot{}})
	}
	if err := set.Lower(); err != nil {
		t.Fatal(err)
	}

	return workflows, p.Program.Funcs, list
}

func render(t *testing.T, findings []*diag.Diagnostic) string {
	t.Helper()
	var text strings.Builder
	if err := diag.Text(&text, findings, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}

	return text.String()
}

// compare checks what was got against the expectations of a case, or writes them with -update.
func compare(t *testing.T, file string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	want := map[string]string{}
	project := archive.Files[:0:0]
	for _, f := range archive.Files {
		if slices.Contains(expectations, f.Name) {
			want[f.Name] = string(f.Data)
		} else {
			project = append(project, f)
		}
	}
	for _, name := range expectations {
		if got[name] != want[name] && !*update {
			t.Errorf("%s:\n--- got\n%s--- want\n%s", name, got[name], want[name])
		}
	}
	if !*update {
		return
	}

	archive.Files = project
	for _, name := range expectations {
		if got[name] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
