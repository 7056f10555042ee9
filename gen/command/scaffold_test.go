package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/schema"
	"github.com/agentc-dev/agentc/templates"
)

// addAll adds an agent of each pattern, called a-PATTERN, and skills of both kinds.
func addAll(t *testing.T, dir string) {
	t.Helper()
	for _, pattern := range templates.Patterns() {
		agentc(dir, "", "add", pattern, "a-"+pattern).want(t, cli.Done, "agents/a-"+pattern+"/AGENT.md\n",
			fmt.Sprintf("next:\n  agentc run --agent a-%s --script agents/a-%[1]s/script.json \"a task\"\n", pattern))
	}
	agentc(dir, "", "add", "workflow", "letter").want(t, cli.Done, "workflows/letter.yaml\nworkflows/letter.script.json\n",
		"next:\n  agentc run --agent letter --script workflows/letter.script.json \"a task\"\n")
	agentc(dir, "", "add", "skill", "notes").want(t, cli.Done, "skills/notes/SKILL.md\n", "call: {uses: [notes]}\n")
	agentc(dir, "", "add", "skill", "orders", "--tool").want(t, cli.Done, "skills/orders/SKILL.md\n")
	agentc(dir, "", "check", "--strict").want(t, cli.Done, "", "no problems\n")
}

// goIn runs the go command as a person would who has nothing but the checkout and what that was
// built from.
func goIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-buildvcs=false -trimpath", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// worksAtOnce does with a project what a person does next, and then runs every agent from its
// script with the binary.
func worksAtOnce(t *testing.T, dir, program string) {
	t.Helper()
	goIn(t, dir, "generate", "./...")
	goIn(t, dir, "vet", "./...")
	goIn(t, dir, "test", "./...")
	agentc(dir, "", "generate", "--check").want(t, cli.Done, "")
	binary := filepath.Join(t.TempDir(), "program.exe")
	goIn(t, dir, "build", "-o", binary, program)

	scripts, err := filepath.Glob(filepath.Join(dir, "agents", "*", "script.json"))
	if err != nil || len(scripts) < 14 {
		t.Fatalf("only %d scripts, %v", len(scripts), err)
	}
	for _, script := range append(scripts, filepath.Join(dir, "workflows", "letter.script.json")) {
		agent, isWorkflow := strings.CutSuffix(filepath.Base(script), ".script.json")
		if !isWorkflow {
			agent = filepath.Base(filepath.Dir(script))
		}
		out, err := exec.Command(binary, "run", "--agent", agent, "--script", script, "a task").Output()
		if err != nil || len(strings.TrimSpace(string(out))) == 0 {
			t.Errorf("%s: %q, %v", agent, out, err)
		}
	}
	out, err := exec.Command(binary, "run", "a task").Output()
	if err != nil || !strings.HasPrefix(string(out), "To Ada") {
		t.Errorf("the entry point: %q, %v", out, err)
	}
}

func TestInitMakesAModuleThatWorksAtOnce(t *testing.T) {
	work := t.TempDir()
	agentc(work, "", "init", "hello").want(t, cli.Done, "hello/go.mod\nhello/go.sum\nhello/main.go\nhello/tools.go\nhello/main_test.go\n",
		"next:\n  cd hello\n  go test ./...\n  go run . run \"a toast to Ada\"\nafter an edit of agents, skills, workflows, agentc.yaml or script.json: go generate ./...\n")
	dir := filepath.Join(work, "hello")
	agentc(dir, "", "check", "--strict").want(t, cli.Done, "")
	addAll(t, dir)
	worksAtOnce(t, dir, ".")
	agentc(work, "", "run", "hello", "a toast").want(t, cli.Done, "To Ada")
}

// moduleWithAgentc is a Go module example.org/lib, without Go, that has agentc as its tool and
// builds without a network.
func moduleWithAgentc(t *testing.T) string {
	t.Helper()
	files, err := findOrigin().moduleFiles("example.org/lib")
	if err != nil {
		t.Fatal(err)
	}

	return unpack(t, t.TempDir(), "-- go.mod --\n"+string(files[0].Content), "-- go.sum --\n"+read(t, filepath.Join(root, "go.sum")))
}

