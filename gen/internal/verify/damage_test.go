package verify_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/verify"
)

// programs returns the golden programs of package emit, one with all patterns, and random ones:
// machines, flows and workflows; one is large enough to be cut into pieces, one has so many lists
// of keys that rowKey asks Next.
func programs(t *testing.T) map[string]*ir.Program {
	t.Helper()
	paths, err := filepath.Glob("../emit/testdata/golden/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden programs: %v", err)
	}
	all := map[string]*ir.Program{}
	for _, path := range append(paths, filepath.Join("testdata", "patterns.txtar")) {
		all[strings.TrimSuffix(filepath.Base(path), ".txtar")] = load(t, path)
	}

	for seed := range uint64(3) {
		p := &ir.Program{Package: "agents"}
		emittest.AddMachine(p, seed, emittest.Options{Name: "walker", States: 12, Agents: true})
		emittest.AddMachine(p, seed, emittest.Options{Name: "driven", States: 12})
		emittest.SortAgents(p)
		all[fmt.Sprintf("random-%d", seed)] = p
	}
	for seed := range uint64(6) {
		p := &ir.Program{Package: "agents"}
		emittest.AddMachine(p, seed, emittest.Options{Name: "walker", States: 3, Agents: true})
		emittest.AddFlow(p, seed, emittest.FlowOptions{Agents: p.Agents[:len(p.Agents):len(p.Agents)]})
		emittest.SortAgents(p)
		all[fmt.Sprintf("flow-%d", seed)] = p
	}
	for seed := range uint64(5) {
		all[fmt.Sprintf("random-workflow-%d", seed)] = randomWorkflows(t, seed)
	}
	pieces := &ir.Program{Package: "agents"}
	emittest.AddMachine(pieces, 1, emittest.Options{Name: "large", States: 520})
	all["pieces"] = pieces
	lists := &ir.Program{Package: "agents"}
	emittest.AddMachine(lists, 1, emittest.Options{Name: "various", States: 250, Keys: append(emittest.NewKeys(20), "Key A", "KEY B")})
	all["lists"] = lists

	return all
}

// randomWorkflows returns a random workflow, which runs a machine and imports another workflow.
func randomWorkflows(t *testing.T, seed uint64) *ir.Program {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range emittest.WorkflowProject(seed) {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}

	return loaded(t, fmt.Sprint("workflow ", seed), fsys)
}

func load(t *testing.T, path string) *ir.Program {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}

	return loaded(t, path, fsys)
}

func loaded(t *testing.T, path string, fsys fstest.MapFS) *ir.Program {
	t.Helper()
	var list diag.List
	p, err := loader.Load(fsys, &list)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Fatalf("%s: %s", path, d.Message)
		}
	}

	return p
}

// TestDamage edits the tables of every emitted program in every way that would make them others,
// one edit at a time: all of them are noticed, and the program without an edit is not.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("damages programs in thousands of ways; make test-slow does")
	}
	var all tally
	t.Run("programs", func(t *testing.T) {
		for name, p := range programs(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				all.add(damaged(t, p))
			})
		}
	})
	fmt.Printf("damage: %v\n", all.kinds)
	for _, what := range kinds {
		if all.kinds[what] == 0 {
			t.Errorf("no damage of kind %q was tried", what)
		}
	}
}

// tally counts damages. It is safe for concurrent use.
type tally struct {
	mutex sync.Mutex
	kinds map[string]int
}

func (c *tally) add(kinds map[string]int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.kinds == nil {
		c.kinds = map[string]int{}
	}
	for what, n := range kinds {
		c.kinds[what] += n
	}
}

// damaged damages the files of one program, and returns how many damages of which kind there were.
func damaged(t *testing.T, p *ir.Program) map[string]int {
	t.Helper()
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Files(p, files); err != nil {
		t.Errorf("without damage: %v", err)
	}

	final := ir.FinalKeysOf(p.Agents...)
	tried := map[string]int{}
	for _, a := range p.Agents {
		f, typed := fileOf(files, a), final.TypedKeys(a)
		for _, d := range damages(t, a, f) {
			tried[d.what]++
			var mismatch *verify.MismatchError
			err := verify.Agent(a, names.FixedNames(p), typed, map[string]*emit.File{f.Name: d.in(f)})
			if !errors.As(err, &mismatch) || mismatch.Machine != a.Name.Value {
				t.Errorf("%s: %s at %d (%q becomes %q) is not noticed: %v",
					f.Name, d.what, d.start, f.Content[d.start:d.end], d.with, err)
			}
		}
	}

	return tried
}

func fileOf(files []emit.File, a *ir.Agent) emit.File {
	for _, f := range files {
		if f.Name == names.File(a.Name.Value) {
			return f
		}
	}

	return emit.File{}
}

// TestUnparsable shows the text with line numbers.
func TestUnparsable(t *testing.T) {
	p := programs(t)["critic"]
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if files[i].Name != "article_gen.go" {
			continue
		}
		files[i].Content = append(bytes.Clone(files[i].Content), "func {\n"...)
		var broken *emit.BrokenError
		if err := verify.Files(p, files); !errors.As(err, &broken) || broken.Name != files[i].Name {
			t.Fatalf("%s: %v", files[i].Name, err)
		}
		last := fmt.Sprintf("%5d  func {", bytes.Count(files[i].Content, []byte("\n")))
		if !strings.Contains(broken.Error(), last) {
			t.Errorf("%s: no line %q in the message", files[i].Name, last)
		}
	}
}

// TestMissingFile misses the file of each agent in turn.
func TestMissingFile(t *testing.T) {
	p := programs(t)["places"]
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range p.Agents {
		others := slices.DeleteFunc(slices.Clone(files), func(f emit.File) bool { return f.Name == names.File(a.Name.Value) })
		var mismatch *verify.MismatchError
		if err := verify.Files(p, others); !errors.As(err, &mismatch) {
			t.Errorf("without the file of %s: %v", a.Name.Value, err)
		}
	}
}

// TestRandomWorkflows reads random workflows back.
func TestRandomWorkflows(t *testing.T) {
	for seed := range uint64(20) {
		p := randomWorkflows(t, seed)
		files, err := emit.Files(p, emit.Options{})
		if err != nil {
			t.Fatalf("%d: %v", seed, err)
		}
		if err := verify.Files(p, files); err != nil {
			t.Errorf("%d: %v", seed, err)
		}
	}
}
