package simulate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// projects are the workflows of the cases of this package, of those that run, and random ones.
func projects(t *testing.T) map[string]*ir.Program {
	t.Helper()
	all := map[string]*ir.Program{}
	add := func(name string, files map[string]string) {
		project := fstest.MapFS{}
		for path, text := range files {
			project[path] = &fstest.MapFile{Data: []byte(text)}
		}
		list := &diag.List{}
		p, err := loader.Load(project, list)
		if err != nil {
			t.Fatal(err)
		}
		if a := p.AgentByName("flow"); !list.HasErrors() && a != nil {
			all[name] = p
		}
	}
	for _, pattern := range []string{"testdata/workflow*.txtar", "../../testdata/workflows/*.txtar"} {
		cases, err := filepath.Glob(pattern)
		if err != nil || len(cases) == 0 {
			t.Fatalf("no cases: %v", err)
		}
		for _, path := range cases {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				if strings.Contains(f.Name, "/") || strings.HasSuffix(f.Name, ".yaml") {
					files[f.Name] = string(f.Data)
				}
			}
			add(filepath.Base(path), files)
		}
	}
	for seed := range uint64(40) {
		add(fmt.Sprint("random ", seed), emittest.WorkflowProject(seed))
	}

	return all
}

// runsOf explores the workflow called flow. everything says that answers are tried that no
// condition distinguishes.
func runsOf(p *ir.Program, most int, everything bool) (*builder, *node) {
	a := p.AgentByName("flow")
	b := newBuilder(p, []*ir.Agent{a}, 0)
	b.takesContext[a] = true
	n := newNode("flow", ir.Place{})
	s := b.newWorkSearch(n, a)
	s.candidates.isExhaustive = everything
	s.explore(a, most)
	n.complete()
	n.startRuns(infinite)
	n.measureAround()
	for _, inner := range slices.Backward(b.completed) {
		inner.measureAround()
	}
	for _, m := range b.machines {
		m.decideCoverage()
	}

	return b, n
}

// report is what is found of a workflow, without the runs, of which there may be others as short.
func report(b *builder, n *node) string {
	var lines []string
	for _, m := range b.machines {
		for _, s := range m.States {
			lines = append(lines, fmt.Sprint(m.Name(), " ", s.Name.Value, " ", s.Reached))
		}
		for i, row := range m.Rows {
			lines = append(lines, fmt.Sprint(m.Name(), " ", i, " ", row.Taken, row.Ends, row.Turns, row.bestRuns.reachCost.isWithinBounds()))
		}
	}
	for i, o := range n.outcomes {
		_, c := n.bestOutcome([]int{i})
		lines = append(lines, fmt.Sprint(o.key, " in ", c))
	}
	slices.Sort(lines)

	return strings.Join(lines, "\n")
}

// Of answers that no condition distinguishes one is enough: all of them lead to the same states,
// rows and keys, in as many turns.
func TestAlikeAnswersAreAlike(t *testing.T) {
	compared := 0
	for name, p := range projects(t) {
		b, short := runsOf(p, 1500, false)
		c, every := runsOf(p, 1500, true)
		if short.cut != 0 || every.cut != 0 {
			continue
		}
		compared++
		if got, want := report(b, short), report(c, every); got != want {
			t.Errorf("%s:\n%s\nwith all answers:\n%s", name, got, want)
		}
	}
	if compared < 70 {
		t.Errorf("only %d workflows compared", compared)
	}
	t.Logf("%d workflows compared", compared)
}

// The same workflow has the same runs each time.
func TestRunsAreTheSame(t *testing.T) {
	for name, p := range projects(t) {
		if one, two := items(p), items(p); one != two {
			t.Errorf("%s:\n%s\nand then\n%s", name, one, two)
		}
	}
}

// items are what happens on the edges of the graph of the workflow called flow.
func items(p *ir.Program) string {
	var b strings.Builder
	_, n := runsOf(p, 300, false)
	for _, edges := range n.out {
		for _, e := range edges {
			fmt.Fprintln(&b, e.from, e.to, e.open)
			for _, i := range e.items {
				fmt.Fprintln(&b, i.kind, i.name, i.turn, i.branch, i.outcomes)
			}
		}
	}

	return b.String()
}

