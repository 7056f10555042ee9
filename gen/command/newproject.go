package command

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/schema"
	"github.com/agentc-dev/agentc/templates"
)

// newProject is a project to be written.
type newProject struct {
	scaffold
	name string
	// pkg is the package of the Go in the folder; "" if there is none.
	pkg  string
	from origin
	// modfile is the other modfile that has agentc as a tool; "" if go.mod has it.
	modfile string
}

// toolsFile is a separate modfile, in which many projects keep the tools that the module itself
// does not need.
const toolsFile = "tools.mod"

// toolCommand returns the command that runs agentc in a folder of the module.
func (n *newProject) toolCommand(dir string) string {
	if n.modfile == "" {
		return "go tool agentc"
	}
	file := n.modfile
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = filepath.ToSlash(rel)
	}

	return "go tool -modfile=" + cli.Quote(file) + " agentc"
}

// planAll plans all files.
func (n *newProject) planAll(ctx context.Context) error {
	values, err := n.goValues()
	if err != nil {
		return err
	}
	if n.p.dir != n.c.Dir {
		n.next = append(n.next, "cd "+cli.Quote(n.c.Rel(n.p.dir)))
	}
	path, err := n.planModule(ctx)
	if err != nil {
		return err
	}
	values["generated"] = path + "/agents"
	n.planSources(values)
	n.planGo(values)
	n.planSchemas()
	n.planRepository()

	return nil
}

// goValues returns the values of templates for the place of the Go. In a folder that already has
// Go, the program gets a folder of its own.
func (n *newProject) goValues() (map[string]string, error) {
	values := map[string]string{"name": n.name, "package": "main", "program": ".", "project": "", "file": "main", "app": "newApp", "tools": ""}
	switch {
	case n.c.On("package"):
		pkg, err := n.choosePackageName()
		values["package"], values["file"], values["app"] = pkg, "app", "App"
		return values, err
	case n.pkg != "":
		values["program"], values["project"] = "./cmd/"+n.name, "../../"
	}

	return values, nil
}

