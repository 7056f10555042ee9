package cost_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestNoRunSpendsMore compiles random flows and machines that run each other, and runs each of them many times with models that try to
// spend the most: they fail as often as they may and are paid for it, write as much as they may, call as many tools as they may, and
// take different ways. No run uses more than its bound, and for at least 95 % of the programs the dearest run uses nearly as much.
//
// Two kinds of programs have no dearest run to compare with, one to four in a hundred: those whose runs the test stops, because they
// make thousands of calls or give a model a text of 64 MB, and those whose texts grow so fast that the bound is [cost.Unbounded].
func TestNoRunSpendsMore(t *testing.T) {
	batches, size := 1, 100
	const runs = 60
	switch {
	case testing.Short():
		batches, size = 1, 20
	case os.Getenv("AGENTC_SOAK") != "":
		batches, size = 15, 500 // with the agents of their states more than 10,000 programs
	}
	programs, compared, near := batchesOf(t, batches, func(t *testing.T, batch uint64) (all, finished, close int) {
		return spent(t, randomProgram(batch, size), agentLimits, runs)
	})
	fmt.Printf("soak: %d programs, %d runs each; of %d that were not stopped, the bound of %d is at most 1.10 times the dearest run\n", programs, runs,
		compared, near)
	if near*100 < compared*95 {
		t.Errorf("only %d of %d bounds are near the dearest run", near, compared)
	}
}

// TestNoWorkflowSpendsMore does the same with random workflows, whose caller chooses the initial context, too. Their dearest run needs
// many failures and verdicts in the right order, which the search finds for fewer of them. The bounds of loops that remember are up to
// half as large again: every reply counts as long as its model may write it.
func TestNoWorkflowSpendsMore(t *testing.T) {
	batches, size, runs := 1, 20, 60
	switch {
	case testing.Short():
		batches, size, runs = 1, 5, 6
	case os.Getenv("AGENTC_SOAK") != "":
		batches, size = 10, 200
	}
	programs, compared, near := batchesOf(t, batches, func(t *testing.T, batch uint64) (all, finished, close int) {
		return spent(t, workflowProgram(t, batch, size), workLimits, runs)
	})
	fmt.Printf("soak: %d workflows, %d runs each; of %d that were not stopped, the bound of %d is at most 1.10 times the dearest run\n", programs, runs,
		compared, near)
	if near*100 < compared*70 && !testing.Short() { // with few runs the search finds less
		t.Errorf("only %d of %d bounds are near the dearest run", near, compared)
	}
}

// TestBlankRepliesArePaidOnce runs random flows and machines with servers whose replies are blank, streamed and in one piece, and are paid:
// no run sends more requests than its bound has calls, each as often as it is tried, and none is paid for more, whatever the runtime asks
// a server for within one attempt.
func TestBlankRepliesArePaidOnce(t *testing.T) {
	size := 60
	if testing.Short() {
		size = 24
	}
	for _, attempts := range []int{1, 2} {
		p := randomProgram(7, size)
		p.Models[0].Fallback = nil
		bounds := map[string]cost.Spend{}
		for _, e := range cost.BoundEntries(p, cost.Options{Input: cost.Amount(agentLimits.input), Attempts: attempts}) {
			bounds[e.Name] = e.Most
		}
		args := []string{
			fmt.Sprint("-tokens=", agentLimits.tokens), fmt.Sprint("-input=", agentLimits.input), fmt.Sprint("-attempts=", attempts),
		}
		reached := 0
		for _, line := range strings.Split(strings.TrimSpace(measured(t, p, "blanks", args...)), "\n") {
			var name string
			var asked, paid int
			if _, err := fmt.Sscan(line, &name, &asked, &paid); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			most := bounds[name]
			if cost.Amount(asked) > most.Calls*cost.Amount(attempts) || cost.Amount(paid*agentLimits.tokens) > most.Output {
				t.Errorf("with %d attempts a run of %s sends %d requests, of which %d are paid, and its bound is %+v", attempts, name, asked, paid, most)
			}
			if cost.Amount(asked) == most.Calls*cost.Amount(attempts) {
				reached++
			}
		}
		if reached < size/10 {
			t.Errorf("with %d attempts only %d runs send as many requests as they may", attempts, reached)
		}
	}
}

// batchesOf adds up what batches return, which run side by side.
func batchesOf(t *testing.T, n int, run func(t *testing.T, batch uint64) (all, finished, close int)) (programs, compared, near int) {
	t.Helper()
	var mutex sync.Mutex
	t.Run("batches", func(t *testing.T) {
		for batch := range n {
			t.Run(fmt.Sprint(batch), func(t *testing.T) {
				t.Parallel()
				all, finished, close := run(t, uint64(batch))
				mutex.Lock()
				defer mutex.Unlock()
				programs, compared, near = programs+all, compared+finished, near+close
			})
		}
	})

	return programs, compared, near
}

