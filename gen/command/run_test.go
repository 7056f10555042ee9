package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

func TestRunInABareFolderWritesNothing(t *testing.T) {
	for _, name := range []string{"plain", "a b", "bäre 'odd\" $name", "-C", "#x%41&"} {
		if goruntime.GOOS == "windows" && strings.ContainsAny(name, `"`) {
			continue
		}
		work := t.TempDir()
		dir := unpack(t, filepath.Join(work, name), critic)
		unpack(t, work, criticScript)
		before := tree(t, dir)
		readOnly(t, dir)

		for range 2 {
			agentc(work, "", "run", "--script", "answers.yaml", "--", name, "a task").want(t, cli.Done, "well done\n",
				"critic: draft --bad--> refine\ncritic: refine --> draft\ncritic: draft --good--> done\n")
		}
		sameTree(t, before, tree(t, dir))
	}
}

// readOnly takes the right to write away from all folders below dir, until the test ends.
func readOnly(t *testing.T, dir string) {
	t.Helper()
	chmod := func(mode os.FileMode) {
		err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() {
				err = os.Chmod(name, mode)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	chmod(0o555)
	t.Cleanup(func() { chmod(0o755) })
}

// The second run of a bare folder needs no go command: there is nothing to build.
func TestSecondRunBuildsNothing(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, criticScript)
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Done, "well done\n")

	t.Setenv("PATH", t.TempDir())
	agentc(dir, "", "run", "--script", "answers.yaml", "another").want(t, cli.Done, "well done\n")
	unpack(t, dir, strings.Replace(critic, "Rewrite.", "Rewrite it.", 1))
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Failure, "", "the go command is not in PATH")
}

// A build that takes long is announced on stderr, whether or not that is a terminal; what is built
// already is not, and --quiet says nothing.
func TestLongBuildsSaySo(t *testing.T) {
	everyBuildIsLong(t)
	dir := unpack(t, t.TempDir(), critic, criticScript)
	run := []string{"run", "--script", "answers.yaml", "a task"}
	agentc(dir, "", run...).want(t, cli.Done, "well done\n", slowBuildMessage+"\n")
	if again := agentc(dir, "", run...); strings.Contains(again.stderr, slowBuildMessage) {
		t.Errorf("nothing is built, and stderr is\n%s", again.stderr)
	}
	agentc(dir, "", "build", "-o", "app").want(t, cli.Done, "", slowBuildMessage+"\napp for ")
	if quiet := agentc(dir, "", "build", "-o", "app", "--quiet"); quiet.stderr != "" {
		t.Errorf("--quiet: %s", quiet.stderr)
	}
}

// everyBuildIsLong has each build announced during a test.
func everyBuildIsLong(t *testing.T) {
	before := slowBuildDelay
	t.Cleanup(func() { slowBuildDelay = before })
	slowBuildDelay = 0
}

