package emit_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	support "github.com/agentc-dev/agentc/examples/support/agents"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// TestSameBytes emits each golden case twenty times.
func TestSameBytes(t *testing.T) {
	first := golden(t)
	for range 20 {
		for name, files := range golden(t) {
			for i, f := range files {
				if f.Name != first[name][i].Name || !bytes.Equal(f.Content, first[name][i].Content) {
					t.Fatalf("%s/%s is not the same twice", name, f.Name)
				}
			}
		}
	}
}

// edits change one agent, at a place drawn by lot; false if the agent has no such place.
var edits = map[string]func(r *rand.Rand, a *ir.Agent) bool{
	"a line of prose": func(r *rand.Rand, a *ir.Agent) bool {
		prompt := &a.Prompt
		if flow, isFlow := ir.PatternOf(a.Node); isFlow {
			prompt = &flow.Conversations[r.IntN(len(flow.Conversations))].Prompt
		}
		prompt.Value += "One more line.\n"
		return a.Node.Pattern() != "fsm" // whose body is no prompt
	},
	"a description": func(_ *rand.Rand, a *ir.Agent) bool {
		a.Description.Value += " And more."
		return true
	},
	"a state": func(r *rand.Rand, a *ir.Agent) bool {
		m, isMachine := a.Node.(*ir.Machine)
		if !isMachine {
			return false
		}
		to := stateRef(r, m)
		m.States = slices.Insert(m.States, r.IntN(len(m.States)+1), &ir.State{Name: textLiteral("added"), Always: &to, Agent: m.States[0].Agent})
		return true
	},
	"a row": func(r *rand.Rand, a *ir.Agent) bool {
		return addRow(r, a, "added key")
	},
	"a row with a key that other rows have": func(r *rand.Rand, a *ir.Agent) bool {
		return addRow(r, a, "key-0")
	},
	"a declared key": func(r *rand.Rand, a *ir.Agent) bool {
		for _, step := range a.Conversations() {
			if react, isReact := step.Node.(*ir.React); isReact {
				react.Keys = slices.Insert(react.Keys, r.IntN(len(react.Keys)+1), textLiteral("added"))
				return true
			}
		}
		return false
	},
	"an operation": func(r *rand.Rand, a *ir.Agent) bool {
		flow, isFlow := ir.PatternOf(a.Node)
		if isFlow {
			body := flow.Body
			notes := body.Tasks[1].Output
			added := &ir.Notes{Base: ir.OutputAccess(notes), Sections: []ir.Section{{Title: "added", Text: ir.InputAccess()}}}
			t := &ir.Task{Name: notes.Name, Do: &ir.PassOn{}, Input: ir.ExpressionDatum(added), Output: notes}
			body.Tasks = slices.Insert(body.Tasks, 2+r.IntN(len(body.Tasks)-2), t) // behind what begins the notes
		}
		return isFlow
	},
}

// addRow adds a row before another one of a state that has keys, but not this one.
func addRow(r *rand.Rand, a *ir.Agent, key string) bool {
	m, isMachine := a.Node.(*ir.Machine)
	if !isMachine {
		return false
	}
	for _, i := range r.Perm(len(m.States)) {
		s := m.States[i]
		if len(s.Rows) > 0 && !slices.ContainsFunc(s.Rows, func(row *ir.Row) bool { return row.Key.Value == key }) {
			s.Rows = slices.Insert(s.Rows, r.IntN(len(s.Rows)), &ir.Row{Key: textLiteral(key), To: stateRef(r, m)})
			return true
		}
	}

	return false
}

func stateRef(r *rand.Rand, m *ir.Machine) ir.Ref {
	s := m.States[r.IntN(len(m.States))]

	return ir.Ref{Text: s.Name, State: s}
}

func textLiteral(s string) ir.Text { return ir.Text{Value: s} }

// finalKeys returns the typed final keys of the agents of a program by their files.
func finalKeys(p *ir.Program) map[string]string {
	keys := map[string]string{}
	final := ir.FinalKeysOf(p.Agents...)
	for _, a := range p.Agents {
		keys[names.File(a.Name.Value)] = fmt.Sprint(ir.Values(final.TypedKeys(a)))
	}

	return keys
}

// TestOthersStay changes one agent of a random program at a time: its own file changes, and those
// of the others stay as they are, byte for byte. The file of an agent changes too if the edit
// changes the keys with which that agent finishes.
func TestOthersStay(t *testing.T) {
	unedited := map[uint64]map[string]string{}
	for seed := range uint64(40) {
		unedited[seed] = contents(t, randomProgram(seed))
	}
	for name, apply := range edits {
		tried := 0
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 7))
			p := randomProgram(seed)
			keys := finalKeys(p)
			for _, i := range r.Perm(len(p.Agents)) {
				if a := p.Agents[i]; apply(r, a) {
					tried++
					what := fmt.Sprintf("seed %d, %s to %s", seed, name, a.Name.Value)
					after := contents(t, p)
					for file, now := range finalKeys(p) {
						if file != names.File(a.Name.Value) && keys[file] != now {
							after[file] = unedited[seed][file]
						}
					}
					onlyChanged(t, what, unedited[seed], after, names.File(a.Name.Value))
					break
				}
			}
		}
		if tried < 10 {
			t.Errorf("%s: added to %d programs only", name, tried)
		}
	}
}

