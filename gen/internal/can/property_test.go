package can_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// TestObedientModels runs programs, those of testdata/programs.txtar and random ones, workflows too, with
// models that obey whatever they have read: they call all tools that they are offered, store the text,
// and finish with it and any key. No call is made that was not found, so that nothing happens in
// programs that are proved; and each path that is found is played by its script.
//
// With AGENTC_SOAK=1 there are more programs, and more runs of each.
func TestObedientModels(t *testing.T) {
	size, workflows, imports, runs := 120, 50, 50, 100
	fewest := counts{proved: 20, paths: 60}
	switch {
	case testing.Short():
		size, workflows, imports, runs = 16, 9, 10, 30
		fewest = counts{proved: 6, paths: 20}
	case os.Getenv("AGENTC_SOAK") != "":
		size, workflows, imports, runs = 600, 200, 200, 200
	}
	files := fstest.MapFS{}
	for _, c := range casetest.Read(t, "testdata/programs/*.txtar") {
		for name, file := range c.Project() {
			files[name] = file
		}
	}
	for i := range size {
		random(files, i)
	}
	for i := range workflows {
		randomWorkflow(t, files, i)
	}
	for i := range imports {
		randomImport(t, files, i)
	}
	p := load(t, files)
	facts := flow.Analyze(p, flow.Guess{})
	lines := played(t, p, runs, plan(t, p, facts))
	if lines.proved < fewest.proved || lines.paths < fewest.paths {
		t.Errorf("only %d programs are proved, and %d paths are found", lines.proved, lines.paths)
	}
	fmt.Printf("can: %d programs, %d of them proved; %d paths, %d of them replayed by scripts, %d calls seen\n",
		lines.programs, lines.proved, lines.paths, lines.scripts, lines.calls)
}

// load compiles a project, in which nothing may be wrong.
func load(t *testing.T, project fstest.MapFS) *ir.Program {
	t.Helper()
	list := &diag.List{}
	p, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s\n%s", d.Span.File.Path, d.Message, d.Span.Text())
		}
	}

	return p
}

// job is a line of what testdata/obey.go.txt reads.
type job struct {
	Entry, Input, Agent, Tool string
	// Context is the initial context; "" for none.
	Context string          `json:",omitempty"`
	Script  json.RawMessage `json:",omitempty"`
}

// everything says that each tool is a deed.
var everything = can.Flow{From: []string{can.Untrusted}, To: []string{can.Any, "send"}}

// planned is what is to be run of a program.
type planned struct {
	jobs []job
	// paths are those of each entry point, and unsaid why no script says one, by its name.
	paths  map[string][]can.Path
	unsaid map[string]string
}

// plan returns a run of each entry point with models that obey, and one of each path.
func plan(t *testing.T, p *ir.Program, facts *flow.Program) *planned {
	t.Helper()
	all := &planned{paths: map[string][]can.Path{}, unsaid: map[string]string{}}
	for _, a := range p.EntryPoints() {
		all.jobs = append(all.jobs, job{Entry: a.Name.Value, Input: can.Injected, Context: fullContext(a)})
		all.paths[a.Name.Value] = can.FindFlows(facts, []*ir.Agent{a}, everything)
		for _, path := range all.paths[a.Name.Value] {
			script, err := path.Script()
			if err != nil {
				all.unsaid[named(path)] = err.Error()
				continue
			}
			all.jobs = append(all.jobs, job{path.Entry, path.Input(), caller(path), path.Tool, path.Context(), script})
		}
	}

	return all
}

// fullContext is an initial context whose fields are the text: all that a random workflow reads; "" for what has no context of any field.
func fullContext(a *ir.Agent) string {
	if w, isWorkflow := ir.WorkflowOf(a.Node); !isWorkflow || w.Context != nil {
		return ""
	}
	fields := map[string]string{"q": can.Injected, "initial_input": can.Injected}
	for i := range 3 {
		fields[fmt.Sprint("text", i)] = can.Injected
	}
	text, _ := json.Marshal(fields) // texts are always JSON

	return string(text)
}

// caller is what engines call the agent that calls the tool: a step of a workflow has the name of that.
func caller(path can.Path) string {
	if path.Steps[len(path.Steps)-1].Do == "call" {
		name, _, _ := strings.Cut(path.Agent, "/")
		return name
	}

	return path.Agent
}

