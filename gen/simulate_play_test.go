package gen_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// TestScriptsRun compiles projects and random programs, and plays the scripts that are written for their rows
// on the generated code: each run ends with nothing left over, and takes exactly the rows that its script
// names.
func TestScriptsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many projects")
	}
	w := &walked{t: t, packages: map[string]*gen.Result{}, scripts: map[string]*simulate.Script{}}
	for _, example := range []string{"support", "smart-critic", "all-patterns"} {
		w.add("ex"+strings.ReplaceAll(example, "-", ""), compileFS(t, os.DirFS("../examples/"+example)))
	}
	projects, err := filepath.Glob(corpus + "/*/agents")
	if err != nil {
		t.Fatal(err)
	}
	for i := range projects {
		result, _ := corpusProject(t, filepath.Base(filepath.Dir(projects[i])))
		w.add(fmt.Sprintf("corpus%d", i), result)
	}
	for seed := range uint64(12) {
		w.add(fmt.Sprintf("random%d", seed), compileFS(t, newRandomProject(seed+500).files))
	}
	for seed := range uint64(50) {
		project := fstest.MapFS{}
		for name, text := range emittest.WorkflowProject(seed) {
			project[name] = &fstest.MapFile{Data: []byte(text)}
		}
		w.addAny(fmt.Sprintf("steps%d", seed), compileFS(t, project))
	}
	w.addCases("cases", "testdata/workflows/*.txtar")
	for i, c := range casetest.Read(t, "internal/simulate/testdata/*.txtar") {
		result, err := gen.Compile(t.Context(), gen.Options{FS: c.Project(findingsFile)})
		if err != nil {
			t.Fatal(err)
		}
		if !result.HasErrors() { // some cases are about machines that check refuses
			w.add(fmt.Sprintf("case%d", i), result)
		}
	}
	w.addProgram("machines", randomMachines(60))
	w.addProgram("flows", randomFlows(60))

	played := buildAndRun(t, w.packages, scriptPlayer, w.calls.String())
	if len(played) != len(w.scripts) {
		t.Fatalf("%d runs of %d scripts", len(played), len(w.scripts))
	}
	for name, events := range played {
		pkg, _, _ := strings.Cut(name, "/")
		sameRows(t, name, w.packages[pkg].Program, w.scripts[name], events)
	}
	if len(w.scripts) < 350 {
		t.Errorf("only %d scripts", len(w.scripts))
	}
	t.Logf("%d scripts take %d of %d rows and %d of %d cases; for %d there is none",
		len(w.scripts), w.taken, w.rows, w.casesTaken, w.cases, w.unscripted)
}

// walked are programs with the their scripts.
type walked struct {
	t                       *testing.T
	packages                map[string]*gen.Result
	scripts                 map[string]*simulate.Script
	calls                   strings.Builder
	rows, taken, unscripted int
	cases, casesTaken       int
}

func (w *walked) add(pkg string, result *gen.Result) {
	w.t.Helper()
	w.addRoots(pkg, result, graph.FindRoots(result.Program))
}

// addAny adds a program if it compiles.
func (w *walked) addAny(pkg string, result *gen.Result) {
	w.t.Helper()
	if !result.HasErrors() {
		w.add(pkg, result)
	}
}

// addCases adds the projects of other cases that compile.
func (w *walked) addCases(pkg, pattern string) {
	w.t.Helper()
	for i, c := range casetest.Read(w.t, pattern) {
		project := c.Project(workflowOthers...)
		w.addAny(fmt.Sprintf("%s%d", pkg, i), compileFS(w.t, project))
	}
}

