package gen_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
)

// TestGeneratedGoPassesVet generates the Go of random programs, in each of which are many guards that check accepts, and runs go vet over
// all of them, as users do in the module that they generate into. The golden cases of package emit are vetted beside them.
func TestGeneratedGoPassesVet(t *testing.T) {
	programs := 200
	if testing.Short() {
		programs = 12
	}
	dir, accepted := newModule(t, "vetted"), 0
	for seed, right := uint64(0), 0; right < programs; seed++ {
		files := newCarelessProgram(seed, 12).files
		accepted += addGuards(t, files, seed)
		result, err := gen.Compile(t.Context(), gen.Options{FS: files})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if result.HasErrors() {
			continue
		}
		right++
		for _, f := range ofTheRuntime(result) {
			writeFile(t, filepath.Join(dir, fmt.Sprint("p", seed), f.Name), string(f.Content))
		}
	}
	t.Logf("%d guards are accepted", accepted)
	if accepted < 5*programs {
		t.Errorf("only %d guards are accepted", accepted)
	}
	writeFile(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")

	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// addGuards adds a workflow and a machine with guards that check accepts, each of which is tried alone before. It returns how many.
func addGuards(t *testing.T, files fstest.MapFS, seed uint64) (accepted int) {
	t.Helper()
	g := &guards{rand.New(rand.NewPCG(seed, 17))}
	isDeclared := g.IntN(3) > 0
	var rows []string
	for range 8 {
		if guard := g.guard(2, workflowRoots); isAccepted(t, fstest.MapFS{"workflows/w.yaml": workflowOf(isDeclared, guard)}) {
			rows = append(rows, guard)
		}
	}
	files["workflows/guards.yaml"] = workflowOf(isDeclared, rows...)
	accepted = len(rows)
	rows = nil
	for range 5 {
		guard := g.guard(2, machineRoots)
		alone := fstest.MapFS{}
		addMachineOf(alone, guard)
		if isAccepted(t, alone) {
			rows = append(rows, guard)
		}
	}
	addMachineOf(files, rows...)

	return accepted + len(rows)
}

func isAccepted(t *testing.T, files fstest.MapFS) bool {
	t.Helper()
	result, err := gen.Compile(t.Context(), gen.Options{FS: files, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}

	return !result.HasErrors()
}

// workflowOf is a workflow whose rows and whose loop have guards.
func workflowOf(isDeclared bool, guards ...string) *fstest.MapFile {
	members := object{
		"kind": object{"type": "string", "enum": []string{"a", "b", "c"}}, "n": object{"type": "integer"}, "x": object{"type": "number"},
		"ok": object{"type": "boolean"}, "text": object{"type": "string"}, "list": object{"type": "array", "items": object{"type": "string"}},
		"deep": object{"type": "object", "properties": object{"n": object{"type": "integer"}, "text": object{"type": "string"}}},
	}
	file := object{"version": "0.1", "agents": object{"judge": object{
		"model": "openai:gpt-4o-mini", "system_prompt": "Judge.",
		"output_schema": object{"type": "object", "required": []string{"kind", "n", "ok"}, "properties": members},
	}}}
	if isDeclared {
		file["context"] = object{"type": "object", "required": []string{"x"}, "properties": members}
	}
	rows := []object{}
	for _, guard := range guards {
		rows = append(rows, object{"from": "s", "on": "success", "to": "end", "when": guard})
	}
	rows = append(rows, object{"from": "s", "on": "success", "to": "end"})
	steps := []object{{"name": "ask", "uses": "agents.judge", "updates_context": true}}
	if len(guards) > 0 {
		steps = append(steps, object{"name": "turns", "kind": "loop", "loop": object{
			"max_loops": 3, "exit_expression": guards[0], "body": []object{{"name": "again", "uses": "agents.judge", "updates_context": true}},
		}})
	}
	file["steps"] = []object{{
		"kind": "StateMachine", "name": "machine", "start_state": "s", "end_states": []string{"end"}, "transitions": rows,
		"states": object{"s": steps},
	}}
	text, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}

	return &fstest.MapFile{Data: text}
}

// addMachineOf adds an agent whose rows have guards.
func addMachineOf(files fstest.MapFS, guards ...string) {
	var rows strings.Builder
	for _, guard := range guards {
		fmt.Fprintf(&rows, "    - {done: guarded-leaf, when: %q}\n", guard)
	}
	files["agents/guarded/AGENT.md"] = &fstest.MapFile{Data: []byte("---\nname: guarded\ndescription: D.\nversion: \"1.0.0\"\npattern: fsm\n" +
		"initial: ask\nmax_steps: 9\nstates:\n  ask:\n" + rows.String() + "    - \"*\": ~\n  guarded-leaf:\n    - \"*\": ~\n---\n\nDo it.\n")}
	files["agents/ask/AGENT.md"] = &fstest.MapFile{Data: []byte("---\nname: ask\ndescription: D.\nversion: \"1.0.0\"\npattern: oneshot\noutput: " +
		"{type: object, required: [n], properties: {n: {type: integer}, kind: {type: string, enum: [a, b]}, ok: {type: boolean}, text: {type: string}, " +
		"list: {type: array, items: {type: string}}, deep: {type: object, properties: {n: {type: integer}}}, x: {type: number}}}\n---\n\nDo it.\n")}
	files["agents/guarded-leaf/AGENT.md"] = &fstest.MapFile{Data: []byte("---\nname: guarded-leaf\ndescription: D.\nversion: \"1.0.0\"\npattern: oneshot\n---\n\nDo it.\n")}
}

// workflowRoots are what guards of workflows read, machineRoots what those of agents do.
var (
	workflowRoots = []string{"context", "context", "steps.ask", "context.deep", "previous_step"}
	machineRoots  = []string{"data", "steps.ask", "data.deep"}
)

// guards makes conditions.
type guards struct{ *rand.Rand }

func (g *guards) one(list ...string) string { return list[g.IntN(len(list))] }

// guard makes a condition over some values; depth is how deep others are in it. The parts of one are often about the same value.
func (g *guards) guard(depth int, roots []string) string {
	of := g.one(roots...)
	if depth > 0 && g.IntN(3) > 0 {
		x := g.guard(depth-1, []string{of})
		y := g.guard(depth-1, []string{g.one(of, of, g.one(roots...))})
		if g.IntN(12) == 0 {
			y = x
		}
		return strings.NewReplacer("X", x, "Y", y).Replace(g.one("X and Y", "X or Y", "X and Y", "(X) and (Y)", "not (X) and Y", "not (X or Y)",
			"(X or Y) and X", "X and not (Y)"))
	}
	n := fmt.Sprint(g.IntN(4))
	member := g.one("n", "n", "x", "kind", "ok", "text", "list", "deep.n", "missing")
	value := of + "." + member
	form := map[string][]string{
		"n": {"V > N", "V < N", "V >= N", "V == N", "V != N", "N < V", "V == None", "V != None", "V is None", "V in [1, 2]", "V in [N, N]", "V not in [N, 3]", "V", "not V",
			"V == O.x", "V < O.x", "O.get('n', N) > 1", "V > 1 and V < 5"},
		"x":    {"V > N.5", "V <= N", "V == None", "V != N", "V", "O.get('x', 1) > N"},
		"kind": {"V == 'a'", "V != 'b'", "V in ['a', 'c']", "V == None", "V == O.text", "V", "V.startswith('a')", "O.get('kind', 'a') == 'b'"},
		"ok":   {"V", "not V", "V == True", "V != False", "V is None", "V != None", "O.get('ok', False)"},
		"text": {"V == 'y'", "V != ''", "'x' in V", "V.startswith('x')", "V.lower() == 'z'", "V == None", "V", "not V", "V in ['a', 'b']", "'x' not in V",
			"V.strip() != ''"},
		"list":    {"'a' in V", "'b' not in V", "V", "V == None", "not V"},
		"deep.n":  {"V > N", "V == None", "V < N", "O.deep", "O.deep == None"},
		"missing": {"V", "V == 'a'", "V > N", "V == None", "O.get('missing', N) > 1"},
	}[member]

	return strings.NewReplacer("V", value, "N.5", n+".5", "None", "None", "N", n, "O", of).Replace(g.one(form...))
}
