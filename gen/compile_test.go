package gen_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// findingsFile is the file of a case that holds the expected diagnostics; all others are the project's.
const findingsFile = "findings"

// TestRightProjects compiles testdata/ok/*.txtar: nothing in them is an error; warnings stand in the file "findings".
func TestRightProjects(t *testing.T) { runCases(t, "testdata/ok/*.txtar", false) }

// TestListings compiles the listings of the documentation of each pattern, and of the description of the language, each
// with the agents that it names beside it.
func TestListings(t *testing.T) { runCases(t, "testdata/listings/*.txtar", false) }

// TestWrongProjects compiles testdata/err/*.txtar: projects with mistakes and near misses. The check and the position of each
// diagnostic are compared, and no file is generated. The cases of each package hold its sentences.
func TestWrongProjects(t *testing.T) { runCases(t, "testdata/err/*.txtar", true) }

func runCases(t *testing.T, pattern string, wantErrors bool) {
	casetest.Run(t, pattern, func(t *testing.T, c *casetest.Case) {
		result := compileFS(t, c.Project(findingsFile))
		c.Want(t, findingsFile, casetest.Codes(result.Diagnostics))
		if result.HasErrors() != wantErrors {
			t.Errorf("errors: %t, want %t", result.HasErrors(), wantErrors)
		}
		if (len(result.Files) > 0) == wantErrors {
			t.Errorf("%d files generated", len(result.Files))
		}
	})
}

func projectOf(archive *txtar.Archive) fstest.MapFS {
	return (&casetest.Case{Archive: archive}).Project(findingsFile)
}

func compileFS(t *testing.T, fsys fs.FS) *gen.Result {
	t.Helper()
	result, err := gen.Compile(context.Background(), gen.Options{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}

	return result
}

// compareFindings checks the text against the case, or writes it there with -update.
func compareFindings(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	want := ""
	project := archive.Files[:0:0]
	for _, f := range archive.Files {
		if f.Name == findingsFile {
			want = string(f.Data)
			continue
		}
		project = append(project, f)
	}
	switch {
	case got == want:
	case !*casetest.Update:
		t.Errorf("--- got\n%s--- want\n%s", got, want)
	default:
		if got != "" {
			project = append(project, txtar.File{Name: findingsFile, Data: []byte(got)})
		}
		archive.Files = project
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCancelled: a context that ended ends the compilation with its cause and without files.
func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	result, err := gen.Compile(ctx, gen.Options{FS: os.DirFS("../examples/smart-critic")})
	if !errors.Is(err, cause) || result != nil {
		t.Errorf("got %v and error %v, want the cause alone", result, err)
	}
}

// TestUnreadable: a file that cannot be read is an error, not a finding.
func TestUnreadable(t *testing.T) {
	fsys := forbidding{fstest.MapFS{"agents/a/AGENT.md": {}}, "agents/a/AGENT.md"}
	_, err := gen.Compile(context.Background(), gen.Options{FS: fsys})
	var place *fs.PathError
	if !errors.As(err, &place) || place.Path != "agents/a/AGENT.md" {
		t.Errorf("got %v, want an error that names the file", err)
	}
}

// forbidding is a file system in which one file may not be read.
type forbidding struct {
	fs.FS
	name string
}

func (f forbidding) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}

	return f.FS.Open(name)
}

// TestCheckOnly: the same findings, no files.
func TestCheckOnly(t *testing.T) {
	fsys := os.DirFS("../examples/support")
	result, err := gen.Compile(context.Background(), gen.Options{FS: fsys, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	whole := compileFS(t, fsys)
	if len(result.Files) > 0 || casetest.Text(t, result.Diagnostics) != casetest.Text(t, whole.Diagnostics) {
		t.Errorf("%d files and findings %q, want none and %q",
			len(result.Files), casetest.Text(t, result.Diagnostics), casetest.Text(t, whole.Diagnostics))
	}
}