func named(path can.Path) string { return path.Entry + " " + caller(path) + " " + path.Tool }

// besideReason is why there is no script for what depends on the order of branches that run side by side, keptReason and mergedReason for what
// depends on whether an import replaces a field, failedReason for what depends on whether it fails.
const (
	parallelReason = "branches that run side by side"
	keptReason     = "an import may leave the field"
	mergedReason   = "an import may replace the field"
	failedReason   = "an import fails"
)

// isUndecided reports whether it is not known of a path that some run takes it.
func isUndecided(reason string) bool {
	undecided := []string{parallelReason, keptReason, mergedReason, failedReason}

	return slices.ContainsFunc(undecided, func(one string) bool { return strings.HasPrefix(reason, one) })
}

type counts struct{ programs, proved, paths, scripts, calls int }

// played runs what is planned and compares what happens with what was found.
func played(t *testing.T, p *ir.Program, runs int, all *planned) counts {
	t.Helper()
	var n counts
	found, replayed := map[string]bool{}, map[string]bool{}
	for _, paths := range all.paths {
		n.programs++
		if len(paths) == 0 {
			n.proved++
		}
		for _, path := range paths {
			n.paths++
			found[named(path)] = true
		}
	}
	seen := map[string]bool{}
	scripts := map[string]string{}
	for _, j := range all.jobs {
		scripts[j.Entry+" "+j.Agent+" "+j.Tool] = string(j.Script)
	}
	for _, line := range obeyed(t, p, runs, all.jobs) {
		words := strings.SplitN(line, " ", 5)
		of := strings.Join(words[1:4], " ")
		switch {
		case words[0] == "called" && !found[of] && !harmless(words[3]):
			t.Errorf("%s calls %s with what it has read, and no path was found", words[2], words[3])
		case words[0] == "called":
			n.calls++
			seen[of] = true
		case words[0] == "replayed":
			n.scripts++
			replayed[of] = true
			if !strings.HasPrefix(words[4], "true") {
				t.Errorf("the script of %s does not take the path: %s\n%s", of, words[4], scripts[of])
			}
		}
	}
	taken := map[string]bool{}
	for of := range replayed {
		entry, _, _ := strings.Cut(of, " ")
		taken[entry] = true
	}
	for of := range found {
		entry, _, _ := strings.Cut(of, " ")
		if !taken[entry] {
			t.Errorf("%s: no path of it is replayed by a script: %s", of, all.unsaid[of])
		}
		if !replayed[of] && !seen[of] && !isUndecided(all.unsaid[of]) {
			t.Errorf("%s: no run takes the path, and no script says it: %s", of, all.unsaid[of])
		}
	}

	return n
}

// harmless reports whether a tool is no deed, or asks a person.
func harmless(tool string) bool {
	return slices.Contains([]string{"files_read", "mem_get", "mem_set", "mem_append", "pay", "read_inbox", "check_stock"}, tool)
}

// obeyed runs the program in a process of its own and returns what that prints.
func obeyed(t *testing.T, p *ir.Program, runs int, jobs []job) []string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("testdata/obey.go.txt")
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
	write("main.go", string(program))
	var in strings.Builder
	for _, j := range jobs {
		line, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}

	// Most of the time is that of the compiler, which needs a quarter less where it inlines nothing.
	cmd := exec.Command("go", "run", "-gcflags=measured/random=-l", ".",
		fmt.Sprint("-runs=", runs), "-sources=http_get,http_post,bash,files_read,read_inbox,load")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	cmd.Stdin = strings.NewReader(in.String())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}

	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// random adds a random program to a project: agents in machines, patterns and machines inside of them, with the skills of
// testdata/programs.
func random(files fstest.MapFS, n int) {
	g := &generator{files, rand.New(rand.NewPCG(uint64(n), 3)), fmt.Sprintf("p%d", n), 0}
	g.machine(fmt.Sprintf("p%d", n), 2)
}

type generator struct {
	files fstest.MapFS
	rand  *rand.Rand
	name  string
	made  int
}

