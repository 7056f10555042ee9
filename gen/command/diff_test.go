package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// refund is a project with a workflow that waits for a person.
const refund = `
-- workflows/refund.yaml --
version: "0.1"
name: refund
agents:
  clerk: {model: "openai:gpt-4o-mini", system_prompt: Say how much is to be paid back., model_settings: {max_tokens: 100}}
steps:
  - kind: StateMachine
    name: refund
    start_state: propose
    end_states: [paid, refused]
    states:
      propose: [{name: propose, uses: agents.clerk}]
      decide:
        - kind: hitl
          name: approve
          message: "Pay {{ steps.propose }} back?"
          input_schema: {type: object, properties: {approved: {type: boolean}}, required: [approved]}
      pay: [{name: pay, uses: agents.clerk}]
    transitions:
      - {from: propose, on: success, to: decide}
      - {from: decide, on: success, to: pay, when: "steps.approve.approved"}
      - {from: decide, on: success, to: refused}
      - {from: pay, on: success, to: paid}
      - {from: "*", on: failure, to: refused}
`

// gitIn runs git in a folder, and returns what it prints.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}

	return strings.TrimSpace(string(out))
}

// commit commits all files of a folder, which becomes a repository.
func commit(t *testing.T, dir, subject string) {
	t.Helper()
	gitIn(t, dir, "init", "-q")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", subject)
}

// edit replaces texts of a file, each of which is there.
func edit(t *testing.T, file string, pairs ...string) {
	t.Helper()
	text := read(t, file)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%s has no %q", file, pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Versions are folders and revisions, in the root of a repository and below it.
func TestDiffOfRevisions(t *testing.T) {
	dir := t.TempDir()
	desk := unpack(t, filepath.Join(dir, "desk"), refund)
	commit(t, dir, "one")
	workflow := filepath.Join(desk, "workflows", "refund.yaml")
	edit(t, workflow, "how much", "exactly how much")
	agentc(desk, "", "diff", "HEAD").want(t, cli.Done, "! prompt refund: clerk: Say {+exactly+} how much is to …\n")
	agentc(desk, "", "diff", "HEAD").want(t, cli.Done, "resumes  refund > refund > propose -> decide > ask approve\n")
	agentc(dir, "", "diff", "HEAD:desk", "desk").want(t, cli.Done, "HEAD:desk -> desk\n")
	agentc(dir, "", "diff", "desk", "HEAD:desk").want(t, cli.Done, "Say [-exactly-] how much")
	agentc(desk, "", "diff", ".", ".").want(t, cli.Done, "what changed\n  nothing\n")
	commit(t, dir, "two")
	agentc(desk, "", "diff", "HEAD~1", "HEAD").want(t, cli.Done, "{+exactly+}")

	edit(t, workflow, "to: decide}", "to: audit}\n      - {from: audit, on: success, to: decide}", "      pay:", "      audit: [{name: audit, uses: agents.clerk}]\n      pay:")
	agentc(desk, "", "diff", "HEAD").want(t, cli.Problem, "stuck    refund > refund > propose -> decide > ask approve (the logic of\n")
	agentc(desk, "", "diff", "HEAD", "--format", "markdown").want(t, cli.Problem, "```mermaid\nflowchart TD\n")
	agentc(desk, "", "diff", "HEAD", "--format", "svg").want(t, cli.Problem, `class="frame state added"`)
	var report struct {
		Changes, Places []map[string]any
		Worse           []string
	}
	r := agentc(desk, "", "diff", "HEAD", "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil || len(report.Changes) < 4 || len(report.Places) != 1 || len(report.Worse) == 0 {
		t.Errorf("%v: %s", err, r.stdout)
	}
	if out := gitIn(t, dir, "status", "--porcelain"); strings.Count(out, "\n") > 0 || !strings.HasPrefix(out, "M ") {
		t.Errorf("the repository has changed: %s", out)
	}
}

// What cannot be compared is named, and the exit code is never 0.
func TestDiffOfWhatIsNoProject(t *testing.T) {
	plain := t.TempDir()
	unpack(t, plain, refund)
	agentc(plain, "", "diff").want(t, cli.Usage, "", "name what to compare with")
	agentc(plain, "", "diff", "HEAD").want(t, cli.Usage, "", "HEAD is neither a folder nor a git revision: there is no git repository here")

	dir := t.TempDir()
	unpack(t, dir, "-- docs/page.md --\nA page.\n")
	commit(t, dir, "without a project")
	unpack(t, dir, refund)
	commit(t, dir, "with a project")
	agentc(dir, "", "diff", "nothing").want(t, cli.Usage, "", "there is no revision nothing")
	agentc(dir, "", "diff", "--", "--output=x").want(t, cli.Usage, "", "there is no revision --output=x")
	agentc(dir, "", "diff", "HEAD~1").want(t, cli.Problem, "", "HEAD~1 is not a project: it has neither")
	agentc(dir, "", "diff", "HEAD:nothing").want(t, cli.Problem, "", "HEAD has no folder nothing")
	agentc(dir, "", "diff", "HEAD:../x").want(t, cli.Usage, "", "HEAD:../x is not in the repository")
	agentc(dir, "", "diff", "HEAD:docs").want(t, cli.Problem, "", "HEAD:docs is not a project")
	agentc(dir, "", "diff", "docs").want(t, cli.Problem, "", "docs is not a project")
	agentc(dir, "", "diff", "HEAD", "--store", "nothing").want(t, cli.Usage, "", "--store nothing does not exist")
	agentc(dir, "", "diff", "HEAD", "--store", "docs/page.md").want(t, cli.Usage, "", "the store docs/page.md is not a folder")
	agentc(dir, "", "diff", "HEAD", "--attempts", "0").want(t, cli.Usage, "", "--attempts")
}

// The errors of a version are printed with its name and their place.
func TestDiffOfAFaultyVersion(t *testing.T) {
	dir := unpack(t, t.TempDir(), refund)
	commit(t, dir, "right")
	workflow := filepath.Join(dir, "workflows", "refund.yaml")
	edit(t, workflow, "to: decide}", "to: decid}")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Problem, "", "workflows/refund.yaml:19:42", "in .\n")
	commit(t, dir, "wrong")
	edit(t, workflow, "to: decid}", "to: decide}")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Problem, "", "HEAD:workflows/refund.yaml:19:42", "in HEAD\n")
}

