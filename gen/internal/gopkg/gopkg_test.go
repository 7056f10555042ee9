package gopkg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpack writes a txtar archive into a new folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}

	return dir
}

func TestUsesAgentc(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		dir  string
		want bool
	}{
		"agentc itself": {root, true},
		"inside":        {filepath.Join(root, "gen"), true},
		"no module":     {t.TempDir(), false},
		"another one":   {unpack(t, "-- go.mod --\nmodule x\n\ngo 1.25.0\n"), false},
		"requires it":   {unpack(t, "-- go.mod --\nmodule x\n\ngo 1.25.0\n\nrequire "+Agentc+" v0.0.0\n\nreplace "+Agentc+" => "+root+"\n"), true},
	}
	for name, test := range tests {
		if got, err := UsesAgentc(t.Context(), test.dir); err != nil || got != test.want {
			t.Errorf("%s: %v, %v; want %v", name, got, err, test.want)
		}
	}

	if _, err := UsesAgentc(t.Context(), unpack(t, "-- go.mod --\nmodul x\n")); err == nil {
		t.Error("a faulty go.mod is no error")
	}
}

// A module that the go command is kept from seeing is not "no module".
func TestUnseenModules(t *testing.T) {
	const app = "-- app/go.mod --\nmodule app\n\ngo 1.25.0\n"
	dir := unpack(t, app+"-- other/go.mod --\nmodule other\n\ngo 1.25.0\n-- go.work --\ngo 1.25.0\n\nuse ./other\n")
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(dir, "app")
	asked := func() []error {
		_, uses := UsesAgentc(t.Context(), inside)
		_, around := ModuleAround(t.Context(), inside)
		_, lacking := MissingModules(t.Context(), inside, []string{Agentc})
		return []error{uses, around, lacking}
	}
	t.Setenv("GOWORK", "")
	for _, err := range asked() {
		var unseen *ModuleError
		want := ModuleError{inside, filepath.Join(dir, "go.work") + " does not list it", "run in " + dir + ": go work use ./app"}
		if !errors.As(err, &unseen) || *unseen != want {
			t.Errorf("a module that is not listed: %v", err)
		}
	}
	t.Setenv("GO111MODULE", "off")
	for _, err := range asked() {
		var unseen *ModuleError
		if !errors.As(err, &unseen) || unseen.Dir != inside || unseen.Reason != "GO111MODULE=off turns modules off" {
			t.Errorf("without modules: %v", err)
		}
	}
	t.Setenv("GO111MODULE", "")
	t.Setenv("GOWORK", "off")
	for _, err := range asked()[:2] {
		if err != nil {
			t.Errorf("without the workspace: %v", err)
		}
	}
}

// programModule is a module that requires agentc, with a generated package.
func programModule(t *testing.T) string {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}

	return "-- go.mod --\nmodule x\n\ngo 1.25.0\n\nrequire " + Agentc + " v0.0.0\n\nreplace " + Agentc + " => " + root + "\n" +
		"-- agents/agentc_gen.go --\npackage agents\n\nimport \"github.com/agentc-dev/agentc/runtime/generated/compiled\"\n\n" +
		"type App struct{}\n\nfunc (*App) Program() *compiled.Program { return nil }\n\nfunc New() *App { return &App{} }\n"
}

// mainFile is a package main in a folder that imports the generated package.
func mainFile(folder, imports, rest string) string {
	return "-- " + folder + "main.go --\npackage main\n\nimport (\n\t\"x/agents\"\n" + imports + ")\n\n" + rest + "\n"
}

const importApp = "\t\"github.com/agentc-dev/agentc/runtime/cli/app\"\n"