// addRoots adds a program whose runs begin with some agents.
func (w *walked) addRoots(pkg string, result *gen.Result, roots []*ir.Agent) {
	w.t.Helper()
	if len(result.Files) == 0 {
		w.t.Fatalf("%s does not compile:\n%s", pkg, casetest.Text(w.t, result.Diagnostics))
	}
	w.packages[pkg] = result
	r := simulate.FindRuns(result.Program, simulate.Options{Roots: roots})
	scripts, unscripted := r.Scripts(nil)
	w.unscripted += len(unscripted)
	covered := map[simulate.Target]bool{}
	var users []string // nothing of the user's is called
	if len(result.Program.Tools) > 0 {
		users = append(users, "nil")
	}
	if len(result.Program.Guards) > 0 {
		users = append(users, "nil")
	}
	if len(result.Program.Funcs) > 0 {
		users = append(users, "nil")
	}
	if len(scripts) == 0 {
		delete(w.packages, pkg) // Go refuses an import that nothing uses
	}
	for _, s := range scripts {
		file := s.Document([]string{"Takes rows."}).YAML()
		text, findings := scriptdoc.Convert(source.NewFile(s.Name+".yaml", file), result.Program)
		if len(findings) > 0 {
			w.t.Fatalf("%s\n%s", file, casetest.Text(w.t, findings))
		}
		name := pkg + "/" + s.Name
		w.scripts[name] = s
		fmt.Fprintf(&w.calls, "\tplay(%q, %s.New(%s).Program(), %q, %q, %q, %q)\n",
			name, pkg, strings.Join(users, ", "), s.Root.Name.Value, text, s.Context, cmp.Or(s.Input, "the task"))
		for _, row := range s.Rows {
			covered[row] = true
		}
		for _, c := range s.Cases {
			covered[c] = true
		}
	}
	for _, u := range unscripted {
		covered[u.Target] = true
	}
	for _, step := range r.Steps {
		w.cases += len(step.Cases)
		w.casesTaken += step.CountCovered()
		for _, c := range step.Cases {
			if c.Ends != covered[c] {
				w.t.Errorf("%s: %s of step %q of %s: ends: %t, by a script: %t", pkg, c, step.Task.Name.Value, step.Agent.Name.Value, c.Ends, covered[c])
			}
			if !c.Ends && c.Why.Text == "" {
				w.t.Errorf("%s: %s of step %q of %s: no reason", pkg, c, step.Task.Name.Value, step.Agent.Name.Value)
			}
		}
	}
	for _, m := range r.Machines {
		_, taken := m.CountCovered()
		w.rows += len(m.Rows)
		w.taken += taken
		for _, row := range m.Rows {
			if !m.Agent.IsGoDriven() && row.Ends != covered[row] {
				w.t.Errorf("%s: row %q of state %q: ends: %t, by a script: %t",
					pkg, row.Key().Value, row.State.Name.Value, row.Ends, covered[row])
			}
		}
	}
}

func (w *walked) addProgram(pkg string, p *ir.Program) {
	w.t.Helper()
	p.Package = pkg
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	roots := graph.FindRoots(p)
	for i, a := range p.Agents {
		if _, isMachine := a.Node.(*ir.Machine); isMachine && i%3 == 0 && !slices.Contains(roots, a) {
			roots = append(roots, a)
		}
	}
	w.addRoots(pkg, &gen.Result{Program: p, Files: files}, roots)
}

// sameRows compares the rows that a run took with those of its script.
func sameRows(t *testing.T, name string, p *ir.Program, s *simulate.Script, events string) {
	t.Helper()
	if !hasEnded(events) {
		t.Errorf("%s did not end:\n%s\n%s", name, s.Document(nil).YAML(), events)
		return
	}
	taken := map[string]bool{}
	for line := range strings.Lines(events) {
		if !workRowTaken(t, p, line, taken) {
			rowsTaken(t, "", guardedKey(p, line), taken)
		}
	}
	want := map[string]bool{}
	for _, r := range s.Rows {
		want[rowText(r)] = true
		if !taken[rowText(r)] {
			t.Errorf("%s does not take %s", name, rowText(r))
		}
	}
	for text := range taken {
		if !want[text] {
			t.Errorf("%s takes %s too", name, text)
		}
	}
}

// hasEnded reports whether a run is done, or has failed in an end state that is a failure: no other
// failure has a key.
func hasEnded(events string) bool {
	isDone := strings.Contains(events, `"status":"done"`) && !strings.Contains(events, "error:")

	return isDone || failedEnd.MatchString(events)
}

// failedEnd is the end of a run in an end state that is a failure.
var failedEnd = regexp.MustCompile(`"event":"end",.*"status":"failed","key":"[^"]+"`)

// moved is a transition as events have it.
type moved struct{ Event, Agent, Machine, From, Key, Matched, To string }

// machineOf returns the machine that an event is a transition of; nil if it is none, or of another agent.
func machineOf(p *ir.Program, line string) (m *ir.Machine, e moved) {
	if json.Unmarshal([]byte(line), &e) != nil || e.Event != "transition" {
		return nil, e
	}
	if a := p.AgentByName(e.Machine); a != nil {
		return a.MachineOf(), e
	}

	return nil, e
}

// guardedKey returns an event with the key of the row that a guard let through: "*" where the state has no row for the key of the
// agent.
func guardedKey(p *ir.Program, line string) string {
	m, e := machineOf(p, line)
	if m == nil || e.Matched != "guard" {
		return line
	}
	for _, s := range m.States {
		if s.Name.Value == e.From && len(s.RowsByPriority(e.Key)) == 0 {
			return strings.Replace(line, `"matched":"guard"`, `"matched":"catch-all"`, 1)
		}
	}

	return line
}

