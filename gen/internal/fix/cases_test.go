package fix_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/fix"
)

// TestCases applies the fixes of each project in testdata, as it is and as other editors save it.
// What a file becomes stands in want, with what was fixed in fixes; all other files stay. Nothing
// is left to fix.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	savedAs := map[string]func([]byte) []byte{
		"as it is":        bytes.Clone,
		"byte order mark": func(b []byte) []byte { return append([]byte("\ufeff"), b...) },
		"other line ends": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
	}
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for how, save := range savedAs {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+how, func(t *testing.T) {
				project, want, fixes := parts(archive, save)
				fixed(t, project, want, fixes)
			})
		}
	}
}

// parts returns the project of a case, the files that change, and what is fixed.
func parts(archive *txtar.Archive, save func([]byte) []byte) (project fstest.MapFS, want map[string]string, fixes string) {
	project, want = fstest.MapFS{}, map[string]string{}
	for _, f := range archive.Files {
		if f.Name == "fixes" {
			fixes = string(f.Data)
		} else if changed, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[changed] = string(save(f.Data))
		} else {
			project[f.Name] = &fstest.MapFile{Data: save(f.Data), Mode: 0o644}
		}
	}

	return project, want, fixes
}

func fixed(t *testing.T, project fstest.MapFS, want map[string]string, fixes string) {
	t.Helper()
	r, err := fix.Project(context.Background(), gen.Options{FS: project})
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, m := range r.Applied {
		at := m.Finding.Span.Pos()
		file, name := m.Finding.Span.File.Path, m.Finding.Check.Name
		fmt.Fprintf(&said, "%s:%d:%d: %s [%s]\n", file, at.Line, at.Column, m.Fix.Message, name)
	}
	if said.String() != fixes {
		t.Errorf("fixed:\n%s", said.String())
	}
	for _, f := range r.Files {
		if string(f.New) != want[f.Path] {
			t.Errorf("%s has become\n%s", f.Path, f.New)
		}
		delete(want, f.Path)
	}
	for name := range maps.Keys(want) {
		t.Errorf("%s has not changed", name)
	}
	if slices.ContainsFunc(r.Left.Diagnostics, func(d *diag.Diagnostic) bool { return len(d.Fixes) > 0 }) {
		t.Error("something is left to fix")
	}
}