// choosePackageName returns the name of the Go package for --package.
func (n *newProject) choosePackageName() (string, error) {
	folder := n.c.Flag("package")
	if n.pkg == "main" {
		return "", n.c.Usagef("--package %s: the Go there is package main, which no program can import", folder)
	}
	if declaresAny(n.p.dir, "App", "tools") {
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

// planSources plans the files that agentc compiles.
func (n *newProject) planSources(values map[string]string) {
	script := "agents/" + n.name + "/script.json"
	const remark = ` # answers instead of a model; a real one: "openai:gpt-5-mini"`
	values["models"] = fmt.Sprintf("\nmodels:\n  default: %q%s", "script:"+script, remark)
	var sources []templates.File
	switch {
	case n.c.On("workflow"):
		values["models"] = ""
		values["model"] = fmt.Sprintf("%q%s", "script:workflows/"+n.name+".script.json", remark)
		values["schema"] = workflowSchema
		sources = templates.Fill(templates.Workflow, values)
	case n.c.On("machine"):
		sources = templates.Agent("fsm", n.name)
	default:
		values["tools"] = "tools{}"
		sources = templates.Fill(templates.Assistant, values)
	}
	inFolder := map[string]string{"name": n.name, "models": values["models"], "package": values["package"], "tool": n.toolCommand(n.p.dir)}
	if n.pkg != "" {
		inFolder["package"] = n.pkg
	}
	n.files = slices.Concat(templates.Fill(templates.Project, inFolder), sources, n.files)
}

// planGo plans the user's Go, and the next commands.
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
	n.next = append(n.next, "go test ./...")
	n.advice = append(n.advice, "after an edit of agents, skills, workflows, agentc.yaml or script.json: go generate ./...")
	if n.c.On("package") {
		n.next = append(n.next, n.toolCommand(n.p.dir)+` run "a toast to Ada"`)
		n.advice = append(n.advice, fmt.Sprintf("in your program: %s.App().Run(ctx, engine.New(engine.Options{}), \"a toast to Ada\")", values["package"]))
		return
	}
	n.next = append(n.next, "go run "+values["program"]+` run "a toast to Ada"`)
}

// planModule joins the enclosing module, or plans a new one, and returns the import path of the
// project folder.
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
	files, err := n.from.moduleFiles(n.name)
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

// joinModule adds the project to an existing module, with the commands for what the module lacks.
func (n *newProject) joinModule(ctx context.Context, m *gopkg.Module) (string, error) {
	path, err := m.ImportPath(n.p.dir)
	if err != nil {
		return "", err
	}
	n.root = m.Dir
	n.planIgnored()
	uses, err := gopkg.UsesAgentc(ctx, m.Dir)
	if errors.Is(err, gopkg.ErrNoGo) {
		uses, err = m.Mentions(gopkg.Agentc), nil
	}
	hasTool := slices.Contains(m.Tools, ownCommand)
	if tools, noFile := gopkg.ReadModule(filepath.Join(m.Dir, toolsFile)); noFile == nil && slices.Contains(tools.Tools, ownCommand) {
		hasTool, n.modfile = true, filepath.Join(m.Dir, toolsFile)
	}
	if err != nil || uses && hasTool {
		return path, err
	}
	commands, err := n.from.getCommands(hasTool)
	n.next = append(n.next, commands...)

	return path, err
}

// planIgnored plans a .gitignore that excludes .env in an existing module.
func (n *newProject) planIgnored() {
	for _, f := range templates.Fill(templates.Ignored, nil) {
		if fileExists(n.p.absolutePath(f.Name)) {
			n.advice = append(n.advice, n.p.label(n.c)(f.Name)+" was not changed: make sure that it lists .env, which will contain keys")
			continue
		}
		n.files = append(n.files, f)
	}
}

// schemaFolder is the folder of the schemas by which editors complete and check handwritten files.
// schemaFormats are their formats. The schemas come from the agentc that wrote the project.
const schemaFolder = ".agentc/schema"

var schemaFormats = []string{"config", "workflow"}

// workflowSchema is the first line of a workflow in a project with schemas.
const workflowSchema = "# yaml-language-server: $schema=../" + schemaFolder + "/workflow.json\n"

// planSchemas plans the schemas.
func (n *newProject) planSchemas() {
	for _, format := range schemaFormats {
		text, _ := schema.Text(format)
		n.files = append(n.files, templates.File{Name: schemaFolder + "/" + format + ".json", Content: text})
	}
}

// editorSettings describes an editor for which init writes settings: its name for --editor, the
// template, and the folder of the settings.
type editorSettings struct{ name, template, folder string }

var editors = []editorSettings{
	{"vscode", templates.VSCode, ".vscode"},
	{"jetbrains", templates.JetBrains, ".idea"},
}

// repositoryFiles returns the files for the root of the module, with the settings of the editors
// that are requested or in use.
func (n *newProject) repositoryFiles(folder string) []templates.File {
	files := templates.Fill(templates.Repository, map[string]string{"name": n.name, "folder": cli.Quote(folder), "tool": n.toolCommand(n.root)})
	for _, e := range editors {
		wanted := n.c.Flag("editor")
		if wanted == e.name || wanted == "all" || wanted == "" && fileExists(filepath.Join(n.root, e.folder)) {
			files = append(files, templates.Fill(e.template, map[string]string{"schemas": path.Join(folder, schemaFolder)})...)
		}
	}

	return files
}

// planRepository plans the files for the root of the module that do not exist.
func (n *newProject) planRepository() {
	folder, err := filepath.Rel(n.root, n.p.dir)
	back, backErr := filepath.Rel(n.p.dir, n.root)
	if err != nil || backErr != nil { // on Windows it may be on another volume: then there is no common folder
		return
	}
	folder = filepath.ToSlash(folder)
	if folder != "." {
		folder = "./" + folder
	}
	for _, f := range n.repositoryFiles(folder) {
		if !fileExists(filepath.Join(n.root, filepath.FromSlash(f.Name))) {
			f.Name = filepath.ToSlash(filepath.Join(back, filepath.FromSlash(f.Name)))
			n.files = append(n.files, f)
		} else if n.c.On("editor") && slices.ContainsFunc(editors, func(e editorSettings) bool { return path.Dir(f.Name) == e.folder }) {
			n.advice = append(n.advice, fmt.Sprintf("%s was not changed; the schemas are in %s", f.Name, n.p.label(n.c)(schemaFolder)))
		}
	}
}

// reservedNames are names with a special meaning for the go command, names that Windows does not
// allow for files, and names whose binary would collide with a folder of sources.
var reservedNames = map[string]bool{
	"all": true, "main": true, "std": true, "tool": true, "work": true,
	"aux": true, "con": true, "nul": true, "prn": true,
	"agents": true, "skills": true, "workflows": true,
}

// checkModuleName reports why no module can have the project's name.
func (n *newProject) checkModuleName(ctx context.Context) error {
	root, err := gopkg.Root(ctx)
	isPackage := err == nil && fileExists(filepath.Join(root, "src", n.name))
	if err != nil && !errors.Is(err, gopkg.ErrNoGo) { // without Go, the packages of the standard library are unknown
		return err
	}
	if !reservedNames[n.name] && !token.IsKeyword(n.name) && !isPackage {
		return nil
	}

	return n.c.Usagef("a module cannot be called %q, which has another meaning for Go or for agentc: choose another name, or run "+
		"`go mod init` with your own path in the folder first", n.name)
}
