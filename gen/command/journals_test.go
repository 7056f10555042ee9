package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// payer asks a person before it writes; the answer has a schema.
const payer = `
-- p/agentc.yaml --
models: {default: "script:s.json"}
-- p/s.json --
{"*": [{"say": "It is paid."}]}
-- p/workflows/pay.yaml --
version: "0.1"
name: pay
steps:
  - kind: StateMachine
    name: pay
    start_state: decide
    end_states: [paid, refused]
    states:
      decide:
        - {name: plan, uses: agents.teller}
        - {kind: hitl, name: approve, message: "Pay it?", input_schema: {type: object, properties: {approved: {type: boolean}}, required: [approved]}}
    transitions:
      - {from: decide, on: success, to: paid, when: "steps.approve.approved"}
      - {from: decide, on: success, to: refused}
      - {from: decide, on: failure, to: refused}
agents:
  teller: {model: "script:s.json", system_prompt: "Say what is to be paid."}
`

// A journal needs no program: runs are listed, drawn, answered, cancelled, exported and removed
// while the sources have errors, from whatever folder. Nothing is built for it.
func TestRunsOfBrokenSources(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := unpack(t, t.TempDir(), payer)
	agentc(dir, "", "run", "p", "first").want(t, cli.Paused, "")
	agentc(dir, "", "run", "p", "second").want(t, cli.Paused, "")
	if found, err := filepath.Glob(filepath.Join(dir, "p", ".agentc", "runs", "*.journal")); err != nil || len(found) != 2 {
		t.Fatalf("the runs of the project are %q, %v", found, err)
	}
	inside := filepath.Join(dir, "p")
	agentc(inside, "", "runs").want(t, cli.Done, ": Pay it?")
	drawn := agentc(inside, "", "runs", "show", "last")

	workflow := filepath.Join(inside, "workflows", "pay.yaml")
	sources, err := os.ReadFile(workflow)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(sources), "start_state: decide", "start_state: decides", 1)
	if err := os.WriteFile(workflow, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir()) // no go command

	agentc(dir, "", "runs", "--project", "p").want(t, cli.Done, ": Pay it?")
	if got := agentc(inside, "", "runs", "show", "last"); got.code != cli.Done || got.stdout != drawn.stdout || got.stderr != "" {
		t.Errorf("exit code %d, stdout:\n%s\nstderr:\n%s", got.code, got.stdout, got.stderr)
	}
	agentc(inside, "", "runs", "export", "last", "-o", "out.jsonl").want(t, cli.Done, "", "is recorded in out.jsonl")
	if recorded, err := os.ReadFile(filepath.Join(inside, "out.jsonl")); err != nil || !strings.Contains(string(recorded), "Say what is to be paid.") {
		t.Errorf("the recording is %q, %v", recorded, err)
	}
	agentc(inside, "", "runs", "show", "last", "--at", "1", "--request").want(t, cli.Done, "Say what is to be paid.")
	tokens := filepath.Join(inside, filepath.FromSlash(access.DefaultFile))
	if _, err := access.Add(tokens, access.Grant{Name: "ann", Rights: access.Rights()}); err != nil {
		t.Fatal(err)
	}
	for _, place := range [][]string{{"--project", "p"}, {"--project", "p", "--store", "p/.agentc/runs"}} { // the folder of the project counts
		agentc(dir, "", append([]string{"cancel", "last"}, place...)...).want(t, cli.Problem, "", "p/.agentc/tokens.yaml defines who may do what, so that you need a token")
	}
	if err := os.Remove(tokens); err != nil {
		t.Fatal(err)
	}
	agentc(inside, "", "cancel", "last").want(t, cli.Done, "", "is cancelled; to resume: agentc")
	agentc(inside, "", "runs", "prune", "--older", "0s", "--status", "cancelled").want(t, cli.Done, "-")
	agentc(inside, "", "runs", "--json", "--status", "cancelled").want(t, cli.Done, "")

	agentc(inside, "", "answer", "last", "aprove", "{}").want(t, cli.Problem, "", `it waits for "approve"`)
	answered := agentc(inside, "", "answer", "last", "approve", `{"approved":"perhaps"}`)
	answered.want(t, cli.Problem, "", "decides", "the answer is recorded; to resume: agentc", "resume")
	agentc(inside, "", "answer", "last", "approve", `{"approved":true}`).want(t, cli.Problem, "", "has been answered")
	agentc(inside, "", "resume", "last").want(t, cli.Problem, "", "decides")

	empty := t.TempDir() // a cache without the binary
	t.Setenv("HOME", empty)
	t.Setenv("XDG_CACHE_HOME", empty)
	for _, command := range []string{"runs show last --at 1 --request", "runs export last -o none.jsonl"} {
		agentc(inside, "", strings.Fields(command)...).want(t, cli.Problem, "", "decides", "no binary of that is available")
	}
}

