package output

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// ConflictError means that the output folder contains something that agentc must not change.
// Nothing was written.
type ConflictError struct {
	Conflicts []Conflict
}

// Conflict is a file or a folder that agentc must not change.
type Conflict struct {
	// Path is slash-separated and relative to the project folder.
	Path    string
	Problem string
}

// Error returns a line for each conflict.
func (e *ConflictError) Error() string {
	lines := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		lines[i] = c.Path + " " + c.Problem
	}

	return strings.Join(lines, "\n")
}

// packageProblem reports why a Go file of the user cannot be in one package with the generated
// ones, or returns "".
func packageProblem(pkg, name string, content []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.PackageClauseOnly)
	if err != nil {
		return "" // go build has a better message
	}
	declared := file.Name.Name
	if declared == pkg || strings.HasSuffix(name, "_test.go") && declared == pkg+"_test" {
		return ""
	}

	return fmt.Sprintf("is of package %s, but the generated files of this folder are of package %s "+
		"(`package:` and `output:` of agentc.yaml change that)", declared, pkg)
}

// projectProblem reports that an output folder is itself a project, or returns "".
func projectProblem(fsys FS, dir string, entries []fs.DirEntry) string {
	has := func(folder string, matches func(name string) bool) bool {
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == folder }) {
			return false
		}
		children, _ := fsys.ReadDir(path.Join(dir, folder))
		return slices.ContainsFunc(children, func(e fs.DirEntry) bool { return matches(e.Name()) })
	}
	isAgent := func(name string) bool {
		_, err := fsys.ReadFile(path.Join(dir, "agents", name, "AGENT.md"))
		return err == nil
	}
	isWorkflow := func(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }
	if dir == "." || !has("agents", isAgent) && !has("workflows", isWorkflow) {
		return ""
	}

	return "is itself a project, which cannot contain the generated files of another one"
}
