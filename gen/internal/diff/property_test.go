package diff_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/diff"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/templates"
)

// TestResumes compiles random programs before and after a random edit, runs each with models that
// make every mistake, interrupts the runs anywhere, and has the engine resume them with the edited
// program. None of which it is said that they can be resumed is refused, or does something else
// than what was recorded.
func TestResumes(t *testing.T) {
	batches, size := 3, 100
	switch {
	case testing.Short():
		batches, size = 1, 40
	case os.Getenv("AGENTC_SOAK") != "":
		batches, size = 9, 100 // of each program twelve runs: 10,000 and some
	}
	var mutex sync.Mutex
	said, refused := map[diff.Verdict]int{}, map[diff.Verdict]int{}
	for batch := range batches {
		t.Run(fmt.Sprint(batch), func(t *testing.T) {
			resumed(t, uint64(batch), size, func(v diff.Verdict, isRefused bool) {
				mutex.Lock()
				defer mutex.Unlock()
				said[v]++
				if isRefused {
					refused[v]++
				}
			})
		})
	}
	fmt.Printf("soak: of interrupted runs %v, of which the engine refused %v\n", said, refused)
	if said[diff.Resumes] < said[diff.Stuck]/4 {
		t.Errorf("only %d runs of %d are said to be resumed", said[diff.Resumes], said[diff.Stuck])
	}
}

// edited is a program before and after an edit.
type edited struct{ before, after *ir.Program }

// resumed compares what is said of interrupted runs with what the engine does.
func resumed(t *testing.T, seed uint64, size int, count func(v diff.Verdict, isRefused bool)) {
	var pairs []edited
	for i := 0; len(pairs) < size; i++ {
		if p, ok := randomEdit(seed<<32+uint64(i), fmt.Sprint("p", i)); ok {
			pairs = append(pairs, p)
		}
	}
	binary := compiledPairs(t, pairs)
	begun := binary(nil, "begin")
	results := strings.Split(strings.TrimSpace(string(binary(begun, "resume"))), "\n")
	lines := json.NewDecoder(bytes.NewReader(begun))
	for n := 0; lines.More(); n++ {
		var r struct {
			Pair    int
			Records []journal.Record
		}
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		report := diff.CompareVersions(pairs[r.Pair].before, pairs[r.Pair].after, cost.Options{})
		if !report.AddRun("run", r.Records) {
			continue // it has ended
		}
		verdict := report.Runs[0].Verdict
		kind, _, _ := strings.Cut(results[n], " ")
		isRefused := kind == "ShapeError" || kind == "WrongProgramError" || kind == "UnknownAgentError" || kind == "DivergenceError"
		if verdict == diff.Resumes && isRefused {
			t.Errorf("pair %d, %d records, changes %+v: %s", r.Pair, len(r.Records), report.Changes, results[n])
		}
		count(verdict, isRefused)
	}
}

// compiledPairs builds a program that has all pairs, and returns a function that runs it.
func compiledPairs(t *testing.T, pairs []edited) func(stdin []byte, args ...string) []byte {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, content []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	type version struct {
		Name, Shape, Text string
		Agents            []string
		Calls             int
	}
	type pair struct {
		Entry         string
		Before, After version
	}
	described := make([]pair, len(pairs))
	for _, of := range []string{"before", "after"} {
		all := &ir.Program{Package: of}
		for i, p := range pairs {
			program, into := p.before, &described[i].Before
			if of == "after" {
				program, into = p.after, &described[i].After
			}
			*into = version{Name: emit.ProgramName(program), Shape: emit.ShapeHash(program), Text: emit.TextHash(program)}
			if program.Budget != nil {
				into.Calls = program.Budget.Calls
			}
			for _, a := range program.Agents {
				into.Agents = append(into.Agents, a.Name.Value)
			}
			described[i].Entry = p.before.Entry.Name.Value
			all.Agents = append(all.Agents, program.Agents...)
		}
		emittest.SortAgents(all)
		files, err := emit.Files(all, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Name, "_test.go") {
				write(of+"/"+f.Name, f.Content)
			}
		}
	}
	text, err := json.Marshal(described)
	if err != nil {
		t.Fatal(err)
	}
	write("pairs.json", text)
	resumer, err := os.ReadFile("testdata/resumer.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	write("main.go", resumer)
	write("go.mod", []byte("module resumed\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n"+
		"replace github.com/agentc-dev/agentc => "+root+"\n"))
	run := func(stdin []byte, name string, args ...string) []byte {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			said := stderr.String()
			t.Fatalf("%v\n%s", err, said[:min(len(said), 4000)])
		}
		return out
	}
	run(nil, "go", "build", "-o", "resumer.exe", ".")

	return func(stdin []byte, args ...string) []byte {
		return run(stdin, filepath.Join(dir, "resumer.exe"), args...)
	}
}

