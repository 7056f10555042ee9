package memo_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/memo"
)

// TestWorkflowsOfOneFolder: each workflow that is a project of its own is remembered by itself, and
// so is what it imports.
func TestWorkflowsOfOneFolder(t *testing.T) {
	m := memo.New(t.TempDir(), "this")
	folder := fstest.MapFS{
		"one.yaml":         {Data: []byte("imports: {c: parts/child.yaml}\nsteps: [{name: a, uses: imports.c}]\n")},
		"two.yaml":         {Data: []byte("steps: [{name: b}]\n")},
		"parts/child.yaml": {Data: []byte("steps: [{name: c}]\n")},
	}
	compile := func(file string) (names []string, remembered bool) {
		t.Helper()
		result, remembered, err := m.Compile(context.Background(), "/folder", gen.Options{FS: folder, Alone: file})
		if err != nil || len(result.Diagnostics) > 0 {
			t.Fatal(result, err)
		}
		for _, f := range result.Files {
			names = append(names, f.Name)
		}

		return names, remembered
	}
	for _, remembered := range []bool{false, true} {
		one, known := compile("one.yaml")
		if !strings.Contains(strings.Join(one, " "), "parts-child_gen.go") || known != remembered {
			t.Errorf("one: %q, remembered %t", one, known)
		}
		two, known := compile("two.yaml")
		if strings.Join(two, " ") == strings.Join(one, " ") || known != remembered {
			t.Errorf("two: %q, remembered %t", two, known)
		}
	}
	folder["parts/child.yaml"] = &fstest.MapFile{Data: []byte("steps: [{name: c}, {name: d}]\n")}
	if _, known := compile("one.yaml"); known {
		t.Error("what an import gave is remembered although it changed")
	}
}

// TestLinksAreSeen: a symbolic link in place of a file is noticed, and what is refused behind links
// is.
func TestLinksAreSeen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"flow.yaml":  "imports: {c: child.yaml}\nsteps: [{name: a, uses: imports.c}]\n",
		"child.yaml": "steps: [{name: c}]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := memo.New(t.TempDir(), "this")
	findings := func() int {
		t.Helper()
		result, _, err := m.Compile(context.Background(), dir, gen.Options{FS: os.DirFS(dir), Alone: "flow.yaml"})
		if err != nil {
			t.Fatal(err)
		}

		return len(result.Diagnostics)
	}
	if n := findings(); n != 0 {
		t.Fatalf("%d findings in a project without links", n)
	}
	if err := os.Rename(filepath.Join(dir, "child.yaml"), filepath.Join(dir, "other.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other.yaml", filepath.Join(dir, "child.yaml")); err != nil {
		t.Skip("the file system has no links")
	}
	if n := findings(); n != 1 {
		t.Errorf("%d findings where an import is a link", n)
	}
}