// Each flavour of a project compiles, passes its tests, runs, and is green in its CI file; programs
// and packages share a module.
func TestFlavoursOfInit(t *testing.T) {
	dir := moduleWithAgentc(t)
	agentc(dir, "", "init", "letter", "--workflow").want(t, cli.Done, "letter/workflows/letter.yaml\n", "go run . run")
	agentc(dir, "", "init", "review", "--machine").want(t, cli.Done, "review/agents/review/AGENT.md\n", "go run . run")
	agentc(dir, "", "init", "--package", "./internal/my-desk").want(t, cli.Done, "internal/my-desk/app.go\ninternal/my-desk/tools.go\n",
		"next:\n  cd internal/my-desk\n  go test ./...\n  go tool agentc run \"a toast to Ada\"\n", "in your program: mydesk.App().Run(ctx, engine.New(engine.Options{}), ")
	agentc(dir, "", "init", "note", "--package", "internal/Note", "--workflow").want(t, cli.Done, "internal/Note/app.go\n", "note.App()")
	agentc(dir, "", "init", "vote", "--package", "internal/vote", "--machine").want(t, cli.Done, "internal/vote/app_test.go\n", "vote.App()")
	desk := filepath.Join(dir, "internal", "my-desk")
	agentc(desk, "", "add", "skill", "orders", "--tool").want(t, cli.Done, "skills/orders/SKILL.md\norders.go\n")
	unpack(t, dir, "-- cmd/all/main.go --\n"+`package main

import (
	"context"
	"fmt"

	"example.org/lib/internal/Note"
	"example.org/lib/internal/my-desk"
	"example.org/lib/internal/vote"
	"github.com/agentc-dev/agentc/runtime/engine"
)

func main() {
	ctx := context.Background()
	a, errA := mydesk.App().Run(ctx, engine.New(engine.Options{}), "a toast")
	b, errB := note.App().Run(ctx, engine.New(engine.Options{}), "a note")
	c, errC := vote.App().Run(ctx, engine.New(engine.Options{}), "a vote")
	fmt.Println(a.Value, errA, b.Value, errB, c.Value, errC)
}
`)
	goIn(t, dir, "generate", "./...")
	goIn(t, dir, "vet", "./...")
	agentc(desk, "", "run", "a toast to Ada").want(t, cli.Done, "To Ada", "agentc makes another one, with mydesk.App\n")
	for _, project := range []string{"letter", "review", "my-desk", "note", "vote"} {
		runsInCI(t, dir, filepath.Join(dir, ".github", "workflows", project+".yml"))
	}
	for program, want := range map[string]string{
		"./cmd/all": "To Ada, who found the bug, and to the bug, which found Ada. <nil> Rye bread",
		"./letter":  "Rye bread",
		"./review":  "Our office is closed on Monday, 3 March",
	} {
		cmd := exec.Command("go", "run", program, "run", "a task")
		cmd.Dir = dir
		if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: %q, %v", program, out, err)
		}
	}
}

// runsInCI runs what a CI file runs in the root of the module: agentc's commands in this process,
// since its own tests have them as a tool, and those of Go.
func runsInCI(t *testing.T, dir, file string) {
	t.Helper()
	document, problems := yamldoc.Parse(source.NewFile(file, []byte(read(t, file))))
	commands := valuesOf(document, "run")
	if len(problems) > 0 || len(commands) != 3 {
		t.Fatalf("%s: %v, %v", file, problems, commands)
	}
	for _, command := range commands {
		words := strings.Fields(command)
		if ours, is := strings.CutPrefix(command, "go tool agentc "); is {
			agentc(dir, "", strings.Fields(ours)...).want(t, cli.Done, "")
		} else {
			goIn(t, dir, words[1:]...)
		}
	}
}

// What cannot be a project or a package is refused before anything is written.
func TestInitRefuses(t *testing.T) {
	lib := unpack(t, t.TempDir(), "-- go.mod --\nmodule example.org/lib\n\ngo 1.25.0\n-- cmd/x/main.go --\npackage main\n",
		"-- taken/taken.go --\npackage taken\n\nfunc App() {}\n")
	outside := filepath.Join(t.TempDir(), "Outside")
	if err := os.Mkdir(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dir, args, want string
	}{
		{outside, "type", `a module cannot be called "type"`},
		{outside, "range", `a module cannot be called "range"`},
		{outside, "fmt", `a module cannot be called "fmt"`},
		{outside, "agents", `a module cannot be called "agents"`},
		{outside, "", `"Outside" cannot be the name of a project (did you mean "outside"?): a name has lower-case letters, digits and ` +
			"hyphens, and may begin with _\nto choose another one: agentc init NAME\n"},
		{outside, "--package ./desk", "--package ./desk is in no Go module; run first: go mod init PATH\n"},
		{outside, "x --workflow --machine", "--workflow and --machine exclude each other"},
		{lib, "vendor", `"vendor" cannot be the name of a project: the go command finds no packages in a folder of that name`},
		{lib, "x y --package z", `--package names the folder; unexpected argument "y"`},
		{lib, "--package ./type", "--package ./type: no Go package can have that name"},
		{lib, "x --package testdata", "--package testdata: no Go package can have that name"},
		{lib, "--package cmd/x", "--package cmd/x: the Go there is package main"},
		{lib, "--package taken", "--package taken: the Go there declares App or tools already"},
	} {
		before := tree(t, test.dir)
		agentc(test.dir, "", append([]string{"init"}, strings.Fields(test.args)...)...).want(t, cli.Usage, "", test.want)
		sameTree(t, before, tree(t, test.dir))
	}
}

