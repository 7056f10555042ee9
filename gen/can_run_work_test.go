package gen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workChecks are the checks that say whether a run of a workflow can end.
var workChecks = []*diag.Check{
	diag.NoExit, diag.BeyondBounds, diag.NoElse, diag.UnroutedKey, diag.UnreachableState, diag.ConstantGuard,
	diag.ContextMismatch,
}

// TestGreenWorkflowsCanRun holds what is found in random workflows against all runs of them: one about
// which nothing is said has a run that ends within its bounds, and one of which all runs end, or meet
// a bound, has no error, unless no run ends that enters some state.
func TestGreenWorkflowsCanRun(t *testing.T) {
	programs := 10_000
	if testing.Short() {
		programs = 400
	}
	seeds := randomSeeds(programs)
	programs = len(seeds)
	counts := map[string]int{}
	for some := range slices.Chunk(seeds, workBatch) {
		batch, result := compileWork(t, some)
		found := foundInWork(result)
		facts := flow.Analyze(result.Program, flow.Guess{})
		for i, p := range batch {
			name := fmt.Sprint("w", i)
			truth := tryWork(p, 1000)
			judgeWork(t, counts, p, truth, found[name])
			holdFacts(t, counts, facts, result.Program, name, truth)
			if t.Failed() {
				files := fstest.MapFS{}
				p.addTo(files, name)
				t.Fatalf("seed %d\n%s\n%s", some[i], files["workflows/"+name+".yaml"].Data, strings.Join(found[name], "\n"))
			}
		}
	}
	t.Logf("%d workflows: %v; none about which nothing is said cannot end, none that is right has an error", programs, counts)
	for _, what := range []string{"nothing is said", "right", "ends", "never ends", "shortest path is known", "rows that are never taken"} {
		if counts[what] < programs/50 {
			t.Errorf("%s: %d is so few that the test says little", what, counts[what])
		}
	}
}

// TestWorkflowsDoWhatIsInterpreted compiles random workflows, those with errors included, and makes
// their runs with the generated code: each does what the interpreter of the tests says.
func TestWorkflowsDoWhatIsInterpreted(t *testing.T) {
	programs, most := 1000, 200
	if testing.Short() {
		programs, most = 30, 40
	}
	seeds := randomSeeds(programs)
	packages := map[string]*gen.Result{}
	var jobs []job
	for some := range slices.Chunk(seeds, workBatch) {
		batch, result := compileWork(t, some)
		files, err := emit.Files(result.Program, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pkg := fmt.Sprint("b", some[0])
		result.Files, packages[pkg] = files, result
		for i, p := range batch {
			jobs = append(jobs, job{Package: pkg, Entry: fmt.Sprint("w", i), Tries: tryWork(p, most).runs})
		}
	}
	all := 0
	for i, s := range explore(t, packages, jobs) {
		for nth, run := range jobs[i].Tries {
			if all++; s.Did[nth] != run.does {
				t.Errorf("seed %d: with %s and %s it does %q, and as it is interpreted %q", seeds[i], run.Context, run.Answers, s.Did[nth], run.does)
				break
			}
		}
	}
	t.Logf("%d runs of %d workflows", all, len(seeds))
}

// workBatch are the workflows of one project.
const workBatch = 50

// compileWork makes the workflows of some seeds and finds what is wrong with them.
func compileWork(t *testing.T, seeds []uint64) ([]*workProgram, *gen.Result) {
	t.Helper()
	files := fstest.MapFS{}
	var batch []*workProgram
	for i, seed := range seeds {
		p := newWorkProgram(seed)
		p.addTo(files, fmt.Sprint("w", i))
		batch = append(batch, p)
	}
	result, err := gen.Compile(t.Context(), gen.Options{FS: files, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}

	return batch, result
}

// foundInWork returns what is found in each workflow.
func foundInWork(result *gen.Result) map[string][]string {
	found := map[string][]string{}
	for _, d := range result.Diagnostics {
		name := strings.TrimSuffix(strings.TrimPrefix(d.Span.File.Path, "workflows/"), ".yaml")
		found[name] = append(found[name], fmt.Sprintf("%s %s: %s", d.Severity, d.Check.Name, d.Message))
	}

	return found
}

// judgeWork compares what is found in a workflow with what its runs do.
func judgeWork(t *testing.T, counts map[string]int, p *workProgram, truth *workTruth, found []string) {
	t.Helper()
	said := func(severity diag.Severity) bool {
		return slices.ContainsFunc(found, func(text string) bool {
			return slices.ContainsFunc(workChecks, func(c *diag.Check) bool {
				return strings.HasPrefix(text, fmt.Sprintf("%s %s:", severity, c.Name))
			})
		})
	}
	wrong, green := said(diag.Error), !said(diag.Error) && !said(diag.Warning)
	switch {
	case len(truth.ends) == 0 && !truth.all:
		counts["not all runs are made"]++
	case len(truth.ends) == 0 && green:
		t.Errorf("nothing is said, and no run ends")
	case wrong && truth.right(p):
		if longer := tryWork(newWorkProgram(p.seed).unbound(), 20_000); !longer.fails && !longer.hasDeadEnd() {
			t.Errorf("an error in what runs and ends")
		}
	}
	for what, is := range map[string]bool{
		"nothing is said": green, "right": truth.right(p), "ends": len(truth.ends) > 0, "never ends": len(truth.ends) == 0 && truth.all,
	} {
		if is {
			counts[what]++
		}
	}
}

// holdRows compares what is said of the rows of a state with those that runs take.
func holdRows(t *testing.T, counts map[string]int, s *flow.State, truth *workTruth) {
	t.Helper()
	alive := map[string]bool{}
	for _, move := range s.Moves {
		if row := move.Row; row != nil {
			when := ""
			if row.When != nil {
				when = row.When.Text.Value
			}
			name := rowIn(s.Name.Value, row.From.Value, row.Key.Value, row.To.Value, when)
			alive[name] = alive[name] || move.Dead == flow.Alive
		}
		if move.Dead == flow.NoWay {
			counts["rows that are never taken"]++
		}
	}
	for row, is := range alive {
		if truth.rows[row] && !is {
			t.Errorf("a run takes the row %s", row)
		}
	}
}

// holdFacts compares the facts of the analysis with what runs do: they reach no other states, take no
// other rows, and end with no fewer calls.
func holdFacts(t *testing.T, counts map[string]int, facts *flow.Program, program *ir.Program, name string, truth *workTruth) {
	t.Helper()
	i := slices.IndexFunc(program.Agents, func(a *ir.Agent) bool { return a.Name.Value == name })
	agent := program.Agents[i]
	ir.WalkTasks(agent.Node.(*ir.Flow).Body, func(task *ir.Task) {
		m, isMachine := task.Do.(*ir.Machine)
		if !isMachine {
			return
		}
		for _, s := range facts.Machine(m).States {
			if truth.states[s.Name.Value] && !s.Reached {
				t.Errorf("a run reaches state %s", s.Name.Value)
			}
			holdRows(t, counts, s, truth)
		}
	})
	if len(truth.ends) == 0 {
		return
	}
	least := -1
	for _, calls := range truth.ends {
		if least < 0 || calls < least {
			least = calls
		}
	}
	switch calls := facts.Calls(agent); {
	case calls > least:
		t.Errorf("a run ends with %d calls, and the fewest are said to be %d", least, calls)
	case calls == least && truth.all:
		counts["shortest path is known"]++
	}
}