// TestAddedAgent adds an agent before, between and after the others.
func TestAddedAgent(t *testing.T) {
	for seed, name := range []string{"aaa", "outer-1a", "state-1", "zzz"} {
		p := randomProgram(uint64(seed))
		if p.AgentByName(name) != nil {
			name += "-added"
		}
		before := contents(t, p)
		p.Agents = append(p.Agents, &ir.Agent{
			Name: textLiteral(name), File: emittest.AgentFile(name), Description: textLiteral("New."), Version: "1", Prompt: textLiteral("New."), Node: &ir.Oneshot{Repair: 2},
		})
		emittest.SortAgents(p)
		onlyChanged(t, "added "+name, before, contents(t, p), names.File(name))
	}
}

// onlyChanged says which files have changed besides own, which has to, and the shared ones.
func onlyChanged(t *testing.T, what string, before, after map[string]string, own string) {
	t.Helper()
	if before[own] == after[own] {
		t.Errorf("%s: %s did not change", what, own)
	}
	for name, content := range before {
		if name != own && name != names.SharedFile && name != names.TestFile && content != after[name] {
			t.Errorf("%s: %s changed", what, name)
		}
	}
}

// randomProgram returns a few machines that share the agents of their states, and flows that run
// some of all these.
func randomProgram(seed uint64) *ir.Program {
	p := &ir.Program{Package: "agents"}
	for i := range 3 {
		emittest.AddMachine(p, seed*10+uint64(i), emittest.Options{
			Name: fmt.Sprintf("outer-%d", i), States: 3 + i*2, Agents: true,
		})
	}
	for i := range 2 {
		emittest.AddFlow(p, seed*10+uint64(i), emittest.FlowOptions{
			Name: fmt.Sprintf("flow-%d", i), Size: 2, Agents: p.Agents[len(p.Agents)-1-i:],
		})
	}
	emittest.SortAgents(p)

	return p
}

func contents(t *testing.T, p *ir.Program) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, f := range emitted(t, p) {
		all[f.Name] = string(f.Content)
	}

	return all
}

// TestHeader tells generated, edited and foreign files apart.
func TestHeader(t *testing.T) {
	for _, files := range golden(t) {
		for _, f := range files {
			h, ok := emit.ParseHeader(f.Content)
			if !ok || h.Source != f.Source {
				t.Errorf("%s: header %+v, %v", f.Name, h, ok)
			}
			if emit.IsEdited(f.Content) {
				t.Errorf("%s is told to be edited", f.Name)
			}
			if emit.IsEdited(bytes.ReplaceAll(f.Content, []byte("\n"), []byte("\r\n"))) {
				t.Errorf("%s with the line ends of a checkout is told to be edited", f.Name)
			}
			edited := append(bytes.Clone(f.Content), "// a line more\n"...)
			if !emit.IsEdited(edited) {
				t.Errorf("%s with a line more is not told to be edited", f.Name)
			}
		}
	}
	for _, foreign := range []string{"", "package agents\n", "// Code generated by stringer; DO NOT EDIT.\n\npackage agents\n"} {
		if _, ok := emit.ParseHeader([]byte(foreign)); ok || emit.IsEdited([]byte(foreign)) {
			t.Errorf("%q is taken for ours", foreign)
		}
	}
}

// TestPromptIsInItsOwnFile changes the file of a step: only the Go of its agent changes, so that
// two people who edit two prompts change two files.
func TestPromptIsInItsOwnFile(t *testing.T) {
	a, err := txtar.ParseFile("testdata/golden/pattern-reflexion.txtar")
	if err != nil {
		t.Fatal(err)
	}
	contents := func() map[string]string {
		all := map[string]string{}
		for _, f := range emitted(t, load(t, a.Files)) {
			all[f.Name] = string(f.Content)
		}
		return all
	}
	before := contents()
	for i, f := range a.Files {
		if f.Name == "agents/puzzle-solver/reflect.md" {
			a.Files[i].Data = append(bytes.Clone(f.Data), "Be strict.\n"...)
		}
	}
	for name, content := range contents() {
		if (content != before[name]) != (name == "puzzle-solver_gen.go") {
			t.Errorf("%s changes: %v", name, content != before[name])
		}
	}
}

// TestTextHash: the runtime makes the same hash of the program as the compiler of its sources.
func TestTextHash(t *testing.T) {
	p, err := loader.Load(os.DirFS("../../../examples/support"), &diag.List{})
	if err != nil {
		t.Fatal(err)
	}
	if runs, reads := support.New().Program().TextHash(), emit.TextHash(p); runs != reads || len(runs) != 32 {
		t.Errorf("the runtime has %s, the compiler %s", runs, reads)
	}
}

// TestHashes says what changes which hash of the program: rows and operations the shape, prose the
// text, limits neither unless the run goes on behind them.
func TestHashes(t *testing.T) {
	hashes := func(p *ir.Program) (shape, text string) {
		for _, f := range emitted(t, p) {
			if f.Name == names.SharedFile {
				return between(t, f.Content, "Shape: "), emit.TextHash(p)
			}
		}
		t.Fatal("no shared file")
		return "", ""
	}
	for _, c := range hashCases {
		a, err := txtar.ParseFile("testdata/golden/" + c.project + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		shape, prose := hashes(load(t, a.Files))
		p := load(t, a.Files)
		c.change(p)
		newShape, newText := hashes(p)
		if (newShape != shape) != c.shape || (newText != prose) != c.text {
			t.Errorf("%s, %s: the shape changes: %v, the text changes: %v", c.project, c.name, newShape != shape, newText != prose)
		}
	}
}

func between(t *testing.T, content []byte, label string) string {
	t.Helper()
	_, after, found := bytes.Cut(content, []byte(label+`"`))
	value, _, ends := bytes.Cut(after, []byte(`"`))
	if !found || !ends {
		t.Fatalf("no %s in\n%s", label, content)
	}

	return string(value)
}
