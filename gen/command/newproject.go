package command

import (
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

// newProject is a project that is about to be written.
type newProject struct {
	scaffold
	name string
	// pkg is the package of the Go in the folder; "" if there is none.
	pkg  string
	from origin
}

// plan decides what is written.
func (n *newProject) plan(ctx context.Context) error {
	values, err := n.goValues()
	if err != nil {
		return err
	}
	n.sources(values)
	if n.p.dir != n.c.Dir {
		n.next = append(n.next, "cd "+cli.Quote(n.c.Rel(n.p.dir)))
	}
	path, err := n.planModule(ctx)
	if err != nil {
		return err
	}
	values["generated"] = path + "/agents"
	n.planGo(values)
	n.planRepository()

	return nil
}

// goValues are the values of templates that say where the Go belongs. In a folder with Go of its own, the program has a folder where
// it does not disturb that.
func (n *newProject) goValues() (map[string]string, error) {
	values := map[string]string{"name": n.name, "package": "main", "program": ".", "project": "", "file": "main", "tools": ""}
	switch {
	case n.c.On("package"):
		pkg, err := n.packageName()
		values["package"], values["file"] = pkg, "app"
		return values, err
	case n.pkg != "":
		values["program"], values["project"] = "./cmd/"+n.name, "../../"
	}

	return values, nil
}

// packageName is the name of the Go package that the project is to be.
func (n *newProject) packageName() (string, error) {
	folder := n.c.Flag("package")
	if n.pkg == "main" {
		return "", n.c.Usagef("--package %s: the Go there is package main, which no program can import", folder)
	}
	if declares(n.p.dir, "App", "tools") {
		return "", n.c.Usagef("--package %s: the Go there declares App or tools already, as the new Go would", folder)
	}
	if n.pkg != "" {
		return n.pkg, nil
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, filepath.Base(n.p.dir))
	if !token.IsIdentifier(name) || name == "main" || name == "vendor" || name == "testdata" {
		return "", n.c.Usagef("--package %s: no Go package can have that name: choose another folder", folder)
	}

	return name, nil
}

// sources plans the files that agentc compiles.
func (n *newProject) sources(values map[string]string) {
	script := "agents/" + n.name + "/script.json"
	const remark = ` # answers instead of a model; a real one: "openai:gpt-5-mini"`
	values["models"] = fmt.Sprintf("\nmodels:\n  default: %q%s", "script:"+script, remark)
	var sources []templates.File
	switch {
	case n.c.On("workflow"):
		values["models"] = ""
		values["model"] = fmt.Sprintf("%q%s", "script:workflows/"+n.name+".script.json", remark)
		sources = templates.Fill(templates.Workflow, values)
	case n.c.On("machine"):
		sources = templates.Agent("fsm", n.name)
	default:
		values["tools"] = "tools{}"
		sources = templates.Fill(templates.Assistant, values)
	}
	inFolder := map[string]string{"name": n.name, "models": values["models"], "package": values["package"]}
	if n.pkg != "" {
		inFolder["package"] = n.pkg
	}
	n.files = append(templates.Fill(templates.Project, inFolder), sources...)
}

// planGo plans the Go that belongs to the user, and what comes next.
func (n *newProject) planGo(values map[string]string) {
	own := templates.Program
	if n.c.On("package") {
		own = templates.Package
	}
	n.files = append(n.files, templates.Fill(own, values)...)
	if values["tools"] != "" {
		n.files = append(n.files, templates.Fill(templates.Tools, values)...)
	}
	n.files = append(n.files, templates.Fill(templates.Test, values)...)
	n.next = append(n.next, "go generate ./... && go test ./...")
	if n.c.On("package") {
		n.next = append(n.next, `go tool agentc run "a toast to Ada"`)
		n.advice = append(n.advice, fmt.Sprintf("in your program: %s.App().Run(ctx, engine.New(engine.Options{}), \"a toast to Ada\")", values["package"]))
		return
	}
	n.next = append(n.next, "go run "+values["program"]+` run "a toast to Ada"`)
}

// planModule finds the module that the project belongs to, or makes it one, and returns the import path of the project folder.
func (n *newProject) planModule(ctx context.Context) (string, error) {
	around, err := gopkg.ModuleAround(ctx, nearestFolder(n.p.dir))
	if err != nil {
		return "", err
	}
	if around != nil {
		return n.joinModule(ctx, around)
	}
	if n.c.On("package") {
		return "", n.c.Usagef("--package %s is in no Go module; run first: go mod init PATH", n.c.Flag("package"))
	}
	if err := n.checkModuleName(ctx); err != nil {
		return "", err
	}
	files, err := n.from.moduleFiles(ctx, n.name)
	if err != nil {
		return "", err
	}
	n.files = append(append(n.files, templates.Fill(templates.Module, map[string]string{"name": n.name})...), files...)
	n.root = n.p.dir
	if n.from.dir == "" {
		n.next = append(n.next, "go mod tidy")
	}

	return n.name, nil
}

// joinModule puts the project into a module of the user's, and says what that lacks.
func (n *newProject) joinModule(ctx context.Context, m *gopkg.Module) (string, error) {
	path, err := m.ImportPath(n.p.dir)
	if err != nil {
		return "", err
	}
	n.root = m.Dir
	uses, err := gopkg.UsesAgentc(ctx, m.Dir)
	if err != nil || uses && slices.Contains(m.Tools, ownCommand) {
		return path, err
	}
	commands, err := n.from.getCommands()
	n.next = append(n.next, commands...)

	return path, err
}

// planRepository plans what editors and GitHub read in the root of the module. What is there already stays as it is.
func (n *newProject) planRepository() {
	folder, err := filepath.Rel(n.root, n.p.dir)
	back, backErr := filepath.Rel(n.p.dir, n.root)
	if err != nil || backErr != nil { // another volume of Windows: no folder of this module
		return
	}
	if folder = filepath.ToSlash(folder); folder != "." {
		folder = "./" + folder
	}
	for _, f := range templates.Fill(templates.Repository, map[string]string{"name": n.name, "folder": cli.Quote(folder)}) {
		if !exists(filepath.Join(n.root, filepath.FromSlash(f.Name))) {
			f.Name = filepath.ToSlash(filepath.Join(back, filepath.FromSlash(f.Name)))
			n.files = append(n.files, f)
		}
	}
}

// reserved are names that the go command takes for patterns, or for the package main, or that no module may have because
// Windows has no such files, or whose binary would be in the place of a folder of sources.
var reserved = map[string]bool{
	"all": true, "main": true, "std": true, "tool": true, "work": true,
	"aux": true, "con": true, "nul": true, "prn": true,
	"agents": true, "skills": true, "workflows": true,
}

// checkModuleName says why no module can have the project's name.
func (n *newProject) checkModuleName(ctx context.Context) error {
	root, err := gopkg.Root(ctx)
	if err != nil {
		return err
	}
	if !reserved[n.name] && !token.IsKeyword(n.name) && !exists(filepath.Join(root, "src", n.name)) {
		return nil
	}

	return n.c.Usagef("a module cannot be called %q, which means something else to Go or to agentc: choose another name, or run "+
		"`go mod init` with a path of yours in the folder before", n.name)
}
