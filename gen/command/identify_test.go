package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

// marker makes a main write a file when it is started.
const marker = `os.WriteFile("started", []byte(os.Args[len(os.Args)-1]), 0o666)`

// smallService, httpService and hybrid are programs of a user that import the generated package.
const (
	smallService = `-- main.go --
package main

import (
	"fmt"
	"os"

	"example.org/user/agents"
)

func main() {
	` + marker + `
	fmt.Println("MY SERVICE IS STARTED WITH", os.Args[1:])
	agents.New()
}
`
	httpService = `-- main.go --
package main

import (
	"net/http"
	"os"

	"example.org/user/agents"
)

func main() {
	` + marker + `
	agents.New()
	panic(http.ListenAndServe("127.0.0.1:0", nil))
}
`
)

// hybrid is a main that reaches app.Main only after a condition; otherwise it does something else.
func hybrid(condition, otherwise string) string {
	return `-- main.go --
package main

import (
	"fmt"
	"os"
	"time"

	"example.org/user/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() {
	` + marker + `
	if ` + condition + ` {
		app.Main(agents.New())
	}
	fmt.Println("at work as a service")
	` + otherwise + `
	time.Sleep(0)
}
`
}

// No command starts a program that does not call app.Main: agentc makes another one.
func TestServicesAreNotStarted(t *testing.T) {
	for _, service := range []string{smallService, httpService} {
		dir := unpack(t, t.TempDir(), userModule(t), critic, criticScript, service)
		agentc(dir, "", "run", "--script", "answers.yaml", "--store", ".agentc/runs", "a task").want(t, cli.Done, "well done\n",
			"the package main of . is not an agent program: its main does not call app.Main; agentc makes another one\n")
		agentc(dir, "", "runs", "--store", ".agentc/runs").want(t, cli.Done, "done")
		agentc(dir, "", "resume", "--store", ".agentc/runs", "none").want(t, cli.Usage, "", "none")
		agentc(dir, "", "answer", "--store", ".agentc/runs", "none", "q", "yes").want(t, cli.Usage, "", "none")
		agentc(dir, "", "run", "--main", ".", "--script", "answers.yaml", "a task").want(t, cli.Usage, "",
			"--main .: its main does not call app.Main of github.com/agentc-dev/agentc/runtime/cli/app, so it is not an agent program\n")
		if fileExists(filepath.Join(dir, "started")) {
			t.Error("the service was started")
		}
	}

	// What a typed tool does cannot be made up.
	dir := unpack(t, t.TempDir(), userModule(t), clerk, strings.Replace(smallService, "agents.New()", "agents.New(nil)", 1))
	agentc(dir, "", "run", "a task").want(t, cli.Problem, "", "no Go implements the tool",
		"the package main of . is not an agent program: its main does not call app.Main\n",
		"no package main of the module imports agents and calls app.Main, and no function without parameters returns its App; "+
			"--main FOLDER names a package main\n")
	if fileExists(filepath.Join(dir, "started")) {
		t.Error("the service was started")
	}
}

// deskApp is a package that makes the App of the clerk with tools of its own; body is that of the
// function.
func deskApp(folder, pkg, result, body string) string {
	return "-- " + folder + "app.go --\npackage " + pkg + `

import (
	"context"
	"errors"
	"os"

	"example.org/user/agents"
)

type tools struct{}

func (tools) FindOrder(_ context.Context, in agents.FindOrderInput) (string, error) { return "order " + in.ID, nil }

func (tools) PayBack(context.Context, agents.PayBackInput) (string, error) { return "paid", nil }

var _, _ = errors.New, os.Exit

func App() ` + result + ` { ` + body + ` }
`
}

// findScript answers for the models of the clerk, and leaves the tools to Go.
const (
	findScript = `
-- answers.yaml --
clerk:
  - call: [{name: read_skill, args: {name: orders}}]
  - call: {name: find_order, args: {id: "7"}}
  - finish: {key: done, value: "found: {{result}}"}
`
	plainApp = "return agents.New(tools{})"
	// deskService is a service that imports the package that makes the App.
	deskService = `-- cmd/shop/main.go --
package main

import (
	"os"

	"example.org/user"
)

func main() {
	` + marker + `
	desk.App()
}
`
)