// A paused run is resumed after a change of words and stuck after one of rows. Runs of other programs, runs that have ended, and damaged
// ones are no runs that wait.
func TestDiffOfRuns(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := moduleWithAgentc(t)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples", "approval"))); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "main.go"), "github.com/agentc-dev/agentc/examples/approval/agents", "example.org/lib/agents")
	edit(t, filepath.Join(dir, "ledger.go"), "github.com/agentc-dev/agentc/examples/approval/agents", "example.org/lib/agents")
	store := filepath.Join(dir, ".agentc", "runs")
	commit(t, dir, "one")
	bin := filepath.Join(t.TempDir(), "approval.exe")
	if out, err := exec.Command("go", "build", "-o", bin, filepath.Join(root, "examples", "approval")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(bin, "run", "--store", store, "A-1042 was charged twice.")
	if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != cli.Paused {
		t.Fatalf("%v\n%s", err, out)
	}
	journals, err := filepath.Glob(filepath.Join(store, "*.journal"))
	if err != nil || len(journals) != 1 {
		t.Fatal(journals, err)
	}
	run := strings.TrimSuffix(filepath.Base(journals[0]), ".journal")
	keepRun(t, store, "other", "desk", "poet", 1)
	keepRun(t, store, "done", "refund", "refund", 1)
	content, err := os.ReadFile(journals[0])
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Replace(bytes.Clone(content), []byte(run+"\n"), []byte("damaged\n"), 1)
	damaged[len(damaged)/2] ^= 1
	if err := os.WriteFile(filepath.Join(store, "damaged.journal"), damaged, 0o600); err != nil {
		t.Fatal(err)
	}

	workflow := filepath.Join(dir, "workflows", "refund.yaml")
	edit(t, workflow, "and why.", "and why it is right.")
	r := agentc(dir, "", "diff", "HEAD")
	r.want(t, cli.Problem, "runs of the store\n  resumes  "+run+", paused: refund > ask approve\n\nruns that cannot be read\n  damaged: ")
	agentc(dir, "", "resume", run, "--project", dir, "--store", store).want(t, cli.Paused, "") // as diff says
	for _, other := range []string{"other", "done"} {
		if strings.Contains(r.stdout, "  "+other+",") {
			t.Errorf("run %s is judged:\n%s", other, r.stdout)
		}
	}
	commit(t, dir, "two")
	edit(t, workflow, "on: success, to: refused}", "on: success, to: paid}")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Problem, "  stuck    "+run+", paused: refund > ask approve (the logic\n      of refund has changed)\n")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Problem, "worse\n  a run that pauses at refund > refund > propose -> decide > ask approve is\n      stuck\n  run "+run+": stuck\n")
	agentc(dir, "", "resume", run, "--project", dir, "--store", store).want(t, cli.Problem, "", "needs another version of the program") // as diff says
}

