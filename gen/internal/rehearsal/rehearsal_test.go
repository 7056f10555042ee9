package rehearsal

import (
	"fmt"
	"maps"
	"math"
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
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// projects are the workflows of the cases of package walk, of those that run, and random ones.
func projects(t *testing.T) map[string]*ir.Agent {
	t.Helper()
	all := map[string]*ir.Agent{}
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
			all[name] = a
		}
	}
	for _, pattern := range []string{"../walk/testdata/workflow*.txtar", "../../testdata/workflows/*.txtar"} {
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

var options = Options{Context: true, Contained: func(*ir.Agent) []Contained { return []Contained{{1, Unknown}} }}

// told is what a result says of a workflow, without the runs, of which there may be others as short.
func told(a *ir.Agent, r *Result) string {
	var lines []string
	ir.WalkTasks(a.Node.(*ir.Workflow).Body, func(t *ir.Task) {
		m, isMachine := t.Do.(*ir.Machine)
		if !isMachine {
			return
		}
		for _, s := range m.States {
			lines = append(lines, fmt.Sprint(t.Name.Value, " ", s.Name.Value, " ", r.Reached[s]))
		}
		for i, row := range m.Rows() {
			lines = append(lines, fmt.Sprint(t.Name.Value, " ", i, " ", r.Taken[row], " ", r.Sure[row]))
		}
	})
	keys := map[string]int{}
	for _, run := range r.Runs {
		if turns, known := keys[run.Key]; !known || run.Turns < turns {
			keys[run.Key] = run.Turns
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		lines = append(lines, fmt.Sprint(key, " in ", keys[key]))
	}

	return strings.Join(lines, "\n")
}

// Of answers that are alike one is enough: all of them come to the same states, rows and keys, in as many turns.
func TestAlikeAnswersAreAlike(t *testing.T) {
	compared := 0
	for name, a := range projects(t) {
		short := of(a, options, 1500, func(*candidates) {})
		every := of(a, options, 1500, func(c *candidates) { c.deciders, c.mostContexts = nil, math.MaxInt })
		if short.Cut || every.Cut {
			continue
		}
		compared++
		if got, want := told(a, short), told(a, every); got != want {
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
	for name, a := range projects(t) {
		run := func() string { return fmt.Sprint(items(of(a, options, 300, func(*candidates) {}))) }
		if one, two := run(), run(); one != two {
			t.Errorf("%s:\n%s\nand then\n%s", name, one, two)
		}
	}
}

func items(r *Result) []string {
	var list []string
	for _, run := range r.Runs {
		line := fmt.Sprint(run.Key, run.Turns, run.Doubtful)
		for _, i := range run.Items {
			line += fmt.Sprint(" ", i.Kind, i.Branch, i.Name, i.Said, i.Fails, rowStart(i))
		}
		list = append(list, line)
	}

	return list
}

// However many ways there are, a rehearsal ends: here each of 30 states can be followed by each other one, with contexts that tell
// which ones it was.
func TestRehearsalsEnd(t *testing.T) {
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
	r := Of(p.AgentByName("flow"), options)
	if !r.Cut || len(r.Runs) == 0 {
		t.Errorf("cut %v, %d runs", r.Cut, len(r.Runs))
	}
	t.Log(time.Since(start))
}

// A value that only a run knows makes doubtful what depends on it, and nothing else.
func TestUnknownValues(t *testing.T) {
	known := workflow.Object(workflow.Member{Name: "a", Value: workflow.Text("x")})
	part := workflow.List(workflow.Int(1), workflow.Text("say "+mark))
	for v, want := range map[*workflow.Value]bool{&known: false, &part: true, {}: false} {
		if isUnknown(*v) != want {
			t.Errorf("%s: unknown is %v", v.JSON(), !want)
		}
	}
	for text, want := range map[string]holding{"": never, "x": always, mark: maybe, "x" + mark: always} {
		if got := holds(workflow.Text(text)); got != want {
			t.Errorf("%q holds %v", text, got)
		}
	}
	if not(maybe) != maybe || not(always) != never {
		t.Error("not")
	}
}