func TestFindProgram(t *testing.T) {
	const call = "func main() { app.Main(agents.New()) }"
	program := func(folder string) string { return mainFile(folder, importApp, call) }
	service := func(folder string) string {
		return mainFile(folder, "\t\"net/http\"\n", "func main() { agents.New(); http.ListenAndServe(\":1\", nil) }")
	}
	module := programModule(t)
	const (
		lib    = "-- lib.go --\npackage lib\n"
		tools  = "-- cmd/internal/tools.go --\npackage internal\n"
		desk   = "-- internal/desk/desk.go --\npackage desk\n\nimport _ \"x/agents\"\n"
		three  = "-- tool/three/main.go --\npackage main\n\nimport (\n\t\"x/internal/desk\"\n" + importApp + ")\n\nfunc main() { app.Main(desk.New()) }\n"
		others = "-- cmd/other/main.go --\npackage main\n\nimport (\n" + importApp + ")\n\nfunc main() { app.Main(nil) }\n"
	)
	tests := []struct {
		archive, want string
		folder        string
		services      []string
		err           string
	}{
		{module, "", "", nil, ""},
		{module + lib, "", "", nil, ""},
		{module + program(""), "", ".", nil, ""},
		{module + program("") + program("cmd/one/") + program("cmd/two/"), "", ".", nil, ""},
		{module + lib + program("cmd/two/") + tools, "", "./cmd/two", nil, ""},
		{module + program("cmd/one/") + program("cmd/two/"), "", "", nil,
			"several packages main could be the project's program; choose one with --main: ./cmd/one, ./cmd/two"},
		{module + program("cmd/one/") + program("cmd/two/"), "cmd/two", "./cmd/two", nil, ""},
		{module + tools, "cmd/internal", "", nil, "--main ./cmd/internal: there is no package main"},
		{module, "cmd/none", "", nil, "--main ./cmd/none: there is no package main"},
		{module + desk + three, "", "./tool/three", nil, ""},
		{module + desk + three + others, "", "./tool/three", nil, ""},
		{module + desk + three + program("tool/four/"), "", "", nil,
			"several packages main could be the project's program; choose one with --main: ./tool/four, ./tool/three"},
		{module + desk, "", "", nil, ""},

		// What does not call app.Main is a program of the user's, wherever it is.
		{module + service(""), "", "", []string{"."}, ""},
		{module + service("") + service("cmd/shop/"), "", "", []string{".", "./cmd/shop"}, ""},
		{module + service("") + program("cmd/agent/"), "", "./cmd/agent", nil, ""},
		{module + service("cmd/shop/") + others, "", "", []string{"./cmd/shop"}, ""},
		{module + service(""), ".", "", nil, "--main .: its main does not call app.Main of " + appPath + ", so it is not an agent program"},
		{module + "-- generate.go --\npackage main\n\nimport _ \"x/agents\"\n", "", "", []string{"."}, ""},
	}
	for _, test := range tests {
		got, err := FindProgram(t.Context(), unpack(t, test.archive), test.want, AppType{Folder: "agents", Name: "App"})
		if err != nil && err.Error() == test.err {
			continue
		}
		if err != nil || got.Folder != test.folder || !slices.Equal(got.Services, test.services) || test.err != "" {
			t.Errorf("FindProgram(%q, %q) = %+v, %v; want %q, %q, %q", test.archive, test.want, got, err, test.folder, test.services, test.err)
		}
	}
	var many *ManyMainsError
	if _, err := FindProgram(t.Context(), unpack(t, module+program("one/")+program("two/")), "", AppType{Folder: "agents", Name: "App"}); !errors.As(err, &many) || len(many.Folders) != 2 {
		t.Errorf("error %v", err)
	}
}

