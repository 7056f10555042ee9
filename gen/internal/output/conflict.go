package output

import (
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"strings"
)

// ConflictError says that the output folder holds something that agentc must not touch. Nothing was written.
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

func (c *comparison) refuse(name, format string, args ...any) {
	c.conflicts = append(c.conflicts, Conflict{Path: path.Join(c.dir, name), Problem: fmt.Sprintf(format, args...)})
}

// clause refuses a Go file of the user that cannot stand in one package with the generated ones.
func (c *comparison) clause(name string, content []byte) {
	file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.PackageClauseOnly)
	if err != nil {
		return // go build has a better message
	}
	found := file.Name.Name
	if found == c.pkg || strings.HasSuffix(name, "_test.go") && found == c.pkg+"_test" {
		return
	}
	c.refuse(name, "is of package %s, but the generated files of this folder are of package %s "+
		"(`package:` and `output:` of agentc.yaml change that)", found, c.pkg)
}

// refuseProject refuses an output folder that is a project of its own.
func (c *comparison) refuseProject() {
	if c.dir == "." {
		return
	}
	for _, e := range c.entries {
		switch e.Name() {
		case "agents":
			agents, _ := c.fsys.ReadDir(path.Join(c.dir, "agents"))
			for _, agent := range agents {
				if _, err := c.fsys.ReadFile(path.Join(c.dir, "agents", agent.Name(), "AGENT.md")); err == nil {
					c.refuse("", "is a project of its own; generated files of another one do not belong there")
					return
				}
			}
		case "workflows":
			workflows, _ := c.fsys.ReadDir(path.Join(c.dir, "workflows"))
			for _, w := range workflows {
				if ext := path.Ext(w.Name()); ext == ".yaml" || ext == ".yml" {
					c.refuse("", "is a project of its own; generated files of another one do not belong there")
					return
				}
			}
		}
	}
}