func TestTaskAndFolder(t *testing.T) {
	const script = "\n-- echo.yaml --\n\"*\": [{finish: {key: good, value: \"{{input}}\"}}]\n"
	dir := unpack(t, t.TempDir(), critic, script, "-- other/x --\n")
	for _, test := range []struct {
		args, stdin  string
		code         int
		stdout, text string
	}{
		{"run -|from stdin", "", cli.Done, "from stdin\n", ""},
		{"run", "piped\n", cli.Done, "piped\n", ""},
		{"run|.", "piped\n", cli.Done, "piped\n", ""},
		{"run|.|given", "piped\n", cli.Done, "given\n", ""},
		{"run|", "", cli.Done, "\n", ""},
		{"run|agents/draft/AGENT.md|given", "", cli.Done, "given\n", ""},
		{"run|agents/draft|given", "", cli.Done, "given\n", ""},
		{"run|--|--json", "", cli.Done, "--json\n", ""},
		{"run|nowhere|given", "", cli.Usage, "", "nowhere does not exist\nthe first argument is the project"},
		{"run|other", "x", cli.Problem, "", "other is not a project"},
		{"run|agents", "x", cli.Problem, "", "it is in the project .\n"},
		{"run|given|--agent=", "", cli.Usage, "", "--agent needs a value: --agent NAME"},
		{"run|given|--agent|drat", "", cli.Usage, "", `there is no agent "drat" (did you mean "draft"?)`},
		{"run|given|--main|x", "", cli.Usage, "", "--main: . is in no Go module that requires agentc"},
		{"run|given|--env-file|none", "", cli.Usage, "", "--env-file none: there is no such file"},
	} {
		args := strings.Split(strings.Replace(test.args, "run -|", "run|", 1), "|")
		agentc(dir, test.stdin, append([]string{args[0], "--script", "echo.yaml"}, args[1:]...)...).want(t, test.code, test.stdout, test.text)
	}

	agentc(filepath.Join(dir, "other"), "", "run", "./nowhere").want(t, cli.Problem, "",
		"it is in the project ..\nthere is no folder or file \"./nowhere\", so it was treated as the task\n")
	agentc(dir, "", "run", "--script", "agents", "x").want(t, cli.Usage, "", "agentc: --script agents: it is a folder, not a file")
	agentc(dir, "", "run", "--script", "none.yaml", "x").want(t, cli.Usage, "", "agentc: --script none.yaml: there is no such file")
	agentc(dir, "", "run", "--script", "echo.yaml", "--json", "x").want(t, cli.Done, `{"event":"run",`)
	agentc(dir, "", "run", "x").want(t, cli.Problem, "", "missing  model role thinker: no model is configured for it\n")
}

func TestScriptMistakes(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, `
-- ran-out.yaml --
draft: [{finish: {key: bad, value: x}}]
refine: [{say: x}]
-- left-over.yaml --
draft: [{finish: {key: good, value: x}}]
refine: [{say: x}]
-- unknown.yaml --
draf: [{say: x}]
`)
	run := func(script string, flags ...string) result {
		return agentc(dir, "", append([]string{"run", "--script", script, "x"}, flags...)...)
	}
	run("ran-out.yaml").want(t, cli.Problem, "", `critic: script, "draft"`)
	run("left-over.yaml").want(t, cli.Problem, "", `critic: script, "refine"`)
	run("left-over.yaml", "--partial").want(t, cli.Done, "x\n")
	run("unknown.yaml").want(t, cli.Problem, "", "unknown.yaml:1:1: error:", `did you mean "draft"?`)
}