// randomEdit returns a random program whose agents' names begin with a prefix, before and after an
// edit. ok is false for one that the compiler refuses.
func randomEdit(seed uint64, prefix string) (p edited, ok bool) {
	random := rand.New(rand.NewPCG(seed, 3))
	switch random.IntN(4) {
	case 0:
		files, entry := workflowFiles(seed, prefix), prefix+"-flow"
		if p.before, ok = loaded(files, entry); ok {
			editText(random, files, prefix)
			p.after, ok = loaded(files, entry)
		}
		return p, ok
	case 1:
		files := patternFiles(random, prefix)
		if p.before, ok = loaded(files, prefix); ok {
			editPattern(random, files)
			p.after, ok = loaded(files, prefix)
		}
		return p, ok
	}
	p = edited{randomProgram(seed, prefix), randomProgram(seed, prefix)}
	for range 1 + random.IntN(2) {
		edit(random, p.after, seed, prefix)
	}

	return p, true
}

// randomProgram has a flow, and a machine that runs it.
func randomProgram(seed uint64, prefix string) *ir.Program {
	p := &ir.Program{Package: "random"}
	inner := emittest.AddFlow(p, seed, emittest.FlowOptions{Name: prefix + "-inner", Size: 1 + int(seed%3)})
	machine := emittest.AddMachine(p, seed+1, emittest.Options{
		Name: prefix + "-machine", States: 2 + int(seed%4), Rows: 2, Agents: true, Keys: []string{"done", "over", "list"},
		StateName: func(state int) string {
			if state == 1 {
				return inner.Name.Value
			}
			return fmt.Sprintf("%s-%d", prefix, state)
		},
	})
	outer := emittest.AddFlow(p, seed+2, emittest.FlowOptions{Name: prefix + "-outer", Size: 2, Agents: []*ir.Agent{machine, inner}})
	emittest.SortAgents(p)
	p.Entry = []*ir.Agent{inner, machine, outer}[seed%3]
	for _, a := range p.Agents {
		eachConversation(a, func(s *ir.Step) {
			switch n := s.Node.(type) {
			case *ir.React:
				n.MaxIter, n.Repair, n.Stuck = 4, 1, 2
			case *ir.Oneshot:
				n.Repair = 1
			}
		})
		if m := a.MachineOf(); m != nil {
			m.MaxSteps = 6
		}
	}

	return p
}

func eachConversation(a *ir.Agent, visit func(*ir.Step)) {
	for _, s := range a.Conversations() {
		visit(s)
	}
}

func text(s string) ir.Text { return ir.Text{Value: s} }

