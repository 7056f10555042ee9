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

// The templates that are not patterns, with their placeholders.
const (
	// Project has the config of a new project, and generate.go. Placeholders: name; models, the section of the config, or
	// nothing; package; tool, the command that runs agentc in the project folder.
	Project = "project"
	// Assistant is an agent with a skill that has a typed tool, and its script. Placeholder: name.
	Assistant = "assistant"
	// Program is the package main of a project. Placeholders: name; program, the path from the project folder to the
	// program's; generated, an import path; tools, the arguments of New.
	Program = "program"
	// Package is the Go package that a project is, instead of a program. Placeholders: name, package, generated, tools.
	Package = "package"
	// Tools has the Go of the tool of Assistant. Placeholders: package; program and generated as for Program.
	Tools = "tools"
	// Test runs every agent from its script. Placeholders: package; file, the name without _test.go; project, the path back
	// from the program to the project folder, which is empty or ends in a slash; program as for Program; app, the function that
	// returns the agents.
	Test = "test"
	// Module has what a new module needs besides its go.mod. Placeholder: name.
	Module = "module"
	// Ignored is what git leaves out of a project in a module that was there before: keys and runs.
	Ignored = "ignored"
	// Repository has what editors and GitHub read in the root of a module. Placeholders: name; folder, the path to the
	// project, which begins with a dot; tool, the command that runs agentc in the root.
	Repository = "repository"
	// VSCode and JetBrains are settings by which these editors find the schemas. Placeholder: schemas, the path of their folder.
	VSCode    = "vscode"
	JetBrains = "jetbrains"
	// Workflow is a workflow with a script. Placeholders: name; model, that of its agents; schema, the line by which editors find
	// the schema, or nothing.
	Workflow = "workflow"
	// Skill is a skill with tools that every program has. Placeholder: name.
	Skill = "skill"
	// TypedSkill is a skill with a tool of its own. Placeholders: name, tool.
	TypedSkill = "typed-skill"
	// Method is the Go code of that tool. Placeholders: program and generated as for Program; file, without .go; in, the
	// package of that file; package, the name of the generated package; method; type, the declaration of type tools, or
	// nothing.
	Method = "method"
	// Image has what a container image is built from, ImageWithShell the same for a program that runs commands. Placeholders: ours, the
	// first line of each file; binary, a name; folders, apart by spaces, and volumes, the same as JSON; of Image copies, the lines
	// that copy folders into it; of ImageWithShell packages, each behind a space, and owned, folders.
	Image          = "image"
	ImageWithShell = "image-with-shell"
	// RunTest is a Go test that plays the script of a run. Placeholders: package, of the test; generated, an import path; test
	// and script, the names of both; new, the call that makes the program; context, Go that sets it, or nothing; agent, input, key
	// and value of the run, as Go texts.
	RunTest = "run-test"
)

// File is a file to write.
type File struct {
	// Name is a path relative to the project folder, with forward slashes.
	Name    string
	Content []byte
}

// patterns are in the order of the documentation: the simple ones first.
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