func TestProjectsWithoutOneEntryPoint(t *testing.T) {
	dir := unpack(t, t.TempDir(), strings.Replace(critic, "entrypoint: critic", "package: agents", 1), `
-- agents/other/AGENT.md --
---
name: other
description: Another.
version: "1"
pattern: oneshot
---

Answer.
-- agents/door/AGENT.md --
---
name: door
description: A door.
version: "1"
pattern: fsm
drive: external
initial: a
states:
  a: b
  b: ~
---
-- s.yaml --
"*": [{finish: {key: good, value: x}}]
`)
	agentc(dir, "", "run", "--script", "s.yaml", "x").want(t, cli.Usage, "", "choose one with --agent: critic, other")
	agentc(dir, "", "run", "--script", "s.yaml", "x", "--agent", "critic").want(t, cli.Done, "x\n")
	agentc(dir, "", "run", "--script", "s.yaml", "x", "--agent", "door").want(t, cli.Problem, "", `"door" is a machine that others drive`)

	// A binary without an entry point is called as its file.
	agentc(dir, "", "build", "-o", "change.exe").want(t, cli.Done, "", "change.exe for ")
	out, err := exec.Command(filepath.Join(dir, "change.exe"), "frobnicate").CombinedOutput()
	if err == nil || string(out) != "change: unknown command \"frobnicate\"\nchange --help lists the commands\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestTypedToolsWithoutGo(t *testing.T) {
	dir := unpack(t, t.TempDir(), clerk, clerkScript, `
-- half.yaml --
tools:
  find_order: [{result: "an order"}]
clerk:
  - call: [{name: read_skill, args: {name: orders}}]
  - call: {name: find_order, args: {id: "7"}}
  - finish: {key: done, value: x}
`)
	// A script names the tools that are called. A call of another one fails.
	agentc(dir, "", "run", "--script", "half.yaml", "x").want(t, cli.Done, "x\n")
	half, err := os.ReadFile(filepath.Join(dir, "half.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	called := strings.Replace(string(half), "  - finish:", "  - call: {name: pay_back, args: {id: \"7\"}}\n  - finish:", 1)
	unpack(t, dir, "-- called.yaml --\nask: {pay_back: [yes]}\n"+called)
	agentc(dir, "", "run", "--script", "called.yaml", "x").want(t, cli.Problem, "",
		`clerk: script, tools, "pay_back": ran out: the list has 0 answers`)

	agentc(dir, "", "run", "x").want(t, cli.Problem, "", "FindOrder(", "PayBack(", "2 errors; ")
	agentc(dir, "", "build").want(t, cli.Problem, "", "2 errors; methods belong in a package main of a module that requires ")

	answers := strings.Replace(clerkScript, "ask:", "tools:\n  find_order: [{result: order}]\n  pay_back: [{result: ok}]\nask:", 1)
	unpack(t, dir, answers)
	agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Done, "paid\n")

	// A script that the models name answers as well: it is compiled in.
	unpack(t, dir, "-- agentc.yaml --\nmodels: {default: \"script:answers.yaml\"}\n")
	agentc(dir, "", "run", "x").want(t, cli.Done, "paid\n")
	agentc(dir, "", "build", "-o", "clerk.exe").want(t, cli.Done, "")
}

// Methods without a module are not overlooked in silence.
func TestMethodsWithoutAModule(t *testing.T) {
	dir := unpack(t, t.TempDir(), clerk, clerkScript, clerkTools)
	agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Problem, "",
		"the package main of . is not used: the folder is in no Go module that requires github.com/agentc-dev/agentc\n",
		`clerk: script, tools, "find_order": ran out: the list has 0 answers`)
}

func TestRunInAModule(t *testing.T) {
	dir := unpack(t, t.TempDir(), userModule(t), clerk, clerkScript, clerkTools, "-- .env --\nCLERK=\"Ann\" # who\n")
	agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Problem, "",
		"agents: 2 written, 0 unchanged\n",
		"tools does not implement agents.Tools (missing method PayBack)\n",
		"what implements agents.Tools has these methods:\n  func (tools) FindOrder(ctx context.Context, in agents.FindOrderInput) (string, error)\n"+
			"  func (tools) PayBack(ctx context.Context, in agents.PayBackInput) (string, error)\n")

	unpack(t, dir, clerkPay)
	agentc(dir, "", "run", "--script", "answers.yaml", "--env-file", ".env", "--json", "x").want(t, cli.Done,
		`"name":"find_order","args":{"id":"7"},"result":"order 7 of Ann"`)

	// A person has to confirm, and there is none: exit code 4.
	unpack(t, dir, strings.Replace(clerkScript, "ask:\n  pay_back: [yes]\n", "", 1))
	agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Paused, "", `clerk: paused: question "pay_back" waits for an answer`)

	// Several programs.
	unpack(t, filepath.Join(dir, "cmd", "one"), clerkTools, clerkPay)
	unpack(t, filepath.Join(dir, "cmd", "two"), clerkTools, clerkPay)
	for _, name := range []string{"tools.go", "pay.go"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	unpack(t, dir, clerkScript)
	agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Usage, "", "choose one with --main: cmd/one, cmd/two")
	agentc(dir, "", "run", "--script", "answers.yaml", "--main", "cmd/two", "x").want(t, cli.Done, "paid\n")
}