// Settings are written of the editors that are in use, or named; those that a module has stay as
// they are.
func TestInitForEditors(t *testing.T) {
	for _, test := range []struct{ flag, before, want string }{
		{"", "", ""},
		{"", "-- .idea/x --\n", ".idea/jsonSchemas.xml\n"},
		{"", "-- .vscode/x --\n", ".vscode/extensions.json\n.vscode/settings.json\n"},
		{"", "-- .vscode/settings.json --\n{}\n", ".vscode/extensions.json\n"},
		{"vscode", "", ".vscode/extensions.json\n.vscode/settings.json\n"},
		{"all", "", ".vscode/extensions.json\n.vscode/settings.json\n.idea/jsonSchemas.xml\n"},
		{"jetbrains", "-- .vscode/x --\n", ".idea/jsonSchemas.xml\n"},
	} {
		dir := moduleWithAgentc(t)
		unpack(t, dir, test.before)
		args := []string{"init", "x", "deep/x"}
		if test.flag != "" {
			args = append(args, "--editor", test.flag)
		}
		r := agentc(dir, "", args...)
		r.want(t, cli.Done, "deep/x/.agentc/schema/workflow.json\n.editorconfig\n.github/workflows/x.yml\n"+test.want+"deep/x/agents/x_gen.go\n")
		if strings.Count(r.stdout, ".vscode/")+strings.Count(r.stdout, ".idea/") != strings.Count(test.want, "\n") {
			t.Errorf("%+v: %s", test, r.stdout)
		}
		for _, format := range []string{"config", "workflow"} {
			want, _ := schema.Text(format)
			if got := read(t, filepath.Join(dir, "deep", "x", ".agentc", "schema", format+".json")); got != string(want) {
				t.Errorf("the schema %s is another one", format)
			}
		}
		settings := filepath.Join(dir, ".vscode", "settings.json")
		if strings.Contains(test.before, "{}") {
			if text := read(t, settings); text != "{}\n" {
				t.Errorf("settings.json was changed: %s", text)
			}
			agentc(dir, "", "init", "y", "--editor", "vscode").want(t, cli.Done, "y/agentc.yaml\n",
				".vscode/settings.json was not changed; the schemas are in y/.agentc/schema\n")
		} else if strings.Contains(test.want, "settings.json") && !strings.Contains(read(t, settings), `"./deep/x/.agentc/schema/config.json": "agentc.yaml"`) {
			t.Errorf("settings.json: %s", read(t, settings))
		}
	}
}

// Without the go command init writes the same, in a module and outside of one, and so does add.
func TestInitWithoutGo(t *testing.T) {
	module := moduleWithAgentc(t)
	with, without := t.TempDir(), t.TempDir()
	agentc(with, "", "init", "hello").want(t, cli.Done, "hello/go.mod\n")
	t.Setenv("PATH", t.TempDir())
	agentc(without, "", "init", "hello").want(t, cli.Done, "hello/go.mod\n", "\nthe go command is not in PATH; install Go 1.25 or later")
	for path, text := range tree(t, with) {
		if same := filepath.Join(without, strings.TrimPrefix(path, with)); !fileExists(same) || read(t, same) != text {
			t.Errorf("without Go %s is another one", same)
		}
	}
	r := agentc(module, "", "init", "--package", "./desk")
	r.want(t, cli.Done, "desk/agents/agentc_gen.go\n", "next:\n  cd desk\n  go test ./...\n")
	agentc(filepath.Join(module, "desk"), "", "add", "skill", "orders", "--tool").want(t, cli.Done, "orders.go\n")
	plain := unpack(t, t.TempDir(), "-- go.mod --\nmodule example.org/user\n\ngo 1.25.0\n")
	agentc(plain, "", "init", "one").want(t, cli.Done, "one/main.go\n", "  go mod edit -replace ")
	if text := read(t, filepath.Join(plain, "one", "main.go")); !strings.Contains(text, `"example.org/user/one/agents"`) {
		t.Errorf("main.go: %s", text)
	}
}

