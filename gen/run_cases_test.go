package gen_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
)

var updateRuns = flag.Bool("update-runs", false, "write what the runs tell into testdata/run and testdata/patterns")

// TestRuns compiles the projects of testdata/run, builds them together, runs each with its task and the script that its
// config names, and compares the events.
func TestRuns(t *testing.T) {
	cases := readCases(t, "testdata/run")
	packages := map[string]*gen.Result{}
	var plays []play
	for name, archive := range cases {
		pkg := strings.ReplaceAll(name, "-", "")
		packages[pkg] = compileCase(t, archive, "task", "signals", "events")
		one := play{name: name, pkg: pkg, task: strings.TrimSpace(string(fileOf(archive, "task").Data))}
		if i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "signals" }); i >= 0 {
			one.signals = string(archive.Files[i].Data)
		}
		plays = append(plays, one)
	}
	events := playAll(t, packages, plays)

	for name, archive := range cases {
		t.Run(name, func(t *testing.T) {
			got, ran := events[name]
			if !ran {
				t.Fatal("the case was not run")
			}
			compareCase(t, filepath.Join("testdata/run", name+".txtar"), archive, "events", got)
		})
	}
}

// compareCase compares a file of a case with what came out, or writes it there with -update-runs.
func compareCase(t *testing.T, path string, archive *txtar.Archive, file, got string) {
	t.Helper()
	want := fileOf(archive, file)
	if *updateRuns {
		want.Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(want.Data) != got {
		t.Errorf("%s is\n%s", file, got)
	}
}

func fileOf(a *txtar.Archive, name string) *txtar.File {
	for i := range a.Files {
		if a.Files[i].Name == name {
			return &a.Files[i]
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name})

	return &a.Files[len(a.Files)-1]
}

// compileCase compiles a case, all of whose files but the named ones are a project without findings.
func compileCase(t *testing.T, archive *txtar.Archive, others ...string) *gen.Result {
	t.Helper()
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		if !slices.Contains(others, f.Name) {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	result := compile(t, files)
	for _, d := range result.Diagnostics {
		t.Errorf("%s:%d: %s", d.Span.File.Path, d.Span.Pos().Line, d.Message)
	}

	return result
}