// Without a package main one is laid over the module; a library beside it does not matter.
func TestRunInAModuleWithoutMain(t *testing.T) {
	dir := unpack(t, t.TempDir(), userModule(t), critic, criticScript, "-- lib.go --\npackage lib\n\nimport _ \"example.org/user/agents\"\n")
	for range 2 {
		agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Done, "well done\n")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 { // agentc.yaml, agents, answers.yaml, go.mod, lib.go
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

// Processes that compile, build and run the same projects at the same time, with an empty cache.
func TestConcurrentRuns(t *testing.T) {
	binary := ownBinary(t)
	bare := unpack(t, t.TempDir(), critic, criticScript)
	module := unpack(t, t.TempDir(), userModule(t), critic, criticScript)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var group sync.WaitGroup
	for i := range 6 {
		dir := bare
		if i%2 == 0 {
			dir = module
		}
		group.Go(func() {
			cmd := exec.Command(binary, "-C", dir, "run", "--script", "answers.yaml", fmt.Sprint("task ", i))
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if out, err := cmd.Output(); err != nil || string(out) != "well done\n" {
				t.Errorf("run %d: %q, %v\n%s", i, out, err, stderr.String())
			}
		})
	}
	group.Wait()
	agentc(module, "", "generate", "--check").want(t, cli.Done, "")
}

func TestWithoutAWayToTheRuntime(t *testing.T) {
	t.Cleanup(func() { findOrigin = detectOrigin })
	dir := unpack(t, t.TempDir(), critic, criticScript)

	findOrigin = func() origin { return origin{} }
	agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Failure, "",
		"agentc's source cannot be read where this program was compiled from it",
		"the build information of this program names no version of github.com/agentc-dev/agentc to require")

	if got, err := (origin{version: "v1.2.3"}).requirement(); err != nil || got != "require github.com/agentc-dev/agentc v1.2.3\n" {
		t.Errorf("%q, %v", got, err)
	}
	if own := detectOrigin(); own.dir != repository(t) {
		t.Errorf("the source is in %q", own.dir)
	}
	if got := checkoutRoot(t.TempDir()); got != "" {
		t.Errorf("%q is agentc", got)
	}
}

// An interrupt reaches the program that runs: the tool that is under way finishes, and the run
// ends.
func TestInterruptReachesTheRun(t *testing.T) {
	if goruntime.GOOS == "windows" {
		t.Log("a console delivers interrupts itself")
		return
	}
	dir := unpack(t, t.TempDir(), userModule(t), clerk, clerkPay, clerkScript, strings.Replace(clerkTools, `	return "order`,
		`	os.Stdout.WriteString("at work\n")
	var line [5]byte
	_, _ = os.Stdin.Read(line[:])
	return "order`, 1))
	cmd := exec.Command(ownBinary(t), "-C", dir, "run", "--script", "answers.yaml", "x")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	stopped := &signalAfter{text: "stopping at the next safe point", then: func() { fmt.Fprintln(stdin, "go on") }, to: &stderr}
	cmd.Stderr = stopped
	cmd.Stdout = &signalAfter{text: "at work\n", then: func() { _ = cmd.Process.Signal(syscall.SIGINT) }, to: &bytes.Buffer{}}
	err = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGINT) || !strings.Contains(stderr.String(), "clerk: the run was cancelled: interrupted") {
		t.Errorf("exit code %d, %v; stderr:\n%s", code, err, stderr.String())
	}
}

// signalAfter does something once, when a text has been written to it.
type signalAfter struct {
	text string
	then func()
	to   *bytes.Buffer
}

func (s *signalAfter) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	if s.then != nil && strings.Contains(s.to.String(), s.text) {
		s.then()
		s.then = nil
	}

	return n, err
}

// A module that the go command does not see, because of a workspace or the environment, is named
// with the cure; a folder that is in none needs no module.
func TestRunInAModuleThatIsNotSeen(t *testing.T) {
	work := unpack(t, t.TempDir(), "-- go.work --\ngo 1.25.0\n\nuse ./other\n-- other/go.mod --\nmodule other\n\ngo 1.25.0\n")
	dir := unpack(t, filepath.Join(work, "app"), userModule(t), critic, criticScript)
	bare := unpack(t, t.TempDir(), critic, criticScript)
	t.Setenv("GOWORK", "")
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Problem, "", "go.work does not list it; run in ", ": go work use ./app\n")
	t.Setenv("GO111MODULE", "off")
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Problem, "", "GO111MODULE=off turns modules off; unset it")
	agentc(bare, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Done, "well done\n")
}

// A package main without a function main, which has only a line for go generate, is no program: one
// is made beside it.
func TestAPackageMainWithoutMain(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, criticScript, userModule(t), "-- generate.go --\npackage main\n")
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Done, "well done\n")
}