// With the first typed tool the program hands tools over: add edits the calls of New, of which a
// program of init has one, and names the lines. What it cannot edit it says.
func TestAddCompletesTheProgram(t *testing.T) {
	work := t.TempDir()
	agentc(work, "", "init", "review", "--machine").want(t, cli.Done, "review/main.go\n")
	dir := filepath.Join(work, "review")
	agentc(dir, "", "add", "skill", "orders", "--tool").want(t, cli.Done, "skills/orders/SKILL.md\norders.go\n",
		"main.go:13: now agents.New(tools{})\nnext:\n  go generate ./... && go test ./...\n")
	agentc(dir, "", "add", "skill", "prices", "--tool").want(t, cli.Done, "prices.go\n")
	agentc(dir, "", "generate").want(t, cli.Done, "")
	goIn(t, dir, "vet", "./...")

	f := newFunc{caller: "main", importPath: "x/agents", pkg: "agents", name: "New"}
	const source = "package main\n\nimport a \"x/agents\"\n\nvar one, two = a.New(), a.New(guards{}) // a.New()\n"
	e := f.completeFile([]byte(source))
	want := "package main\n\nimport a \"x/agents\"\n\nvar one, two = a.New(tools{}), a.New(tools{}, guards{}) // a.New()\n"
	if string(e.New) != want || strings.Join(e.messages, "|") != "5: now a.New(tools{})|5: now a.New(tools{}, ...)" {
		t.Errorf("%s\n%q", e.New, e.messages)
	}
	for _, other := range []string{"package other\n\nvar x = agents.New()\n", "package main\n\nvar x = New()\n", "package main\n\nvar x = agents.New(\n"} {
		if e := f.completeFile([]byte(other)); len(e.messages) > 0 {
			t.Errorf("%q is edited: %s", other, e.New)
		}
	}
}

// Without arguments the project is the working directory, with its name.
func TestInitInTheWorkingDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hello")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	agentc(dir, "", "init").want(t, cli.Done, "agents/hello/AGENT.md\n", "next:\n  go test ./...\n")
}

// In the root of a library the program has a folder of its own, and in a new folder it is beside
// the sources.
func TestInitInAModule(t *testing.T) {
	if testing.Short() {
		t.Skip("TestFlavoursOfInit builds in a module, too")
	}
	dir := moduleWithAgentc(t)
	unpack(t, dir, "-- lib.go --\npackage lib\n")

	r := agentc(dir, "", "init", "top", ".")
	r.want(t, cli.Done, "cmd/top/main.go\n", "next:\n  go test ./...\n  go run ./cmd/top run")
	if strings.Contains(r.stdout, "go.mod") {
		t.Errorf("written: %s", r.stdout)
	}
	if text := read(t, filepath.Join(dir, "generate.go")); text != "//go:generate go tool agentc generate .\n\npackage lib\n" {
		t.Errorf("generate.go: %s", text)
	}
	agentc(dir, "", "init", "below").want(t, cli.Done, "below/main.go\n", "next:\n  cd below\n  go test ./...")
	addAll(t, dir)
	if !fileExists(filepath.Join(dir, "cmd", "top", "orders.go")) {
		t.Error("the method of the tool is not beside the program")
	}
	worksAtOnce(t, dir, "./cmd/top")
}

// For a module that lacks agentc the commands that add it are printed: from the checkout, or from
// the release that this agentc is.
func TestInitInAModuleWithoutAgentc(t *testing.T) {
	dir := unpack(t, t.TempDir(), "-- go.mod --\nmodule example.org/user\n\ngo 1.25.0\n")
	agentc(dir, "", "init", "one").want(t, cli.Done, "one/agentc.yaml\n", fmt.Sprintf("next:\n  cd one\n"+
		"  go mod edit -replace github.com/agentc-dev/agentc=%s -tool github.com/agentc-dev/agentc/cmd/agentc\n  go mod tidy\n", repository(t)))

	asReleased(t, "v1.2.3")
	agentc(dir, "", "init", "two").want(t, cli.Done, "two/agentc.yaml\n",
		"next:\n  cd two\n  go get -tool github.com/agentc-dev/agentc/cmd/agentc@v1.2.3\n  go test ./...")
	if text := read(t, filepath.Join(dir, "go.mod")); text != "module example.org/user\n\ngo 1.25.0\n" {
		t.Errorf("go.mod was changed: %s", text)
	}
}

