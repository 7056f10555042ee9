package gen_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/graph"
)

// shuffled is a file system that lists its folders in another order each time.
type shuffled struct {
	fs.FS
	random *rand.Rand
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	s.random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })

	return entries, err
}

// TestSameInputSameBytes compiles each example twenty times, from different folders and with shuffled listings: files,
// pictures and findings are the same.
func TestSameInputSameBytes(t *testing.T) {
	examples, err := filepath.Glob("../examples/*/agents")
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, agents := range examples {
		example := filepath.Dir(agents)
		t.Run(filepath.Base(example), func(t *testing.T) { sameTwentyTimes(t, os.DirFS(example)) })
	}
}

// TestGuardedMachinesHaveTheSameBytes does it with machines that have guards, access rules and timers, and with gates.
func TestGuardedMachinesHaveTheSameBytes(t *testing.T) {
	cases := readCases(t, "testdata/live")
	for name, path := range map[string]string{
		"run-guards": "testdata/run/guards", "run-gate": "testdata/run/gate", "all-of-live": "internal/emit/testdata/golden/live",
		"all-of-guards": "internal/emit/testdata/golden/guards", "all-of-gates": "internal/emit/testdata/golden/gate",
	} {
		archive, err := txtar.ParseFile(path + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		cases[name] = archive
	}
	for name, archive := range cases {
		t.Run(name, func(t *testing.T) { sameTwentyTimes(t, projectOf(archive)) })
	}
}

// sameTwentyTimes compiles a project twenty times.
func sameTwentyTimes(t *testing.T, project fs.FS) {
	t.Helper()
	first := compileFS(t, project)
	if len(first.Files) == 0 {
		t.Fatalf("no files\n%s", casetest.Text(t, first.Diagnostics))
	}
	for i := range uint64(20) {
		folder := filepath.Join(t.TempDir(), "a folder", "of another name")
		if err := os.CopyFS(folder, project); err != nil {
			t.Fatal(err)
		}
		again := compileFS(t, shuffled{FS: os.DirFS(folder), random: rand.New(rand.NewPCG(i, 1))})
		sameResult(t, first, again)
	}
}

func sameResult(t *testing.T, want, got *gen.Result) {
	t.Helper()
	if casetest.Text(t, want.Diagnostics) != casetest.Text(t, got.Diagnostics) {
		t.Errorf("findings differ:\n%s\n%s", casetest.Text(t, want.Diagnostics), casetest.Text(t, got.Diagnostics))
	}
	if len(want.Files) != len(got.Files) {
		t.Fatalf("%d files, then %d", len(want.Files), len(got.Files))
	}
	before, after := graph.FindRoots(want.Program), graph.FindRoots(got.Program)
	if graph.DrawMermaid(nil, before...) != graph.DrawMermaid(nil, after...) || graph.DOT(nil, before...) != graph.DOT(nil, after...) {
		t.Errorf("pictures differ:\n%s\n%s", graph.DrawMermaid(nil, before...), graph.DrawMermaid(nil, after...))
	}
	for i, file := range want.Files {
		if file.Name != got.Files[i].Name || !bytes.Equal(file.Content, got.Files[i].Content) {
			t.Errorf("%s differs from %s", got.Files[i].Name, file.Name)
		}
	}
}
