package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// measureWorkflows measures what machines of workflows take beside their steps, expressions and templates beside Go, and whole runs.
func (b *bench) measureWorkflows() {
	b.measureHops()
	b.measureFormulas()
	b.measureWrites()
	b.measureMap()
	b.measureLoan()
}

// hopsProgram measures runs of workflows, all on an engine in memory that nobody observes.
const hopsProgram = `// Program hops-run lets workflows take turns.
package main

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/hops/agents"
	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/hops/hand"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

func main() { contest.Main(measure) }

func measure(task contest.Task) ([]contest.Score, error) {
	app, fx := agents.New(), contest.NewInstant("")
	var contestants []contest.Contestant
	for _, workflow := range []struct {
		name   string
		states int
		run    func(runtime.Effects, string, ...rt.Place) (runtime.Finish, error)
		key    string
	}{
%s	} {
		contestants = append(contestants, contest.Repeat(workflow.name, task.Runs/workflow.states, 1, func() error {
			fin, err := workflow.run(fx, "the text")
			if err != nil || fin.Key != workflow.key {
				return fmt.Errorf("%%s ends with key %%q and %%v", workflow.name, fin.Key, err)
			}
			return nil
		}))
	}

	return contest.Hold(task.Rounds, contestants...)
}
`

// The goals of a hop: the time beside the same machine written by hand, of the same size, and what it allocates beyond its step.
const (
	hopGoal       = 1.3
	hopAllocsGoal = 3
)

// measureHops measures a hop of linear machines of several sizes.
func (b *bench) measureHops() {
	sizes, hops, rounds := []int{10, 100, 1000}, b.size(20_000, 20), b.size(201, 2)
	if b.small {
		sizes = []int{3, 10}
	}
	b.progress.say("machines of up to %s states", count(sizes[len(sizes)-1]))

	b.generate("hops", hopsProject(sizes))
	b.put("hops/hand/hand.go", handLines(sizes))
	program := fmt.Sprintf(hopsProgram, hopsTable(sizes))
	b.hopRows(sizes, b.measure("hops-run", program, contest.Task{Runs: hops, Rounds: rounds}))
}

// A line is a way for one state to follow another in a linear machine: its step, the row behind it, and the agents that do
// the same without it.
type line struct {
	name, what string
	step       func(next string) string
	rows       bool
	// alone are the same steps without a machine, which allocate on their own account.
	alone string
	// hand is the step as Go, and handNext how the machine written by hand finds the state that follows. NEXT is the number of
	// that state, SIZE how many there are.
	hand, handNext string
}

var lines = []line{
	{
		name: "row", what: "rows", rows: true, alone: "pass",
		step:     func(string) string { return "{name: pass}" },
		hand:     "\tr.RecordOutput(\"pass\", input)\n\n\treturn input, nil\n",
		handNext: "NEXT",
	},
	{
		name: "next", what: "next_state", alone: "set",
		step: func(next string) string {
			return "{name: set, agent: {id: flujo.builtins.context_set, params: {path: next_state, value: " + next + "}}}"
		},
		hand: "\tvalue, err := r.SetAt(workflow.Text(\"next_state\"), workflow.Text(\"state-NEXT\"))\n" +
			"\tr.RecordOutput(\"set\", value)\n\n\treturn value, err\n",
		handNext: "statesSIZE[r.NextState().String()]",
	},
}

// noHop is a workflow whose machine ends where it starts: what a run takes beside its hops.
const noHop = "no-hop"

// hopsProject has a linear machine of each kind and size, the steps of each without a machine, and a machine without hops.
func hopsProject(sizes []int) project {
	p := make(project)
	p.workflow(noHop, "  - {kind: StateMachine, name: no-hop, start_state: last, end_states: [last], states: {last: []}}\n")
	for _, l := range lines {
		for _, n := range sizes {
			p.workflow(fmt.Sprintf("%s-%d", l.name, n), l.machine(n))
		}
		n := sizes[len(sizes)-1]
		p.workflow(l.alone, strings.Repeat("  - "+l.step("last")+"\n", n))
	}

	return p
}

// machine is a machine of n states, each of them followed by the next.
func (l line) machine(n int) string {
	var states, rows strings.Builder
	for i := range n {
		next := fmt.Sprintf("state-%d", i+1)
		if i == n-1 {
			next = "last"
		}
		fmt.Fprintf(&states, "      state-%d: %s\n", i, l.step(next))
		fmt.Fprintf(&rows, "      - {from: state-%d, on: success, to: %s}\n", i, next)
	}
	text := "  - kind: StateMachine\n    name: line\n    start_state: state-0\n    end_states: [last]\n    states:\n" + states.String()
	if l.rows {
		text += "    transitions:\n" + rows.String()
	}

	return text
}

// hopsTable are the workflows as the measuring program has them.
func hopsTable(sizes []int) string {
	var table strings.Builder
	put := func(name string, states int, run, key string) {
		fmt.Fprintf(&table, "\t\t{%q, %d, %s, %q},\n", name, states, run, key)
	}
	add := func(name string, states int, key string) { put(name, states, "app.Run"+goName(name), key) }
	add(noHop, sizes[0], "last")
	for _, l := range lines {
		for _, n := range sizes {
			add(fmt.Sprintf("%s-%d", l.name, n), n, "last")
		}
		add(l.alone, sizes[len(sizes)-1], "done")
	}
	for _, l := range lines {
		for _, n := range sizes {
			put(l.byHand(n), n, "hand."+l.handName(n), "last")
		}
	}

	return table.String()
}

// hopRows turns the scores of runs into rows about hops: a run beside the same by hand, which has as many states.
func (b *bench) hopRows(sizes []int, scores []contest.Score) {
	large := sizes[len(sizes)-1]
	for _, l := range lines {
		for _, n := range sizes {
			title := fmt.Sprintf("workflow, hop by %s, %s states: generated / hand-written", l.what, count(n))
			b.compare(title, scores, fmt.Sprintf("%s-%d", l.name, n), l.byHand(n), goal{atMost, hopGoal})
		}
		run := allocsStep(scores, fmt.Sprintf("%s-%d", l.name, large)) - allocsStep(scores, noHop)
		steps := allocsStep(scores, l.alone) - allocsStep(scores, noHop)
		beyond := math.Round(100*max(run-steps, 0)/float64(large)) / 100
		b.add(fmt.Sprintf("workflow, hop by %s: allocations beyond its step", l.what), beyond, "", goal{atMost, hopAllocsGoal})
	}
}