// The config of a new project names .env, and git leaves that out wherever the project is.
func TestInitKeepsKeysOutOfGit(t *testing.T) {
	dir := unpack(t, t.TempDir(), "-- go.mod --\nmodule example.org/user\n\ngo 1.25.0\n")
	agentc(dir, "", "init", "--package", "./internal/desk").want(t, cli.Done, "internal/desk/.gitignore\n")
	unpack(t, dir, "-- internal/desk/.env --\nOPENAI_API_KEY=secret\n")
	commit(t, dir, "all")
	tracked, err := exec.Command("git", "-C", dir, "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	if files := string(tracked); strings.Contains(files, ".env\n") || !strings.Contains(files, "internal/desk/.agentc/schema/config.json\n") {
		t.Errorf("git has %s", files)
	}

	unpack(t, dir, "-- other/.gitignore --\n*.tmp\n")
	agentc(dir, "", "init", "other").want(t, cli.Done, "other/agentc.yaml\n",
		"other/.gitignore was not changed: make sure that it lists .env, which will contain keys\n")
	if text := read(t, filepath.Join(dir, "other", ".gitignore")); text != "*.tmp\n" {
		t.Errorf("it was changed: %s", text)
	}
}

// asReleased makes this agentc one that was installed in a version.
func asReleased(t *testing.T, version string) {
	t.Cleanup(func() { findOrigin = detectOrigin })
	findOrigin = func() origin { return origin{version: version} }
}

func TestInitOfARelease(t *testing.T) {
	asReleased(t, "v1.2.3")
	work := t.TempDir()
	agentc(work, "", "init", "hello").want(t, cli.Done, "hello/go.mod\n", "next:\n  cd hello\n  go mod tidy\n  go test ./...")
	const want = "module hello\n\ngo 1.25.0\n\ntool github.com/agentc-dev/agentc/cmd/agentc\n\nrequire github.com/agentc-dev/agentc v1.2.3\n"
	if got := read(t, filepath.Join(work, "hello", "go.mod")); got != want {
		t.Errorf("go.mod: %s", got)
	}
	if fileExists(filepath.Join(work, "hello", "go.sum")) {
		t.Error("go.sum of a release that cannot be known")
	}

	findOrigin = func() origin { return origin{} }
	agentc(work, "", "init", "other").want(t, cli.Failure, "", "the build information of this program names no version")
	if fileExists(filepath.Join(work, "other")) {
		t.Error("something was written")
	}
}