// An answer that was recorded without the program is checked when the run is resumed, which asks
// again if it does not fit.
func TestAnswerWithoutTheProgramIsChecked(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := filepath.Join(unpack(t, t.TempDir(), payer), "p")
	agentc(dir, "", "run", ".", "first").want(t, cli.Paused, "")
	config := filepath.Join(dir, "agentc.yaml")
	sound, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	breakIt := func(content string) {
		if err := os.WriteFile(config, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	breakIt("modells: {}\n")
	agentc(dir, "", "answer", "last", "approve", `{"approved":"perhaps"}`, "--no-resume").want(t, cli.Done, "", "the answer is recorded")
	breakIt(string(sound))
	agentc(dir, "", "resume", "last").want(t, cli.Paused, "", "perhaps", "does not fit", "Pay it?")
	agentc(dir, "", "runs").want(t, cli.Done, ": The answer ")
	agentc(dir, "", "answer", "last", "approve", `{"approved":true}`).want(t, cli.Done, "approved")
	agentc(dir, "", "runs").want(t, cli.Done, "paid")
}

// The runs of a folder whose project is gone are still found, and words that runs does not know
// need no project.
func TestRunsWithoutAProject(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := unpack(t, t.TempDir(), payer)
	agentc(dir, "", "run", "p", "first").want(t, cli.Paused, "")
	inside := filepath.Join(dir, "p")
	remove(t, filepath.Join(inside, "workflows"))
	agentc(inside, "", "runs").want(t, cli.Done, ": Pay it?")
	agentc(dir, "", "runs").want(t, cli.Problem, "", ". is not a project")
	agentc(dir, "", "runs", "--store", "p/.agentc/runs").want(t, cli.Done, ": Pay it?")
	agentc(dir, "", "runs", "serve").want(t, cli.Usage, "", `"serve" is none of these`)
	agentc(dir, "", "runs", "--store", "none").want(t, cli.Usage, "", "there are no runs without a store")
	agentc(dir, "", "runs", "--store", "empty").want(t, cli.Done, "", "no runs in "+filepath.Join(dir, "empty"))
}

// A run that asked no model has nothing to export, and no file is promised.
func TestExportOfNothing(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := filepath.Join(unpack(t, t.TempDir(), payer, "-- p/none.json --\n{\"*\": []}\n"), "p")
	agentc(dir, "", "run", "--script", "none.json", ".", "x")
	agentc(dir, "", "runs", "export", "last", "-o", "out.jsonl").want(t, cli.Problem, "", "nothing is written to out.jsonl")
	if fileExists(filepath.Join(dir, "out.jsonl")) {
		t.Error("a file was written")
	}
}

// An empty AGENTC_STORE names no store: the binary gets the project's alone.
func TestEmptyStoreVariable(t *testing.T) {
	t.Setenv(app.StoreVariable, "")
	p := &project{dir: t.TempDir()}
	environ, err := p.binaryEnvironment(&cli.Call{Env: &cli.Env{Getenv: os.Getenv}, Program: newProgram()}, p.dir)
	if err != nil {
		t.Fatal(err)
	}
	var stores []string
	for _, line := range environ {
		if value, found := strings.CutPrefix(line, app.StoreVariable+"="); found {
			stores = append(stores, value)
		}
	}
	if !slices.Equal(stores, []string{p.absolutePath(journal.DefaultDir)}) {
		t.Errorf("the stores of the binary are %q", stores)
	}
}