// However many ways there are, the search ends: here each of 30 states can be followed by each
// other one, with contexts that tell which ones it was.
func TestSearchesEnd(t *testing.T) {
	var states, rows strings.Builder
	for i := range 30 {
		fmt.Fprintf(&states, "      s%d: [{name: n%d, uses: agents.judge, sink_to: at.s%d}]\n", i, i, i)
		for to := range 30 {
			fmt.Fprintf(&rows, "      - {from: s%d, on: success, to: s%d, when: \"steps.n%d.n == %d\"}\n", i, to, i, to)
		}
		fmt.Fprintf(&rows, "      - {from: s%d, on: success, to: end, when: \"steps.n%d.n == 30\"}\n", i, i)
	}
	flow := `version: "0.1"
agents: {judge: {model: "a:b", system_prompt: Judge., output_schema: {type: object, properties: {n: {type: integer}}, required: [n]}}}
steps:
  - kind: StateMachine
    name: machine
    start_state: s0
    end_states: [end]
    states:
` + states.String() + "    transitions:\n" + rows.String()
	list := &diag.List{}
	p, err := loader.Load(fstest.MapFS{"workflows/flow.yaml": {Data: []byte(flow)}}, list)
	if err != nil || list.HasErrors() {
		t.Fatal(err, list.Sorted())
	}
	start := time.Now()
	if _, n := runsOf(p, maxPoints, false); n.cut != tooMany || len(n.outcomes) == 0 {
		t.Errorf("cut %v, %d outcomes", n.cut, len(n.outcomes))
	}
	t.Log(time.Since(start))
}

// Where there are more combinations of answers than runs, some of the runs are whole ones: here
// seven steps with nine answers each come before the machine.
func TestWholeRunsComeFirst(t *testing.T) {
	var steps, rows strings.Builder
	for i := range 7 {
		fmt.Fprintf(&steps, "  - {name: n%d, uses: agents.judge}\n", i)
		for n := range 8 {
			fmt.Fprintf(&rows, "      - {from: start, on: success, to: end, when: \"steps.n%d.n == %d\"}\n", i, 2*n)
		}
	}
	flow := `version: "0.1"
agents: {judge: {model: "a:b", system_prompt: Judge., output_schema: {type: object, properties: {n: {type: integer}}, required: [n]}}}
steps:
` + steps.String() + `  - kind: StateMachine
    name: machine
    start_state: start
    end_states: [end]
    states: {start: []}
    transitions:
` + rows.String()
	list := &diag.List{}
	p, err := loader.Load(fstest.MapFS{"workflows/flow.yaml": {Data: []byte(flow)}}, list)
	if err != nil || list.HasErrors() {
		t.Fatal(err, list.Sorted())
	}
	if _, n := runsOf(p, maxPoints/10, false); n.cut != tooMany || len(n.outcomes) == 0 {

		t.Errorf("cut %v, %d outcomes", n.cut, len(n.outcomes))
	}
}

// What a value that judges says decides how flows go on.
func TestIsDone(t *testing.T) {
	for text, want := range map[string]bool{`"DONE"`: true, `"Not yet."`: false, `{"done": true}`: false, "done well": true} {
		if startsWithDone(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// A value that only a run knows makes doubtful what depends on it, and nothing else.
func TestUnknownValues(t *testing.T) {
	known := workflow.Object(workflow.Member{Name: "a", Value: workflow.Text("x")})
	part := workflow.List(workflow.Int(1), workflow.Text("say "+unknownMark))
	for v, want := range map[*workflow.Value]bool{&known: false, &part: true, {}: false} {
		if isUnknown(*v) != want {
			t.Errorf("%s: unknown is %v", v.JSON(), !want)
		}
	}
	for text, want := range map[string]workflow.Truth{"": workflow.Known(false), "x": workflow.Known(true), unknownMark: workflow.Unknown, "x" + unknownMark: workflow.Known(true)} {
		if got := truthOf(workflow.Text(text)); got != want {
			t.Errorf("%q holds %v", text, got)
		}
	}
}