func TestWithoutACacheFolder(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, criticScript, "-- file --\n")
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, filepath.Join(dir, "file"))
	}
	agentc(dir, "", "run", "--script", "answers.yaml", "x").want(t, cli.Failure, "", "agentc: the user's cache folder cannot be used: ")
	agentc(dir, "", "generate").want(t, cli.Done, "", "5 written, 0 unchanged")
}

// A run prints the warnings of what runs, check those of the whole project.
func TestRunPrintsItsOwnWarnings(t *testing.T) {
	dir := unpack(t, t.TempDir(), `
-- workflows/a.yaml --
version: "1"
name: a
steps:
  - {name: last, input: "from a", updates_context: true}
-- workflows/b.yaml --
version: "1"
name: b
steps:
  - {name: last, input: "from b", updates_context: true}
`)
	if ran := agentc(dir, "", "check"); ran.code != cli.Done || strings.Count(ran.stdout, "[unused-output]") != 2 {
		t.Errorf("check prints\n%s", ran.stdout)
	}
	for i, args := range [][]string{{"workflows/a.yaml", "x"}, {"--agent", "a", ".", "x"}} {
		ran := agentc(dir, "", append([]string{"run", "--store", "none"}, args...)...)
		ran.want(t, cli.Done, "from a", []string{"workflows/a.yaml:4:", "1 warning, as before"}[i])
		if strings.Contains(ran.stderr, "b.yaml") {
			t.Errorf("%q prints\n%s", args, ran.stderr)
		}
	}
}

// A module that go mod tidy has to complete first is a problem of the project, in plain words.
func TestRunInAnUntidyModule(t *testing.T) {
	for name, gomod := range map[string]string{
		"go.mod": strings.Replace(userModule(t), "go 1.25.0", "go 1.24", 1),
		"go.sum": userModule(t) + "\nrequire golang.org/x/mod v0.1.0\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOFLAGS", "-mod=readonly")
			dir := unpack(t, t.TempDir(), gomod, clerk, clerkScript, clerkTools)
			ran := agentc(dir, "", "run", "--script", "answers.yaml", "x")
			ran.want(t, cli.Problem, "", "agentc: go.mod and go.sum of the module of . are not up to date; run there: go mod tidy\n")
			if strings.Contains(ran.stderr, "exit status") {
				t.Errorf("the go command's own words are in\n%s", ran.stderr)
			}
		})
	}
}

// So is one where only the checksum of a package that the tools import is missing: the go command
// notices it when it builds.
func TestRunWithoutChecksum(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=readonly")
	own, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	sum := regexp.MustCompile(`golang\.org/x/mod (\S+)/go\.mod .*\n`).FindSubmatch(own)
	dir := unpack(t, t.TempDir(), userModule(t)+"\nrequire golang.org/x/mod "+string(sum[1])+"\n", clerk, clerkScript, clerkTools,
		"-- go.sum --\n"+string(sum[0]), "-- semver.go --\npackage main\n\nimport _ \"golang.org/x/mod/semver\"\n")
	ran := agentc(dir, "", "run", "--script", "answers.yaml", "x")
	ran.want(t, cli.Problem, "", "agentc: go.mod and go.sum of the module of . are not up to date; run there: go mod tidy\n")
	if strings.Contains(ran.stderr, "missing go.sum entry") {
		t.Errorf("the go command's own words are in\n%s", ran.stderr)
	}
}

// Warnings are shown by the first run; the same ones again are one line, and with --quiet no line.
func TestWarningsOnce(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, criticScript, "-- agents/draft/draft.md --\n---\n---\nNothing reads this.\n")
	run := func(flags ...string) result {
		return agentc(dir, "", append([]string{"run", "--script", "answers.yaml", "x"}, flags...)...)
	}
	run().want(t, cli.Done, "well done\n", "[unused-step-file]")
	if again := run(); strings.Contains(again.stderr, "[") || !strings.Contains(again.stderr, "1 warning, as before: agentc check lists them\n") {
		t.Errorf("the second run says:\n%s", again.stderr)
	}
	if quiet := run("--quiet"); quiet.stderr != "" || quiet.stdout != "well done\n" {
		t.Errorf("--quiet: %q, %s", quiet.stdout, quiet.stderr)
	}
}