// The runs of a database are judged and counted as those of a folder are. One that cannot be opened is an error, and not a store without
// runs.
func TestDiffOfRunsInADatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles SQLite")
	}
	dir := diffOfStore(t, "sqlite:data/runs.db")
	unpack(t, dir, "-- data/other.db --\nThis is no database, and has more bytes than the header of one.\n")
	for _, args := range [][]string{{"diff", "HEAD"}, {"cost"}} {
		agentc(dir, "", append(args, "--store", "sqlite:data/other.db")...).want(t, cli.Problem, "", "the store sqlite:data/other.db cannot be used: ")
	}
	t.Setenv("AGENTC_STORE", "postgres://ada:s3cr3t-word@127.0.0.1:1/runs?connect_timeout=2")
	r := agentc(dir, "", "diff", "HEAD")
	r.want(t, cli.Problem, "", "the store postgres://ada:xxxxx@127.0.0.1:1/runs cannot be used: ")
	if strings.Contains(r.stderr, "s3cr3t") {
		t.Errorf("the password is shown: %s", r.stderr)
	}
}

// The same with a server of PostgreSQL.
func TestDiffOfRunsInPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the client of PostgreSQL")
	}
	diffOfStore(t, postgresServer(t))
}

// diffOfStore has a run in a store wait for an answer, and end, and returns the folder of its project.
func diffOfStore(t *testing.T, store string) (dir string) {
	t.Helper()
	t.Setenv("AGENTC_STORE", "")
	dir = filepath.Join(unpack(t, t.TempDir(), strings.Replace(payer, "-- p/agentc.yaml --\n", "-- p/agentc.yaml --\nstore: \""+store+"\"\n", 1)), "p")
	commit(t, dir, "one")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Done, "what changed\n  nothing\n")
	agentc(dir, "", "run", "first").want(t, cli.Paused, "")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Done, "runs of the store\n  resumes  ")
	if file, isFile := strings.CutPrefix(store, "sqlite:"); isFile { // which is named from where the command is
		elsewhere := agentc(filepath.Dir(dir), "", "diff", "p", "p", "--store", "sqlite:p/"+file)
		elsewhere.want(t, cli.Done, "runs of the store\n  resumes  ")
	}
	agentc(dir, "", "answer", "last", "approve", `{"approved": true}`).want(t, cli.Done, `{"approved":true}`)
	agentc(dir, "", "cost").want(t, cli.Done, "median of 1 run  ")

	return dir
}

// postgresServer starts a server in a process of its own, which ends with the test, and returns its address. Where PostgreSQL is not
// installed the test is skipped, but not where everything has to be tested.
func postgresServer(t *testing.T) (address string) {
	t.Helper()
	root := repository(t)
	sums, err := os.ReadFile(filepath.Join(root, "runtime/postgres/go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := unpack(t, t.TempDir(), fmt.Sprintf("-- go.mod --\nmodule server\n\ngo 1.25.0\n\nrequire (\n"+
		"\tgithub.com/agentc-dev/agentc v0.0.0\n\tgithub.com/agentc-dev/agentc/runtime/postgres v0.0.0\n)\n\n"+
		"replace github.com/agentc-dev/agentc => %q\n\nreplace github.com/agentc-dev/agentc/runtime/postgres => %q\n-- go.sum --\n%s-- main.go --\n%s",
		root, filepath.Join(root, "runtime/postgres"), sums, postgresMain))
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close() // which ends the server
		_ = cmd.Wait()
	})
	if _, err := fmt.Fscan(stdout, &address); err != nil {
		if strings.Contains(stderr.String(), "is not installed") && os.Getenv("CI") == "" {
			t.Skip("PostgreSQL is not installed")
		}
		t.Fatalf("%v: %s", err, stderr.String())
	}

	return address
}

// postgresMain starts a server, prints the address of a database, and ends with its standard input.
const postgresMain = `package main

import (
	"fmt"
	"io"
	"os"

	"github.com/agentc-dev/agentc/runtime/postgres/postgrestest"
)

func main() {
	server, err := postgrestest.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer server.Stop()
	address, err := server.New("runs")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println(address)
	_, _ = io.Copy(io.Discard, os.Stdin)
}
`