// workRowTaken notes the row of a machine in a workflow that an event is about; is says that it is about such a machine, though
// perhaps about a next_state. In which state a row from "*" was taken is left out.
func workRowTaken(t *testing.T, p *ir.Program, line string, taken map[string]bool) (is bool) {
	t.Helper()
	var e moved
	if json.Unmarshal([]byte(line), &e) != nil || e.Event != "transition" {
		return false
	}
	for _, a := range p.Agents {
		w, isWorkflow := ir.WorkflowOf(a.Node)
		if !isWorkflow || a.Name.Value != e.Agent {
			continue
		}
		ir.WalkTasks(w.Body, func(task *ir.Task) {
			m, isMachine := task.Do.(*ir.Machine)
			if !isMachine || task.Name.Value != e.Machine || is {
				return
			}
			is = true
			if e.Matched != "next-state" {
				taken[row(e.Agent, e.Machine, fromText(m, e.From, e.Key, e.To), e.Key, e.To)] = true
			}
		})
	}

	return is
}

// fromText is the state in which a row on an event begins that leads somewhere: "*" if one from there leads there too, since events do
// not tell them apart.
func fromText(m *ir.Machine, from, on, to string) string {
	isFromAny := func(r *ir.Row) bool { return r.Key.Value == on && r.To.Value == to && r.IsFromAny() }
	if slices.ContainsFunc(m.Rows(), isFromAny) {
		return ir.CatchAll
	}

	return from
}

func rowText(r *simulate.Row) string {
	to := r.To().Value
	if to == "" {
		to = "~"
	}
	if r.Machine.Step != nil {
		return row(r.Machine.Agent.Name.Value, r.Machine.Step.Name.Value, fromText(r.Machine.Step.Do.(*ir.Machine), r.State.Name.Value, r.Key().Value, to), r.Key().Value, to)
	}

	return row("", r.Machine.Agent.Name.Value, r.State.Name.Value, strings.ToLower(strings.TrimSpace(r.Key().Value)), to)
}

// chatty makes most oneshot agents of a program react, so that machines reach their rows.
func chatty(p *ir.Program) *ir.Program {
	for i, a := range p.Agents {
		if _, oneshot := a.Node.(*ir.Oneshot); oneshot && i%8 > 0 {
			a.Node = &ir.React{MaxIter: 10, Repair: 2, Stuck: 4}
		}
	}
	emittest.SortAgents(p)

	return p
}

// randomMachines returns a program of machines, most of which have machines and flows before them for states.
func randomMachines(n int) *ir.Program {
	p := &ir.Program{}
	for i := range n {
		before := i
		emittest.AddMachine(p, uint64(i), emittest.Options{
			Name: fmt.Sprintf("machine-%d", i), States: 3 + i%9, Rows: 2 + i%3, Agents: true,
			Keys: append(emittest.NewKeys(3), "done"),
			StateName: func(s int) string {
				if s > 0 && s < 3 && before > s+3 && i%3 > 0 {
					return fmt.Sprintf("machine-%d", before-s-1)
				}
				return fmt.Sprintf("state-%d-%d", i%4, s)
			},
		})
	}

	return chatty(p)
}

// randomFlows returns a program of flows that run machines, and each other.
func randomFlows(n int) *ir.Program {
	p := &ir.Program{}
	var agents []*ir.Agent
	for i := range n {
		name := fmt.Sprintf("inner-%d", i)
		agents = append(agents, emittest.AddMachine(p, uint64(i), emittest.Options{
			Name: name, States: 4, Rows: 3, Keys: append(emittest.NewKeys(2), "done", "exhausted"), Agents: true,
			StateName: func(s int) string { return fmt.Sprintf("%s-%d", name, s) },
		}))
		o := emittest.FlowOptions{Name: fmt.Sprintf("flow-%d", i), Size: 1 + i%5, Agents: agents[max(0, len(agents)-1-i%3):]}
		flow := emittest.AddFlow(p, uint64(i), o)
		flow.Node.(*ir.Flow).Kind = "human" // a script answers the questions of nobody else
		if i%4 == 0 {
			agents = append(agents, flow)
		}
	}

	return chatty(p)
}

// scriptPlayer is a program that plays scripts and prints the transitions and the ends of the runs as a txtar archive.
const scriptPlayer = `package main

import (
	background "context"
	"fmt"
	"os"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"

%s)

type printer struct{}

func (printer) Observe(e event.Event) {
	if e.Kind != event.Transition && e.Kind != event.End {
		return
	}
	line, err := e.MarshalJSON()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(line))
}

func play(name string, p *compiled.Program, agent, script, context, task string) {
	fmt.Printf("-- %%s --\n", name)
	if context != "" {
		var err error
		if p, err = p.WithContext(agent, []byte(context)); err != nil {
			fmt.Println("error:", err)
			return
		}
	}
	eng := engine.New(engine.Options{Script: script, Observers: []event.Observer{printer{}}})
	if _, err := eng.Run(background.Background(), p, agent, task); err != nil {
		fmt.Println("error:", err)
	}
}

func main() {
%s}
`