// edit changes something of a program; what is there is left in a state in which it compiles.
func edit(random *rand.Rand, p *ir.Program, seed uint64, prefix string) {
	a := p.Agents[random.IntN(len(p.Agents))]
	more := 1 - 2*random.IntN(2)
	conversations := a.Conversations()
	switch random.IntN(14) {
	case 0:
		a.Description = text("Another description.")
	case 1:
		p.Budget = &ir.Budget{Calls: 1 + random.IntN(12)}
	case 2:
		for _, b := range p.Agents {
			if m := b.MachineOf(); m != nil {
				m.MaxSteps = max(1, m.MaxSteps+2*more)
			}
		}
	case 3:
		for _, b := range p.Agents {
			if m := b.MachineOf(); m != nil {
				m.Live.Signals = append(m.Live.Signals, &ir.SignalRule{On: text("stop"), Do: ir.AnswerGracefulStop})
			}
		}
	case 4:
		if len(conversations) > 0 {
			s := conversations[random.IntN(len(conversations))]
			switch n := s.Node.(type) {
			case *ir.React:
				n.MaxIter, n.Repair, n.Stuck = max(1, n.MaxIter+more), max(0, n.Repair+random.IntN(2)), max(0, n.Stuck+random.IntN(2))
			case *ir.Oneshot:
				n.Repair = max(0, n.Repair+more)
			}
		}
	case 5:
		editMachine(random, p, prefix)
	case 6:
		editFlow(random, a, more)
	case 7:
		a.Prompt = text("Another prompt.\n")
		for _, s := range conversations {
			s.Prompt = text("Another prompt.\n")
		}
	case 8:
		a.Budget = &ir.Budget{Calls: 1 + random.IntN(12)}
	case 9:
		eachConversation(a, func(s *ir.Step) {
			if list := s.List(); list != nil {
				list.Max = 1 + random.IntN(3)
			}
		})
	case 10:
		editWords(a)
	case 11:
		p.Limits.ToolResult, p.Limits.ToolResultMax = int64(1+random.IntN(20)), int64(20+random.IntN(20))
	case 12:
		editOrder(p)
	case 13:
		eachConversation(a, func(s *ir.Step) {
			s.Call.Name, s.Call.Temperature = text("openai:gpt-4o-mini"), nil
			s.Timeout = 1
		})
	}
}

// editOrder writes keys, and states that lead on whatever happens, in another order.
func editOrder(p *ir.Program) {
	for _, a := range p.Agents {
		eachConversation(a, func(s *ir.Step) {
			if n, isReact := s.Node.(*ir.React); isReact {
				slices.Reverse(n.Keys)
			}
		})
		if m := a.MachineOf(); m != nil {
			slices.SortStableFunc(m.States, func(a, b *ir.State) int { return len(a.Rows) - len(b.Rows) })
		}
	}
}

// editMachine changes rows of the machine.
func editMachine(random *rand.Rand, p *ir.Program, prefix string) {
	m := p.AgentByName(prefix + "-machine").MachineOf()
	s := m.States[random.IntN(len(m.States))]
	to := m.States[random.IntN(len(m.States))]
	switch {
	case s.Always != nil:
		s.Always = &ir.Ref{Text: to.Name, State: to}
	case len(s.Rows) > 0:
		s.Rows[0].End, s.Rows[0].To = false, ir.Ref{Text: to.Name, State: to}
	}
}

// editFlow changes numbers of a flow, or adds a note.
func editFlow(random *rand.Rand, a *ir.Agent, more int) {
	f, isFlow := ir.PatternOf(a.Node)
	if !isFlow {
		return
	}
	ir.Walk(f.Body.Ops(), func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Loop:
			if op.Reduce == ir.ReduceResults {
				op.Width = 1 + random.IntN(8)
			}
			if op.Max > 0 && random.IntN(2) == 0 {
				op.Max = max(1, op.Max+more)
			}
		case *ir.Parallel:
			op.Width = 1 + random.IntN(8)
		case *ir.Return:
			op.Limit = 3
		}
	})
}

// editWords changes what the runs of a flow are given, without a change of any prompt.
func editWords(a *ir.Agent) {
	f, isFlow := ir.PatternOf(a.Node)
	if !isFlow {
		return
	}
	notes := f.Body.Tasks[1].Output
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		if _, isRun := t.Do.(*ir.Run); isRun && t.Output != nil {
			t.Input = ir.ExpressionDatum(ir.NewReport(ir.OutputAccess(notes), ir.Section{Title: "other words", Text: ir.InputAccess()}))
		}
	})
}

// workflowFiles are the files of a random workflow that needs no Go.
func workflowFiles(seed uint64, prefix string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, content := range emittest.WorkflowProject(seed) {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "flow.yaml", prefix+"-flow.yaml"), "child.yaml", prefix+"-child.yaml")
		content = strings.ReplaceAll(content, "./child.yaml", "./"+prefix+"-child.yaml")
		for {
			before, rest, found := strings.Cut(content, `uses: "pkg.mod:func", output_schema: `)
			if !found {
				break
			}
			_, rest, _ = strings.Cut(rest, "required: [kind, n, ok]}")
			content = before + "uses: agents.judge" + rest
		}
		files[name] = &fstest.MapFile{Data: []byte(content)}
	}

	return files
}