// spent runs a program and compares what its agents use with their bounds. It returns how many there are, how many of them were not
// stopped, and of how many of those the bound is at most 1.10 times the dearest run.
func spent(t *testing.T, p *ir.Program, l limits, runs int) (programs, compared, near int) {
	t.Helper()
	bounds := map[string]cost.Spend{}
	for _, e := range cost.BoundEntries(p, cost.Options{Input: cost.Amount(l.input), Attempts: 2}) {
		bounds[e.Name] = e.Most
	}
	args := []string{fmt.Sprint("-runs=", runs), fmt.Sprint("-iter=", l.iter), fmt.Sprint("-tokens=", l.tokens), fmt.Sprint("-input=", l.input)}
	for _, line := range strings.Split(strings.TrimSpace(measured(t, p, "spender", args...)), "\n") {
		var name string
		var s cost.Spend
		var stopped bool
		if _, err := fmt.Sscan(line, &name, &s.Calls, &s.Input, &s.Output, &s.Micro, &stopped); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		most := bounds[name]
		if s.Calls > most.Calls || s.Input > most.Input || s.Output > most.Output || s.Micro > most.Micro {
			t.Errorf("a run of %s used %+v, and its bound is %+v", name, s, most)
		}
		programs++
		if stopped || most.Micro == cost.Unbounded {
			continue
		}
		compared++
		if float64(most.Micro) <= 1.10*float64(s.Micro) {
			near++
		} else if testing.Verbose() {
			t.Logf("%s: bound %+v, worst run %+v: %.2f", name, most, s, float64(most.Micro)/float64(s.Micro))
		}
	}

	return programs, compared, near
}

// The limits of random programs: small, so that runs reach them. The models of spender.go.txt know them.
const (
	repair   = 1
	maxSteps = 4
	maxItems = 2
)

// limits are those in which programs differ: turns of react loops, tokens of replies, and bytes of a task.
type limits struct{ iter, tokens, input int }

// Of workflows the runs are longer, so that react loops are shorter.
var (
	agentLimits = limits{3, 2500, 2400}
	workLimits  = limits{2, 1200, 1150}
)

// set makes the limits those of a program.
func (l limits) set(p *ir.Program) {
	for _, m := range p.Models {
		m.MaxTokens = &l.tokens
	}
	for _, a := range p.Agents {
		for _, step := range a.Conversations() {
			if react, isReact := step.Node.(*ir.React); isReact {
				react.MaxIter = l.iter
			}
		}
	}
}

// randomProgram returns a program whose agents all are entry points.
func randomProgram(seed uint64, size int) *ir.Program {
	p := &ir.Program{Package: "random"}
	withModels(p)
	for i := range size {
		name := fmt.Sprintf("agent-%d", i)
		others := p.Agents[max(0, len(p.Agents)-12):]
		switch {
		case i%3 == 2:
			emittest.AddMachine(p, seed<<32+uint64(i), emittest.Options{
				Name: name, States: 2 + i%4, Rows: 2, Agents: true, Keys: []string{"done", "over", "list"},
				StateName: func(state int) string {
					if state%2 == 0 && len(others) > state {
						return others[(i*7+state/2)%len(others)].Name.Value
					}
					return fmt.Sprintf("%s-%d", name, state)
				},
			})
		default:
			o := emittest.FlowOptions{Name: name, Size: 1 + i%3}
			if i > 2 && i%5 != 0 {
				o.Agents = []*ir.Agent{others[i%len(others)]}
			}
			emittest.AddFlow(p, seed<<32+uint64(i), o)
		}
	}
	emittest.SortAgents(p)
	for _, a := range p.Agents {
		a.Scripted = true
		limit(a)
	}
	agentLimits.set(p)

	return p
}

// withModels gives a program the models of spender.go.txt, of which the second replaces the first.
func withModels(p *ir.Program) {
	p.HasModels = true
	p.Models = []*ir.Model{{
		Role: textSizes("default"), Name: textSizes("test:first"), Fallback: []ir.Text{textSizes("test:second")},
	}}
	p.Prices = &ir.Prices{Models: []*ir.ModelPrice{{Name: textSizes("test:*"), Input: 3_000_000, Output: 15_000_000, Cached: 3_000_000, Stored: 3_000_000}}}
}

func textSizes(s string) ir.Text { return ir.Text{Value: s} }

// limit makes the limits of an agent those of the test.
func limit(a *ir.Agent) {
	switch node := a.Node.(type) {
	case *ir.Machine:
		node.MaxSteps = maxSteps
	case *ir.React:
		node.Repair = repair
	case *ir.Oneshot:
		node.Repair = repair
	case *ir.Flow:
		if node.IsWorkflow() {
			for _, step := range node.Conversations {
				step.Call = ir.Call{}
			}
			limitMachines(node.Body)
		} else {
			for _, step := range node.Conversations {
				limit(&ir.Agent{Node: step.Node})
				if list := step.List(); list != nil {
					list.Max = maxItems
				}
			}
		}
	}
}

// limitMachines makes the machines of a workflow take as many steps as the others.
func limitMachines(p *ir.Pipeline) {
	for _, t := range p.Tasks {
		if m, isMachine := t.Do.(*ir.Machine); isMachine {
			m.MaxSteps = maxSteps
		}
	}
}

// measured runs the program with the models of a file of testdata, and returns a line for each agent: its name, and what its dearest run
// used.
func measured(t *testing.T, p *ir.Program, models string, args ...string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile("testdata/" + models + ".go.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module measured\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n"+
		"replace github.com/agentc-dev/agentc => "+root+"\n")
	for _, f := range files {
		write("random/"+f.Name, string(f.Content))
	}
	write("main.go", string(main))

	// Most of the time is that of the compiler, which needs a quarter less where it inlines nothing.
	cmd := exec.Command("go", append([]string{"run", "-gcflags=measured/random=-l", "."}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}

	return string(out)
}
