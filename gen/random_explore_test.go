package gen_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

var (
	firstSeed = flag.Uint64("seed", 0, "the seed of the first random program")
	seedCount = flag.Int("programs", 0, "how many random programs are made; 0 for as many as the test makes by itself")
)

// randomSeeds are the seeds of n random programs, or of those that the flags say.
func randomSeeds(n int) []uint64 {
	if *seedCount > 0 {
		n = *seedCount
	}
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = *firstSeed + uint64(i)
	}

	return seeds
}

// randomBatch is a project with several random programs: what is written for all of them is one package of Go.
type randomBatch struct {
	name     string
	programs []*randomProgram
	// found are the diagnostics of each program, in its own project.
	found  map[*randomProgram][]*diag.Diagnostic
	result *gen.Result
	facts  *flow.Program
	// entries are the agents of each program with which runs begin.
	entries map[*randomProgram][]*ir.Agent
}

// newRandomBatch makes the programs of some seeds. Those with other mistakes than workChecks finds are left out.
func newRandomBatch(t *testing.T, name string, seeds []uint64) *randomBatch {
	t.Helper()
	b := &randomBatch{name: name, found: map[*randomProgram][]*diag.Diagnostic{}, entries: map[*randomProgram][]*ir.Agent{}}
	all := fstest.MapFS{}
	for _, seed := range seeds {
		p := newRandomProgram(seed, 3+int(seed%10))
		result, err := gen.Compile(t.Context(), gen.Options{FS: p.files, CheckOnly: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		isOther := func(d *diag.Diagnostic) bool {
			return d.Severity == diag.Error && !slices.Contains(workChecks, d.Check)
		}
		if slices.ContainsFunc(result.Diagnostics, isOther) {
			continue
		}
		b.programs = append(b.programs, p)
		b.found[p] = result.Diagnostics
		maps.Copy(all, p.files)
	}
	result, err := gen.Compile(t.Context(), gen.Options{FS: all, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if result.Files, err = emit.Files(result.Program, emit.Options{}); err != nil {
		t.Fatal(err)
	}
	b.result, b.facts = result, flow.Analyze(result.Program, flow.Guess{})
	for _, p := range b.programs {
		b.entries[p] = ir.Where(result.Program.EntryPoints(), func(a *ir.Agent) bool {
			isLeaf := slices.Contains(p.leaves, a.Name.Value)
			return strings.HasPrefix(a.Name.Value, p.prefix) && !isLeaf
		})
	}

	return b
}

// job is what testdata/explore.go.txt reads, which documents it.
type job struct {
	Package, Entry  string
	Contexts        []json.RawMessage
	Most            int
	Script, Context string
	Tries           []tried
}

// seen is what testdata/explore.go.txt prints for each job, which documents it.
type seen struct {
	Package, Entry       string
	Runs                 int
	AllWell, All         bool
	Ends, Well, Fails    map[string]int
	Times, TimesWell     map[string]int
	States, Moves        map[string]string
	Calls, Input, Output int
	Tools, Deeds, Leaks  map[string]string
	Did                  []string
}

// explore builds some programs and does the jobs, with the generated code.
func explore(t *testing.T, packages map[string]*gen.Result, jobs []job) []*seen {
	t.Helper()
	program, err := os.ReadFile("testdata/explore.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	var imports, programs strings.Builder
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		p := packages[name].Program
		fmt.Fprintf(&imports, "\t%s \"runs/%s\"\n", name, name)
		fmt.Fprintf(&programs, "\t\t%q: %s.%s(%s).Program(),\n", name, name, names.FixedNames(p).New, nilUsers(p))
	}
	text, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "jobs.json")
	writeFile(t, path, string(text))
	main := strings.NewReplacer("\t// IMPORTS\n", imports.String(), "\t\t// PROGRAMS\n", programs.String()).Replace(string(program))

	var all []*seen
	lines := bufio.NewScanner(bytes.NewReader(runModule(t, packages, map[string]string{"main.go": main}, path)))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		s := &seen{}
		if err := json.Unmarshal(lines.Bytes(), s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if len(all) != len(jobs) {
		t.Fatalf("%d jobs are done of %d: %v", len(all), len(jobs), lines.Err())
	}

	return all
}

// nilUsers are the arguments of New for a program of which nothing of the user's is called.
func nilUsers(p *ir.Program) string {
	var users []string
	for _, n := range []int{len(p.Tools), len(p.Guards), len(p.Funcs)} {
		if n > 0 {
			users = append(users, "nil")
		}
	}

	return strings.Join(users, ", ")
}

// mostContexts is how many initial contexts are tried.
const mostContexts = 64

// initialContexts returns what the runs of a workflow can begin with, as far as it makes a difference, and whether that is all of it. Text
// is untrusted.
func (w *randomWorkflow) initialContexts() (contexts []json.RawMessage, isAll bool) {
	fits := func(field string) bool { return !w.isDeclared || slices.Contains(w.declared, field) }
	fields := slices.Compact(slices.Sorted(slices.Values(ir.Where(slices.Concat(w.readable(), w.inherited), fits))))
	all := []object{{}}
	for _, field := range fields {
		values := map[string][]any{
			"kind": {"a", "b"}, "ok": {true, false}, "n": {0, 1, 2, 3}, "list": {[]string{}, []string{"a"}, []string{"b", "a"}}, "text": {"INJECTED"},
		}[field]
		if w.declared == nil {
			values = append(values, "other")
		}
		if !slices.Contains(w.required, field) {
			values = append([]any{nil}, values...)
		}
		var more []object
		for _, begun := range all {
			for _, value := range values {
				with := maps.Clone(begun)
				if value != nil {
					with[field] = value
				}
				more = append(more, with)
			}
		}
		all = more
	}
	isAll = len(all) <= mostContexts
	for i, context := range all {
		if !isAll && i%(len(all)/mostContexts) > 0 {
			continue
		}
		text, err := json.Marshal(context)
		if err != nil {
			panic(err)
		}
		contexts = append(contexts, text)
	}

	return contexts, isAll
}