// A main is an agent program if it refers to app.Main in some way that its source shows.
func TestCallsOfAppMain(t *testing.T) {
	module := programModule(t)
	const (
		helper  = "-- internal/start/start.go --\npackage start\n\nimport (\n" + importApp + ")\n\n"
		useHelp = "\t\"x/internal/start\"\n"
	)
	tests := map[string]struct {
		archive   string
		isProgram bool
	}{
		"renamed import":    {mainFile("", "\ta \"github.com/agentc-dev/agentc/runtime/cli/app\"\n", "func main() { a.Main(agents.New()) }"), true},
		"dot import":        {mainFile("", "\t. \"github.com/agentc-dev/agentc/runtime/cli/app\"\n", "func main() { Main(agents.New()) }"), true},
		"options":           {mainFile("", importApp, "func main() { options := app.Options{}; options.Main(agents.New()) }"), true},
		"run and exit":      {mainFile("", importApp+"\t\"os\"\n", "func main() { os.Exit(app.Options{}.Run(agents.New(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }"), true},
		"function value":    {mainFile("", importApp, "var run = app.Main\n\nfunc main() { defer run(agents.New()) }"), true},
		"embedded options":  {mainFile("", importApp, "type own struct{ app.Options }\n\nfunc main() { own{}.Main(agents.New()) }"), true},
		"own method":        {mainFile("", importApp, "type own[T any] struct{ v T }\n\nfunc (own[T]) start() { app.Main(agents.New()) }\n\nfunc main() { own[int]{}.start() }"), true},
		"other function":    {mainFile("", importApp, "func main() { start() }\n\nfunc start() { func() { app.Main(agents.New()) }() }"), true},
		"helper package":    {mainFile("", useHelp, "func main() { start.Run(agents.New()) }") + helper + "func Run(p app.App) { app.Main(p) }\n", true},
		"errors in the Go":  {mainFile("", importApp, "func main() { undefined(1); var x int = \"\"; app.Main(agents.New(1, 2)) }"), true},
		"does not parse":    {mainFile("", importApp, "func main() { app.Main(agents.New() }"), true},
		"helper unparsable": {mainFile("", useHelp, "func main() { start.Run(agents.New()) }") + helper + "func Run(p app.App) { app.Main(p }\n", true},

		"not from main":        {mainFile("", importApp, "func main() { agents.New() }\n\nfunc unused() { app.Main(agents.New()) }"), false},
		"not a helper's":       {mainFile("", useHelp, "func main() { start.Other(); agents.New() }") + helper + "func Run(p app.App) { app.Main(p) }\n\nfunc Other() {}\n", false},
		"imported only":        {mainFile("", "\t_ \"github.com/agentc-dev/agentc/runtime/cli/app\"\n", "func main() { agents.New() }"), false},
		"another function":     {mainFile("", importApp, "func main() { agents.New(); app.RunCommands(nil) }"), false},
		"another package Main": {mainFile("", "\t\"x/app\"\n", "func main() { app.Main(agents.New()) }") + "-- app/app.go --\npackage app\n\nfunc Main(any) {}\n", false},
		"a local app":          {mainFile("", importApp, "type t struct{}\n\nfunc (t) Main(any) {}\n\nvar _ app.App\n\nfunc main() { app := t{}; app.Main(agents.New()) }"), false},
		"a field":              {mainFile("", importApp, "func main() { x := struct{ Main app.Options }{}; _ = x.Main; agents.New() }"), false},
		"no function main":     {mainFile("", importApp, "func start() { app.Main(agents.New()) }"), false},
	}
	for name, test := range tests {
		found, err := FindProgram(t.Context(), unpack(t, module+test.archive), "", AppType{Folder: "agents", Name: "App"})
		if isProgram := found.Folder == "."; err != nil || isProgram != test.isProgram {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// A function makes the program if its signature, as type-checked, is that of nothing but an App.
func TestAppFuncs(t *testing.T) {
	module := programModule(t)
	lib := func(folder, pkg, rest string) string {
		return "-- " + folder + pkg + ".go --\npackage " + pkg + "\n\nimport \"x/agents\"\n\n" + rest + "\n"
	}
	const plain = "func App() *agents.App { return agents.New() }"
	other := "-- other/agents/agents.go --\npackage agents\n\ntype App struct{}\n\nfunc New() *App { return nil }\n"
	tests := map[string]struct {
		archive string
		want    []string
	}{
		"plain":            {lib("", "desk", plain), []string{". x desk.App false"}},
		"with an error":    {lib("", "desk", "func Open() (*agents.App, error) { return agents.New(), nil }"), []string{". x desk.Open true"}},
		"errors in the Go": {lib("", "desk", "func App() *agents.App { return agents.New(1, undefined) }"), []string{". x desk.App false"}},
		"an alias": {lib("", "desk", "import \"x/names\"\n\nvar _ agents.App\n\nfunc App() names.A { return agents.New() }") +
			lib("names/", "names", "type A = *agents.App"), []string{". x desk.App false"}},
		"internal": {lib("one/internal/desk/", "desk", plain), []string{"./one/internal/desk x/one/internal/desk desk.App false"}},
		"several":  {lib("", "desk", plain+"\n\nfunc New() *agents.App { return nil }"), []string{". x desk.App false", ". x desk.New false"}},
		"in several packages": {lib("one/", "one", plain) + lib("two/", "two", plain),
			[]string{"./one x/one one.App false", "./two x/two two.App false"}},
		"the project's first": {lib("", "desk", plain) + lib("one/", "one", plain), []string{". x desk.App false"}},
		"beside a service":    {lib("one/", "one", plain) + mainFile("", "", "func main() { agents.New() }"), []string{"./one x/one one.App false"}},

		"beside a program": {lib("one/", "one", plain) + mainFile("", importApp, "func main() { app.Main(agents.New()) }"), nil},
		"of package main":  {mainFile("", "", plain+"\n\nfunc main() {}"), nil},
		"of a test":        {"-- desk.go --\npackage desk\n" + strings.Replace(lib("", "desk", plain), "desk.go", "desk_test.go", 1), nil},
		"not exported":     {lib("", "desk", "func app() *agents.App { return agents.New() }"), nil},
		"parameters":       {lib("", "desk", "func App(name string) *agents.App { return nil }"), nil},
		"options":          {lib("", "desk", "func App(options ...string) *agents.App { return nil }"), nil},
		"type parameters":  {lib("", "desk", "func App[T any]() *agents.App { return nil }"), nil},
		"a method":         {lib("", "desk", "type Desk struct{}\n\nfunc (Desk) App() *agents.App { return nil }"), nil},
		"a variable":       {lib("", "desk", "var App = func() *agents.App { return nil }"), nil},
		"no pointer":       {lib("", "desk", "func App() agents.App { return agents.App{} }"), nil},
		"two values":       {lib("", "desk", "func App() (*agents.App, bool) { return nil, false }"), nil},
		"three values":     {lib("", "desk", "func App() (*agents.App, error, error) { return nil, nil, nil }"), nil},
		"an own error":     {lib("", "desk", "type error interface{}\n\nfunc App() (*agents.App, error) { return nil, nil }"), nil},
		"an own App":       {lib("", "desk", "type App struct{ *agents.App }\n\nfunc New() *App { return nil }"), nil},
		"another App": {lib("", "desk", "import other \"x/other/agents\"\n\nvar _ agents.App\n\nfunc App() *other.App { return nil }") +
			other, nil},
	}
	for name, test := range tests {
		found, err := FindProgram(t.Context(), unpack(t, module+test.archive), "", AppType{Folder: "agents", Name: "App"})
		var got []string
		for _, f := range found.Apps {
			got = append(got, fmt.Sprint(f.Folder, " ", f.ImportPath, " ", f, " ", f.HasError))
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, test.want)
		}
	}

	renamed := module + "-- agents/desk.go --\npackage agents\n\ntype Desk struct{}\n" + lib("", "desk", "func New() *agents.Desk { return nil }")
	for name, want := range map[string]int{"Desk": 1, "App": 0} {
		found, err := FindProgram(t.Context(), unpack(t, renamed), "", AppType{Folder: "agents", Name: name})
		if err != nil || len(found.Apps) != want {
			t.Errorf("where App is %s: %v, %v", name, found.Apps, err)
		}
	}
}

func TestMainFolder(t *testing.T) {
	const (
		module = "-- go.mod --\nmodule x\n\ngo 1.25.0\n"
		top    = "-- main.go --\npackage main\n\nfunc main() {}\n"
		one    = "-- cmd/one/main.go --\npackage main\n\nfunc main() {}\n"
		two    = "-- cmd/two/main.go --\npackage main\n\nimport \"x/notyet\"\n\nfunc main() { notyet.Run() }\n"
	)
	for archive, want := range map[string]string{module: "", module + top: ".", module + top + one + two: ".", module + two: "./cmd/two"} {
		if got, err := MainFolder(t.Context(), unpack(t, archive)); err != nil || got != want {
			t.Errorf("%q: %q, %v", archive, got, err)
		}
	}
	var many *ManyMainsError
	if got, err := MainFolder(t.Context(), unpack(t, module+one+two)); !errors.As(err, &many) {
		t.Errorf("%q, %v", got, err)
	}
}

const project = `
-- go.mod --
module x

go 1.25.0
-- agents/agentc_gen.go --
package agents

import "context"

type SearchInput struct{ Query string }

type Tools interface {
	Read(ctx context.Context, id string) (string, error)
	Search(ctx context.Context, in SearchInput) (string, error)
}

type App struct{}

func New(tools Tools) *App { return &App{} }
`

func TestImportPath(t *testing.T) {
	dir := unpack(t, project)
	if got, err := ImportPath(t.Context(), dir, "agents"); err != nil || got != "x/agents" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ImportPath(t.Context(), dir, "nowhere"); err == nil {
		t.Errorf("%q is a package", got)
	}
	spaced := filepath.Join(dir, "with a space")
	if err := os.MkdirAll(filepath.Join(spaced, "agents"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(spaced, "agents", "a.go"), []byte("package agents\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ImportPath(t.Context(), spaced, "agents"); err == nil || !strings.Contains(err.Error(), "invalid char ' '") {
		t.Errorf("a path with a space: %v", err)
	}
}

// Of a program that the go command cannot load, nothing says that it does not run agents: the go command says what is wrong.
func TestFindProgramWithoutAgentc(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	for name, text := range map[string]string{
		"go.mod":  "module example.org/user\n\ngo 1.25\n\nrequire " + Agentc + " v0.0.0\n\nreplace " + Agentc + " => " + gone + "\n",
		"main.go": "package main\n\nimport \"" + Agentc + "/runtime/cli/app\"\n\nfunc main() { app.Main(nil) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"", "."} {
		_, err := FindProgram(t.Context(), dir, want, AppType{Folder: "agents", Name: "App"})
		if err == nil || !strings.Contains(err.Error(), "replacement directory "+gone+" does not exist") {
			t.Errorf("with %q the error is %v", want, err)
		}
	}
}
