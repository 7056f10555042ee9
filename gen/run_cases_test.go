package gen_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

var updateRuns = flag.Bool("update-runs", false, "write the events of the runs into testdata/run")

// TestRuns compiles the projects of testdata/run, builds them together, runs each with its task and the script that its
// config names, and compares the events.
func TestRuns(t *testing.T) {
	cases := readRuns(t)
	events := playRuns(t, cases)

	for name, archive := range cases {
		t.Run(name, func(t *testing.T) {
			got, ran := events[name]
			if !ran {
				t.Fatal("the case was not run")
			}
			want := fileOf(archive, "events")
			if *updateRuns {
				want.Data = []byte(got)
				if err := os.WriteFile(filepath.Join("testdata/run", name+".txtar"), txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if string(want.Data) != got {
				t.Errorf("the events are\n%s", got)
			}
		})
	}
}

func readRuns(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	paths, err := filepath.Glob("testdata/run/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	cases := map[string]*txtar.Archive{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases[strings.TrimSuffix(filepath.Base(path), ".txtar")] = archive
	}

	return cases
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

// playRuns returns the events of each case.
func playRuns(t *testing.T, cases map[string]*txtar.Archive) map[string]string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module runs\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n"+
		"replace github.com/agentc-dev/agentc => "+root+"\n")
	var imports, calls strings.Builder
	for name, archive := range cases {
		pkg := strings.ReplaceAll(name, "-", "")
		compileInto(t, archive, filepath.Join(dir, pkg))
		fmt.Fprintf(&imports, "\t%s %q\n", pkg, "runs/"+pkg)
		fmt.Fprintf(&calls, "\tplay(%q, %s.New().Program(), %q)\n", name, pkg, strings.TrimSpace(string(fileOf(archive, "task").Data)))
	}
	writeFile(t, filepath.Join(dir, "main.go"), fmt.Sprintf(playerSource, imports.String(), calls.String()))

	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}

	events := map[string]string{}
	for _, f := range txtar.Parse(out).Files {
		events[f.Name] = string(f.Data)
	}

	return events
}

func compileInto(t *testing.T, archive *txtar.Archive, dir string) {
	t.Helper()
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		if f.Name != "task" && f.Name != "events" {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	result := compile(t, files)
	for _, d := range result.Diagnostics {
		t.Errorf("%s:%d: %s", d.Span.File.Path, d.Span.Pos().Line, d.Message)
	}
	for _, f := range result.Files {
		writeFile(t, filepath.Join(dir, f.Name), string(f.Content))
	}
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// playerSource is a program that runs the entry points of all cases and prints their events as a txtar archive. Its clock
// does not move but when a run waits, and runs have no names of their own, so that the events are the same each time.
const playerSource = `package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/local"

%s)

type printer struct{}

func (printer) Observe(e runtime.Event) {
	line, err := e.MarshalJSON()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(line))
}

func play(name string, p *runtime.Program, task string) {
	p.Shape, p.Text = "", ""
	fmt.Printf("-- %%s --\n", name)
	engine := local.New(local.Config{
		Observer: printer{},
		Clock:    local.NewSkipClock(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)),
		RunID:    func() string { return "run" },
	})
	if _, err := engine.Run(context.Background(), p, p.Entry, task); err != nil {
		fmt.Println("error:", err)
	}
}

func main() {
%s}
`