// loaded compiles files; ok is false if the compiler refuses them, or if they need Go.
func loaded(files fstest.MapFS, entry string) (p *ir.Program, ok bool) {
	list := &diag.List{}
	p, err := loader.Load(files, list)
	if err != nil {
		return nil, false
	}
	check.Run(p, list)
	if list.HasErrors() {
		return nil, false
	}
	p.Entry = p.AgentByName(entry)

	return p, p.Entry != nil && len(p.Tools)+len(p.Skills) == 0
}

// patternFiles are the files of an agent of a pattern.
func patternFiles(random *rand.Rand, name string) fstest.MapFS {
	files := fstest.MapFS{}
	patterns := templates.Patterns()
	for _, f := range templates.Agent(patterns[random.IntN(len(patterns))], name) {
		if !strings.HasSuffix(f.Name, ".json") {
			files[f.Name] = &fstest.MapFile{Data: f.Content}
		}
	}

	return files
}

// fields are what an agent may have; those that its pattern does not have are refused.
var fields = []string{
	"max_iter: 3", "max_iter: 6", "repair: 1", "repair: 4", "stuck: 2", "max_items: 1", "max_items: 20", "rounds: 1", "n: 2", "n: 4", "limit: 2",
	"max_steps: 3", "budget: {calls: 4}", "keys: [done, over]", "signals: [{on: stop, do: graceful-stop}]", "parallelism: 1",
}

// editPattern adds or replaces a field of a file, or changes its words.
func editPattern(random *rand.Rand, files fstest.MapFS) {
	names := slices.Sorted(maps.Keys(files))
	name := names[random.IntN(len(names))]
	f := *files[name]
	text := string(f.Data)
	switch field := fields[random.IntN(len(fields))]; random.IntN(4) {
	case 0:
		text += "Other words.\n"
	case 1:
		text = strings.Replace(text, "description: ", "description: Now: ", 1)
	default:
		key, _, _ := strings.Cut(field, ":")
		var lines []string
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, key+":") {
				lines = append(lines, line)
			}
		}
		text = strings.Replace(strings.Join(lines, ""), "---\n", "---\n"+field+"\n", 1)
	}
	f.Data = []byte(text)
	files[name] = &f
}

// textEdits are edits of workflows.
var textEdits = [][2]string{
	{"system_prompt: Write.", "system_prompt: Write well."}, {`message: "Well?"`, `message: "Is it well?"`}, {"max_loops: 2", "max_loops: 3"},
	{"max_loops: 2", "max_loops: 1"}, {"max_retries: 1", "max_retries: 2"}, {"input: spare", "input: other"}, {".ok", ".n > 3"},
	{"OVERWRITE", "KEEP_FIRST"}, {"uses: agents.writer", "uses: agents.judge"}, {"to: done", "to: failed"}, {"to: s0", "to: s1"},
	{"system_prompt: Help.", "system_prompt: Help well."}, {"updates_context: true", "updates_context: false"}, {"gpt-4o-mini", "gpt-4o"},
	{"uses: agents.writer}", "uses: agents.writer, config: {timeout_seconds: 9}}"}, {"sink_to: text", "sink_to: elsewhere"},
	{"uses: agents.judge}", "uses: agents.judge, config: {usage_limits: {total_tokens_limit: 100}}}"},
}

func editText(random *rand.Rand, files fstest.MapFS, prefix string) {
	for range 1 + random.IntN(2) {
		e := textEdits[random.IntN(len(textEdits))]
		for _, name := range []string{"workflows/" + prefix + "-flow.yaml", "workflows/" + prefix + "-child.yaml"} {
			f := *files[name]
			f.Data = []byte(strings.Replace(string(f.Data), e[0], e[1], 1+random.IntN(2)))
			files[name] = &f
		}
	}
}