// A function that returns the App is all that agentc needs for a program, with the tools of the
// user.
func TestAProgramIsMadeWithTheFunctionThatReturnsTheApp(t *testing.T) {
	const service = "the package main of cmd/shop is not an agent program: its main does not call app.Main; agentc makes another one, with "
	const none = "no package main of the module is the program; agentc makes one, with "
	tests := map[string]struct{ archive, note string }{
		"in the project":     {deskApp("", "desk", "*agents.App", plainApp) + deskService, service + "desk.App\n"},
		"with an error":      {deskApp("", "desk", "(*agents.App, error)", plainApp+", nil") + deskService, service + "desk.App\n"},
		"in an internal one": {deskApp("shop/internal/till/", "till", "*agents.App", plainApp), none + "till.App\n"},
		"the project's counts": {deskApp("", "desk", "*agents.App", plainApp) +
			deskApp("internal/other/", "other", "*agents.App", "panic(1)"), none + "desk.App\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := unpack(t, t.TempDir(), userModule(t), clerk, findScript, test.archive)
			agentc(dir, "", "run", "--script", "answers.yaml", "--store", ".agentc/runs", "a task").want(t, cli.Done, "found", "tool find_order", test.note)
			agentc(dir, "", "resume", "--store", ".agentc/runs", "none").want(t, cli.Usage, "", test.note)
			agentc(dir, "", "answer", "--store", ".agentc/runs", "none", "q", "yes").want(t, cli.Usage, "", test.note)
			if fileExists(filepath.Join(dir, "started")) || fileExists(filepath.Join(dir, "agentc-main")) {
				t.Error("the service was started, or the program is on the disk")
			}
		})
	}

	dir := unpack(t, t.TempDir(), userModule(t), clerk, findScript, deskApp("", "desk", "*agents.App", plainApp))
	agentc(dir, "", "build", "-o", "clerk").want(t, cli.Done, "", none+"desk.App\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	agentc(link, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Done, "found", none+"desk.App\n")
}

// Which function makes the App is never guessed, and none of them is called then.
func TestSeveralFunctionsThatReturnTheApp(t *testing.T) {
	dir := unpack(t, t.TempDir(), userModule(t), clerk, findScript, deskService, deskApp("", "desk", "*agents.App", plainApp),
		"-- more.go --\npackage desk\n\nimport \"example.org/user/agents\"\n\nfunc New() *agents.App { panic(1) }\n")
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Problem, "",
		"the package main of cmd/shop is not an agent program: its main does not call app.Main\n",
		"several functions could make the program: desk.App in ., desk.New in .; write func main() { app.Main(...) } with one of them "+
			"in a package main, which --main FOLDER names\n")

	script := clerkScript + "tools:\n  find_order: [{result: order 7}]\n  pay_back: [{result: paid}]\n"
	unpack(t, dir, script) // which leaves nothing to the functions
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Done, "paid", "agentc makes another one\n")
}

// A function that does not return an App has no run, and the program with it does not run any more.
func TestFunctionsThatReturnNoApp(t *testing.T) {
	t.Cleanup(func() { startTime = 10 * time.Second })
	tests := map[string]struct{ result, body, message string }{
		"an error": {"(*agents.App, error)", `return nil, errors.New("no database")`,
			"it ended before it reached app.Main (exit status 1); it printed:\ndesk.App: no database\n"},
		"an exit":  {"*agents.App", "os.Exit(0); return nil", "it ended before it reached app.Main (exit status 0)\n"},
		"a server": {"*agents.App", "for { _, _ = os.Getwd() }", "it did not reach app.Main in 1 s, and was stopped\n"},
	}
	for name, test := range tests {
		startTime = 10 * time.Second
		if strings.Contains(test.message, "1 s") {
			startTime = time.Second
		}
		dir := unpack(t, t.TempDir(), userModule(t), clerk, findScript, deskApp("", "desk", test.result, test.body))
		r := agentc(dir, "", "run", "--script", "answers.yaml", "--store", ".agentc/runs", "a task")
		r.want(t, cli.Problem, "", "agentc: the program that agentc made with desk.App was not started for this command: "+test.message)
		if fileExists(filepath.Join(dir, ".agentc", "runs")) {
			t.Errorf("%s: there is a run", name)
		}
	}
}

