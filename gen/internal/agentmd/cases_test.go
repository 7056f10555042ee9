package agentmd_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

var update = flag.Bool("update", false, "write what the tests find as what they expect")

// TestRightProjects loads testdata/ok/*.txtar: a project, and in the file "program" what it is lowered to. Nothing is
// found in them; a file "findings" lists what is no error.
func TestRightProjects(t *testing.T) { runCases(t, "testdata/ok/*.txtar", "program") }

// TestWrongProjects loads testdata/err/*.txtar: a project with mistakes and near misses, and in the file "findings" what
// is said about it, byte for byte.
func TestWrongProjects(t *testing.T) { runCases(t, "testdata/err/*.txtar", "") }

// runCases compares findings, and the program in the file called dump, for each case.
func runCases(t *testing.T, pattern, dump string) {
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
			program, findings := load(t, projectOf(archive))
			got := map[string]string{"findings": render(t, findings)}
			if dump != "" {
				got[dump] = dumpProgram(program)
			}
			compare(t, file, archive, got)
			for _, d := range findings {
				if dump != "" && d.Severity == diag.Error {
					t.Errorf("an error in a right project: %s", d.Message)
				}
			}
		})
	}
}

// expectations are the files of a case that are not the project's.
var expectations = []string{"findings", "program"}

func projectOf(archive *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, file := range archive.Files {
		if file.Name != expectations[0] && file.Name != expectations[1] {
			fsys[file.Name] = &fstest.MapFile{Data: file.Data}
		}
	}

	return fsys
}

func load(t *testing.T, fsys fstest.MapFS) (*ir.Program, []*diag.Diagnostic) {
	t.Helper()
	list := &diag.List{}
	program, err := loader.Load(fsys, list)
	if err != nil {
		t.Fatal(err)
	}

	return program, list.Sorted()
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
		if _, ok := got[f.Name]; ok {
			want[f.Name] = string(f.Data)
			continue
		}
		project = append(project, f)
	}
	for _, name := range expectations {
		if got[name] == want[name] {
			continue
		}
		if !*update {
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
