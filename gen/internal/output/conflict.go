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

// ConflictError says that the output folder holds something that agentc must not touch. Nothing was
// written.
type ConflictError struct {
	Conflicts []Conflict
}

// Conflict is one such thing.
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

// clause says why a Go file of the user cannot be in one package with the generated ones; "" if it
// can.
func clause(pkg, name string, content []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.PackageClauseOnly)
	if err != nil {
		return "" // go build has a better message
	}
	found := file.Name.Name
	if found == pkg || strings.HasSuffix(name, "_test.go") && found == pkg+"_test" {
		return ""
	}

	return fmt.Sprintf("is of package %s, but the generated files of this folder are of package %s "+
		"(`package:` and `output:` of agentc.yaml change that)", found, pkg)
}

// projectIn says that an output folder is a project of its own; "" if it is none.
func projectIn(fsys FS, dir string, entries []fs.DirEntry) string {
	has := func(folder string, is func(name string) bool) bool {
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == folder }) {
			return false
		}
		inside, _ := fsys.ReadDir(path.Join(dir, folder))
		return slices.ContainsFunc(inside, func(e fs.DirEntry) bool { return is(e.Name()) })
	}
	isAgent := func(name string) bool {
		_, err := fsys.ReadFile(path.Join(dir, "agents", name, "AGENT.md"))
		return err == nil
	}
	isWorkflow := func(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }
	if dir == "." || !has("agents", isAgent) && !has("workflows", isWorkflow) {
		return ""
	}

	return "is a project of its own; generated files of another one do not belong there"
}