// A typed tool needs a program that hands the tools over: what is missing is reported.
func TestAddTypedSkill(t *testing.T) {
	module := unpack(t, t.TempDir(), userModule(t), critic,
		"-- main.go --\npackage main\n\nfunc main() { app.Main(agents.New()) }\n\ntype (\n\tother int\n)\n", "-- broken.go --\npackage main\n\ntype !\n")
	agentc(module, "", "add", "skill", "_stock-list", "--tool").want(t, cli.Done, "skills/_stock-list/SKILL.md\nstock-list.go\n",
		"main.go:3: now agents.New(tools{})\n", "call: {uses: [_stock-list]}\n")
	text := read(t, filepath.Join(module, "stock-list.go"))
	for _, want := range []string{"\t\"example.org/user/agents\"\n", "\ntype tools struct{}\n", "func (tools) SearchStockList(", "in agents.SearchStockListInput)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	agentc(module, "", "add", "skill", "orders", "--tool").want(t, cli.Done, "orders.go\n")
	if text := read(t, filepath.Join(module, "orders.go")); strings.Contains(text, "type tools") {
		t.Errorf("a second type tools:\n%s", text)
	}
	agentc(module, "", "add", "skill", "main", "--tool").want(t, cli.Problem, "", "agentc: main.go exists\nnothing was written")

	bare := unpack(t, t.TempDir(), critic)
	agentc(bare, "", "add", "skill", "orders", "--tool").want(t, cli.Done, "skills/orders/SKILL.md\n", "no Go was written for search_orders: ")
	several := unpack(t, t.TempDir(), userModule(t), critic, "-- cmd/a/main.go --\npackage main\n-- cmd/b/main.go --\npackage main\n")
	agentc(several, "", "add", "skill", "orders", "--tool").want(t, cli.Done, "skills/orders/SKILL.md\n", "no Go was written for search_orders: ")
}

// A folder with agents and nothing else is a project, and what is added to it runs.
func TestAddToABareFolder(t *testing.T) {
	work := t.TempDir()
	dir := unpack(t, filepath.Join(work, "my folder"), critic)
	agentc(dir, "", "add", "scatter", "research").want(t, cli.Done, "agents/research-part/AGENT.md\n")
	agentc(work, "", "run", "my folder", "--agent", "research", "--script", "my folder/agents/research/script.json", "x").want(t, cli.Done, "It pays")
	agentc(filepath.Join(dir, "agents", "draft"), "", "add", "oneshot", "1st").want(t, cli.Done, "../1st/AGENT.md\n",
		"  agentc run ../.. --agent 1st --script ../1st/script.json \"a task\"\n")
	agentc(dir, "", "check", "--strict").want(t, cli.Done, "")
}

// add makes an empty folder a project, and finds the project around the working directory.
func TestAddOutsideOfAProject(t *testing.T) {
	dir := t.TempDir()
	agentc(dir, "", "add", "react", "note").want(t, cli.Done, "agents/note/AGENT.md\n",
		"next:\n  agentc run --agent note --script agents/note/script.json \"a task\"\nthis folder is a project now\n")
	deep := filepath.Join(dir, "docs", "deep")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	agentc(deep, "", "add", "oneshot", "sum").want(t, cli.Done, "../../agents/sum/AGENT.md\n", "  agentc run ../.. --agent sum --script ../../agents/sum/")
	agentc(dir, "", "run", "--agent", "note", "--script", "agents/note/script.json", "x").want(t, cli.Done, "Please move")
}

// An agent that the project has been waiting for is written, whatever rows it still lacks there;
// one that is wrong in itself is not.
func TestWhatAddCausesIsReported(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	remove(t, filepath.Join(dir, "agents", "draft"))
	agentc(dir, "", "add", "react", "draft").want(t, cli.Problem, "agents/draft/AGENT.md\n", "[unrouted-key]",
		"agentc: the files are written; the project now has the problems above\n")

	before := tree(t, dir)
	agentc(dir, "", "add", "react", "agentc").want(t, cli.Problem, "", "[duplicate-name]", "agentc: nothing was written because of these problems\n")
	agentc(dir, "", "add", "react", "_draft").want(t, cli.Problem, "", "[duplicate-name]")
	agentc(dir, "", "init", "agentc").want(t, cli.Problem, "", "[duplicate-name]")
	agentc(dir, "", "add", "skill", strings.Repeat("long-", 14)+"name", "--tool").want(t, cli.Problem, "", "[invalid-name]")
	sameTree(t, before, tree(t, dir))
}

// Names of every form pass through all templates.
func TestNamesOfEveryForm(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	for i, name := range []string{"true", "0", "0x1f", "1e3", "_", "-", "_x", "a-", "no", "type", "test", "linux", "go", "input", "name"} {
		pattern := templates.Patterns()[i%len(templates.Patterns())]
		code := cli.Done
		if name == "_" || name == "-" {
			code = cli.Usage
		}
		stdout := ""
		if code == cli.Done {
			stdout = "agents/" + name + "/AGENT.md\n"
		}
		agentc(dir, "", "add", "--", pattern, name).want(t, code, stdout)
	}
	agentc(dir, "", "check", "--strict").want(t, cli.Done, "")
	agentc(dir, "", "generate").want(t, cli.Done, "")
}

// A disk that fails at any operation is left as it was.
func TestAddOnAFailingDisk(t *testing.T) {
	t.Cleanup(func() { openOutput = func(dir string) (folder, error) { return output.Open(dir) } })
	dir := unpack(t, t.TempDir(), critic)
	before := tree(t, dir)
	failures := 0
	for n := 1; n < 100; n++ {
		openOutput = func(dir string) (folder, error) {
			disk, err := output.Open(dir)
			return &failingDisk{folder: disk, fail: n}, err
		}
		r := agentc(dir, "", "add", "debate", "talk")
		if r.code == cli.Done {
			break
		}
		failures++
		r.want(t, cli.Failure, "", errFull.Error())
		sameTree(t, before, tree(t, dir))
		if fileExists(filepath.Join(dir, "agents", "talk")) {
			t.Fatalf("operation %d: a folder is left", n)
		}
	}
	if failures < 9 || failures == 99 {
		t.Errorf("%d failing operations", failures)
	}
}