// A program that calls app.Main only sometimes gets no task, and does not run any more.
func TestProgramsThatDoNotAnswer(t *testing.T) {
	t.Cleanup(func() { startTime = 10 * time.Second })
	tests := map[string]struct{ main, message string }{
		"ends":  {hybrid("len(os.Args) > 5", ""), "it ended before it reached app.Main (exit status 0); it printed:\nat work as a service\n"},
		"fails": {hybrid("len(os.Args) > 5", "os.Exit(7)"), "it ended before it reached app.Main (exit status 7); it printed:\nat work as a service\n"},
		"stays": {hybrid("len(os.Args) > 5", "time.Sleep(time.Hour)"), "it did not reach app.Main in 1 s, and was stopped; it printed:\nat work as a service\n"},
		"floods": {hybrid("len(os.Args) > 5", "for { fmt.Println(`more and more`) }"),
			"it did not reach app.Main in 1 s, and was stopped; it printed:\nat work as a service\n"},
		"an older runtime": {hybrid("len(os.Args) > 5", `fmt.Println("x\nshape s\ntext t\nruntime v0.1.0, generated code of generations 1 to 2")`),
			"its go.mod requires another version of github.com/agentc-dev/agentc than this agentc is, (devel)\n"},
		"a newer runtime": {hybrid("len(os.Args) > 5", `fmt.Printf("{\"nonce\": %q, \"protocol\": 2}\n", os.Getenv("`+app.IdentityVariable+`"))`),
			"its go.mod requires another version of github.com/agentc-dev/agentc than this agentc is, (devel)\n"},
	}
	for name, test := range tests {
		startTime = 10 * time.Second
		if strings.Contains(test.message, "1 s") {
			startTime = time.Second
		}
		dir := unpack(t, t.TempDir(), userModule(t), critic, criticScript, test.main)
		r := agentc(dir, "", "run", "--script", "answers.yaml", "a task")
		r.want(t, cli.Problem, "", "agentc: the program in . was not started for this command: "+test.message)
		if started, err := os.ReadFile(filepath.Join(dir, "started")); err != nil || string(started) != "version" {
			t.Errorf("%s: it was started with %q, %v", name, started, err)
		}
		if len(r.stderr) > 20<<10 {
			t.Errorf("%s: %d bytes of its output are shown", name, len(r.stderr))
		}
	}
}

// A program is asked for its identity in the environment of the run, once for each build.
func TestProgramsAnswerOnce(t *testing.T) {
	counted := strings.Replace(hybrid(`os.Getenv("SERVE") == "no"`, "os.Exit(7)"), marker,
		`f, _ := os.OpenFile("started", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); fmt.Fprintln(f, os.Args[1])`, 1)
	dir := unpack(t, t.TempDir(), userModule(t), critic, criticScript, counted, "-- .env --\nSERVE=no\n")
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Problem, "", "(exit status 7)")
	for range 2 {
		agentc(dir, "", "run", "--env-file", ".env", "--script", "answers.yaml", "a task").want(t, cli.Done, "well done\n")
	}
	if started, err := os.ReadFile(filepath.Join(dir, "started")); err != nil || string(started) != "version\nversion\nrun\nrun\n" {
		t.Errorf("it was started with %q, %v", started, err)
	}
}

// The program of another project is not this project's, though its main calls app.Main.
func TestTheProgramOfAnotherProject(t *testing.T) {
	dir := unpack(t, t.TempDir(), userModule(t), critic, criticScript)
	other := unpack(t, filepath.Join(dir, "other"), strings.ReplaceAll(critic, "critic", "judge"),
		strings.ReplaceAll(hybrid("true", ""), "example.org/user/agents", "example.org/user/other/agents"))
	agentc(other, "", "generate").want(t, cli.Done, "")
	agentc(dir, "", "run", "--main", "other", "--script", "answers.yaml", "a task").want(t, cli.Problem, "",
		fmt.Sprintf("the program in other was not started for this command: it has the agents of another project, %s: "+
			"--main FOLDER names another package main\n", "judge"))
	agentc(dir, "", "run", "--script", "answers.yaml", "a task").want(t, cli.Done, "well done\n")
}
