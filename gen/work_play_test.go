package gen_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// TestWorkflowsDoWhatIsInterpreted compiles random workflows, those with errors included, and makes
// their runs with the generated code: each does what the interpreter of the tests says.
func TestWorkflowsDoWhatIsInterpreted(t *testing.T) {
	programs, most := 1000, 200
	if testing.Short() {
		programs, most = 100, 100
	}
	packages, calls := map[string]*gen.Result{}, &strings.Builder{}
	want := map[string][]tried{}
	runs := map[string][]tried{}
	for first := 0; first < programs; first += workBatch {
		batch, result := compileWork(t, uint64(first))
		files, err := emit.Files(result.Program, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pkg := fmt.Sprint("b", first)
		result.Files = files
		packages[pkg] = result
		for i, p := range batch {
			name, id := fmt.Sprint("w", i), fmt.Sprint(pkg, "w", i)
			fmt.Fprintf(calls, "\tplay(%q, %s.New().%sWith)\n", id, pkg, names.Run(name))
			want[id] = tryWork(p, most).runs
			runs[id] = want[id]
		}
	}
	scripts, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "scripts.json")
	writeFile(t, path, string(scripts))
	calls.WriteString("")
	all := 0
	for name, text := range buildAndRun(t, packages, strings.ReplaceAll(workPlayer, "SCRIPTS", path), calls.String()) {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		for i, run := range want[name] {
			if all++; lines[i] != run.does {
				t.Errorf("%s: with %s and %s it does %q, and as it is interpreted %q", name, run.Context, run.Answers, lines[i], run.does)
				break
			}
		}
	}
	t.Logf("%d runs of %d workflows", all, programs)
}

// workBatch are the workflows of one project.
const workBatch = 50

// compileWork makes workflows and finds what is wrong with them.
func compileWork(t *testing.T, seed uint64) ([]*workProgram, *gen.Result) {
	t.Helper()
	files := fstest.MapFS{}
	var batch []*workProgram
	for i := range uint64(workBatch) {
		p := newWorkProgram(seed + i)
		p.addTo(files, fmt.Sprint("w", i))
		batch = append(batch, p)
	}
	result, err := gen.Compile(t.Context(), gen.Options{FS: files, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}

	return batch, result
}

// workPlayer is a program that makes runs of workflows with what they find and what their agents
// answer, and prints how they end and which states they enter.
const workPlayer = `package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"

%s)

var scripts map[string][]struct {
	Context string
	Answers []string
}

// player answers in order. Branches that run side by side run one after another.
type player struct {
	answers []string
	states  string
}

func (p *player) Model(model.Request) (model.Reply, error) {
	if len(p.answers) == 0 {
		return model.Reply{}, errors.New("there is no answer left")
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]

	return model.Reply{Text: answer}, nil
}

func (p *player) Tool(runtime.ToolCall) (runtime.ToolResult, error) { panic("no tool") }
func (p *player) Call(runtime.FuncCall) (runtime.FuncResult, error) { panic("no function") }
func (p *player) Guard(runtime.GuardCall) (runtime.Verdict, error)  { panic("no guard") }
func (p *player) Ask(runtime.Question) (runtime.Answer, error)      { panic("no question") }
func (p *player) Sleep(time.Duration) error                         { return nil }
func (p *player) Now() time.Time                                    { return time.Time{} }
func (p *player) Watched() bool                                     { return true }
func (p *player) Limit(string, string, *runtime.Budget) func()      { return func() {} }
func (p *player) Listen(string, string, []signals.Rule) func()      { return func() {} }

func (p *player) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	var all []error
	for i := range n {
		all = append(all, branch(i, p))
	}

	return errors.Join(all...)
}

func (p *player) Note(e event.Event) {
	if e.Kind == event.Enter {
		p.states += " " + e.State
	}
}

func play(name string, run func(runtime.Effects, string, json.RawMessage) (runtime.Finish, error)) {
	fmt.Printf("-- %%s --\n", name)
	for _, script := range scripts[name] {
		p := &player{answers: script.Answers}
		finish, err := run(p, "do it", json.RawMessage(script.Context))
		switch {
		case len(p.answers) > 0:
			fmt.Println("not all answers are asked for")
		case err != nil:
			fmt.Println("fails:" + p.states)
		default:
			fmt.Printf("ends in %%s:%%s\n", finish.Key, p.states)
		}
	}
}

func main() {
	text, err := os.ReadFile("SCRIPTS")
	if err == nil {
		err = json.Unmarshal(text, &scripts)
	}
	if err != nil {
		panic(err)
	}
%s}
`
