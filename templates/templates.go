package templates

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed *.txtar patterns/*.txtar
var archives embed.FS

// The templates that are no pattern, with their placeholders.
const (
	// Project has the sources of a new project: an agent with a skill, its script, the config, and generate.go.
	// Placeholders: name, package.
	Project = "project"
	// Program has the Go code of that project: main, the tools, and a test that runs every agent from its script.
	// Placeholders: name; program, the path from the project folder to the program's; project, the path back, which
	// is empty or ends in a slash; generated, an import path.
	Program = "program"
	// Module has what a new module needs besides its go.mod. Placeholder: name.
	Module = "module"
	// Workflow is a workflow with a script. Placeholder: name.
	Workflow = "workflow"
	// Skill is a skill with tools that every program has. Placeholder: name.
	Skill = "skill"
	// TypedSkill is a skill with a tool of its own. Placeholders: name, tool.
	TypedSkill = "typed-skill"
	// Method is the Go code of that tool. Placeholders: program and generated as for Program; file, without .go;
	// package, the name of the generated package; method; type, the declaration of type tools, or nothing.
	Method = "method"
)

// File is a file to write.
type File struct {
	// Name is a path relative to the project folder, with forward slashes.
	Name    string
	Content []byte
}

// patterns stand in the order of the documentation: the simple ones first.
var patterns = []string{
	"oneshot", "react", "scatter", "parallel", "fsm", "critic", "reflexion", "constitutional", "chain-of-verification",
	"plan-execute", "debate", "best-of-n", "human",
}

// Patterns returns the names of all patterns.
func Patterns() []string { return slices.Clone(patterns) }

// Agent returns the files of an agent called name of one of the [Patterns], and of the agents that it needs, whose
// names begin with its own.
func Agent(pattern, name string) []File {
	return Fill("patterns/"+pattern, map[string]string{"name": name})
}

// Fill returns the files of a template with values for its placeholders. It panics if the template does not exist.
func Fill(template string, values map[string]string) []File {
	text, err := archives.ReadFile(template + ".txtar")
	if err != nil {
		panic(fmt.Sprintf("there is no template %q", template))
	}
	var pairs []string
	for placeholder, value := range values {
		pairs = append(pairs, "{{"+placeholder+"}}", value)
	}
	filled := strings.NewReplacer(pairs...)

	var files []File
	for _, f := range txtar.Parse(text).Files {
		files = append(files, File{Name: path.Clean(filled.Replace(f.Name)), Content: []byte(filled.Replace(string(f.Data)))})
	}

	return files
}
