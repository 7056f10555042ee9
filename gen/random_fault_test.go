package gen_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/preflight"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// mostSteps bounds the workflows of random programs.
const mostSteps = 24

// FuzzPrograms: whatever steps, machines and agents a program nests, no command that reads a project has a fault of its own. The input is
// the seed of the program and about how many steps it has.
func FuzzPrograms(f *testing.F) {
	f.Add(uint64(1), uint8(4))
	f.Add(uint64(848), uint8(mostSteps))
	f.Fuzz(func(t *testing.T, seed uint64, size uint8) {
		withoutFault(t, newCarelessProgram(seed, int(size)%mostSteps).files)
	})
}

// TestRandomProgramsWithoutFault is FuzzPrograms for the first seeds. Both programs that have no error and programs that have some are
// among them.
func TestRandomProgramsWithoutFault(t *testing.T) {
	programs, least := 3000, 300
	if testing.Short() {
		programs, least = 60, 3
	}
	right := 0
	for _, seed := range randomSeeds(programs) {
		size := int(seed % mostSteps)
		if withoutFault(t, newCarelessProgram(seed, size).files) {
			right++
		}
		if t.Failed() {
			t.Fatalf("seed %d, size %d", seed, size)
		}
	}
	t.Logf("%d of %d programs have no error", right, programs)
	if *seedCount == 0 && (right < least || right > programs-least) {
		t.Errorf("%d of %d programs have no error: the test says little of the others", right, programs)
	}
}

// withoutFault compiles a program and makes every report on it, and reports whether it has no error. A panic fails the test.
func withoutFault(t *testing.T, files fstest.MapFS) (isRight bool) {
	t.Helper()
	defer func() {
		if fault := recover(); fault != nil {
			for name, file := range files {
				t.Logf("-- %s --\n%s", name, file.Data)
			}
			panic(fault)
		}
	}()
	result, err := gen.Compile(t.Context(), gen.Options{FS: files, Graph: graph.DrawPicture})
	if err != nil {
		for name, file := range files {
			t.Logf("-- %s --\n%s", name, file.Data)
		}
		t.Error(err)
		return false
	}
	soundFindings(t, result)
	roots := graph.FindRoots(result.Program)
	graph.DrawMermaid(nil, roots...)
	graph.DOT(nil, roots...)
	if result.HasErrors() {
		return false
	}

	p := result.Program
	facts, entries := flow.Analyze(p, flow.Guess{}), p.EntryPoints()
	simulate.FindRuns(p, simulate.Options{Roots: roots, MaxSteps: 12})
	cost.FormatText(cost.BoundEntries(p, cost.Options{}))
	can.FormatText(can.FindEntries(p, facts, entries))
	for _, path := range can.FindFlows(facts, entries, can.Flow{From: []string{can.Untrusted}, To: []string{can.Any}}) {
		path.FormatLines()
		_, _ = path.Script() // whether there is one is another matter
	}
	preflight.Text(preflight.Of(p, entries, preflight.Machine{
		Writable: func(string) error { return nil },
		Readable: func(string) error { return nil },
		Command:  func([]string) error { return errors.New("it is not there") },
	}))

	return true
}
