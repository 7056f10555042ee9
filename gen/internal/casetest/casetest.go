// Package casetest runs tests whose cases are in folders: txtar archives with inputs and
// expectations, and golden files. With the flag -update of a test binary, the results of the tests
// become the expectations; review the difference.
//
// Only tests import it.
package casetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
)

// Update is set if expectations are written instead of compared.
var Update = flag.Bool("update", false, "write what the tests get as what they expect")

// Case is an archive.
type Case struct {
	*txtar.Archive
	// Path is the file of the archive, Name the name of the file without folder and extension.
	Path, Name string
}

// Run runs a test for each archive that matches a pattern.
func Run(t *testing.T, pattern string, test func(t *testing.T, c *Case)) {
	t.Helper()
	for _, c := range Read(t, pattern) {
		t.Run(c.Name, func(t *testing.T) {
			before := txtar.Format(c.Archive)
			test(t, c)
			if after := txtar.Format(c.Archive); *Update && !slices.Equal(before, after) {
				if err := os.WriteFile(c.Path, after, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Read returns the archives that match a pattern. The test fails if there are none.
func Read(t testing.TB, pattern string) (cases []*Case) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", pattern, err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, &Case{archive, path, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))})
	}

	return cases
}

// Project returns the files of the archive, except expectations: files and folders with these
// names.
func (c *Case) Project(expectations ...string) fstest.MapFS {
	project := fstest.MapFS{}
	for _, f := range c.Files {
		folder, _, _ := strings.Cut(f.Name, "/")
		if !slices.Contains(expectations, f.Name) && !slices.Contains(expectations, folder) {
			project[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}

	return project
}

// File returns the content of a file of the archive, or nil.
func (c *Case) File(name string) []byte {
	for _, f := range c.Files {
		if f.Name == name {
			return f.Data
		}
	}

	return nil
}

// Want compares a text with a file of the archive. A missing file is an empty text.
func (c *Case) Want(t *testing.T, name, got string) {
	t.Helper()
	at := slices.IndexFunc(c.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case !*Update:
		if want := string(c.File(name)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	case at < 0 && got != "":
		c.Files = append(c.Files, txtar.File{Name: name, Data: []byte(got)})
	case at >= 0 && got == "":
		c.Files = slices.Delete(c.Files, at, at+1)
	case at >= 0:
		c.Files[at].Data = []byte(got)
	}
}

// Golden compares a text with a file.
func Golden(t *testing.T, path, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// Text returns diagnostics as a person reads them.
func Text(t testing.TB, findings []*diag.Diagnostic) string {
	t.Helper()
	var text strings.Builder
	if err := diag.Text(&text, findings, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}

	return text.String()
}

// Codes returns diagnostics without their sentences: the position, the severity and the check of
// each, a line each, as far as they are known.
func Codes(findings []*diag.Diagnostic) string {
	var text strings.Builder
	for _, d := range findings {
		if pos := d.Span.Pos(); pos.IsValid() {
			fmt.Fprintf(&text, "%s:%d:%d: ", d.Span.File.Path, pos.Line, pos.Column)
		}
		fmt.Fprintf(&text, "%s [%s]\n", d.Severity, d.Check.Name)
	}

	return text.String()
}