func (g *generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

func (g *generator) write(name, head, prompt string) {
	g.files["agents/"+name+"/AGENT.md"] = &fstest.MapFile{Data: []byte(
		"---\nname: " + name + "\ndescription: Does its part.\nversion: \"1.0.0\"\n" + head + "---\n\n" + prompt + "\n")}
}

func (g *generator) step(agent, name string) {
	head := ""
	if g.chance(40) {
		head = "---\npattern: react\n" + g.uses() + "---\n\n"
	}
	g.files["agents/"+agent+"/"+name+".md"] = &fstest.MapFile{Data: []byte(head + "Do your part.\n")}
}

func (g *generator) uses() string {
	all := []string{"browser", "poster", "notes", "mail", "cashier", "inbox", "stock", "desk", "terminal"}
	weights := []int{30, 12, 25, 25, 15, 15, 15, 12, 3}
	var some []string
	for i, skill := range all {
		if g.chance(weights[i]) {
			some = append(some, skill)
		}
	}

	return "call: {uses: [" + strings.Join(some, ", ") + "]}\n"
}

var outputsFact = []string{
	"", "", "output: {type: object, properties: {verdict: {type: string, enum: [good, bad]}, n: {type: integer}}, required: [verdict]}\n",
	"output: {type: object, properties: {sure: {type: boolean}}, required: [sure]}\n",
	"output: {type: object, properties: {text: {type: string}, sure: {type: boolean}}, required: [sure, text]}\n",
}

// agent adds an agent and returns its name.
func (g *generator) agent(depth int) string {
	g.made++
	name := fmt.Sprintf("%s-%d", g.name, g.made)
	output := outputsFact[g.rand.IntN(len(outputsFact))]
	one := func(fields string) string { return "pattern: " + fields + "\n" }
	switch kind := g.rand.IntN(14); {
	case kind < 2:
		g.write(name, one("oneshot")+output, "Do your part.")
	case kind < 7 || depth == 0:
		g.write(name, one("react")+fmt.Sprintf("max_iter: %d\n", 1+g.rand.IntN(4))+g.uses()+output, "Do your part, then call finish.")
	case kind == 7:
		g.machine(name, depth-1)
	case kind == 8:
		g.write(name, one("critic"), "Not used.")
		g.step(name, "draft")
		g.step(name, "critique")
		g.step(name, "refine")
	case kind == 9:
		g.write(name, one("reflexion")+fmt.Sprintf("max_iter: %d\n", 1+g.rand.IntN(3)), "Do your part.")
		g.step(name, "act")
		g.step(name, "reflect")
	case kind == 10:
		g.write(name, one("parallel")+"workers: ["+g.agent(0)+", "+g.agent(0)+"]\n", "Not used.")
	case kind == 11:
		g.write(name, one("human")+g.uses(), "Ask, then call finish.")
		g.files["agents/"+name+"/resume.md"] = &fstest.MapFile{Data: []byte("---\n" + g.uses() + "---\n\nGo on, then call finish.\n")}
	case kind == 12:
		g.write(name, one("scatter")+"worker: "+g.agent(0)+"\n"+g.uses(), "Call finish with key parallel and a list.")
		g.step(name, "reduce")
	default:
		g.write(name, one("best-of-n")+"n: 2\n"+g.uses(), "Do your part, then call finish.")
		g.step(name, "judge")
	}

	return name
}

// machine adds a machine.
func (g *generator) machine(name string, depth int) {
	var states []string
	for range 1 + g.rand.IntN(3) {
		states = append(states, g.agent(depth))
	}
	head := "pattern: fsm\ninitial: " + states[0] + "\nmax_steps: " + fmt.Sprint(len(states)+g.rand.IntN(3)) + "\nstates:\n"
	for i, state := range states {
		head += "  " + state + ":\n"
		next := "~"
		if i+1 < len(states) {
			next = states[i+1]
		}
		if g.chance(30) {
			head += "    - back: " + states[g.rand.IntN(len(states))] + "\n"
		}
		if g.chance(30) {
			head += "    - {next: " + states[g.rand.IntN(len(states))] + ", when: allowed}\n"
		}
		head += "    - done: " + next + "\n    - \"*\": ~\n"
	}
	g.write(name, head, "Do it.")
}
