package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

var addCommand = &cli.Command{
	Name: "add", Args: "PATTERN|workflow|skill NAME", Max: 2, Values: addableKinds,
	Summary: "add an agent of a pattern, a workflow or a skill to a project",
	Example: "agentc add critic blog-writer\nagentc add skill orders --tool",
	Flags:   []cli.Flag{{Name: "tool", Help: "write a skill with a typed tool, which is a Go method"}},
	Run:     addToProject,
}

func addToProject(c *cli.Call) error {
	kind, name, err := parseAddArguments(c)
	if err != nil {
		return err
	}
	s := &scaffold{c: c}
	if err := s.resolveProject(); err != nil {
		return err
	}
	switch {
	case kind == workflowKind:
		values := map[string]string{"name": name, "model": `"openai:gpt-4o-mini"`, "schema": ""}
		if fileExists(s.p.absolutePath(schemaFolder + "/workflow.json")) {
			values["schema"] = workflowSchema
		}
		s.files = templates.Fill(templates.Workflow, values)
		s.suggestRun(name, "workflows/"+name+".script.json")
	case kind != skillKind:
		s.files = templates.Agent(kind, name)
		s.suggestRun(name, "agents/"+name+"/script.json")
	default:
		if err := s.planSkill(context.Background(), name, c.On("tool")); err != nil {
			return err
		}
	}

	return s.writeAll()
}

// The kinds that are not patterns.
const (
	workflowKind = "workflow"
	skillKind    = "skill"
)

func addableKinds() []string { return append(templates.Patterns(), workflowKind, skillKind) }

// parseAddArguments returns the kind and the name of what is to be added.
func parseAddArguments(c *cli.Call) (kind, name string, err error) {
	kind, name = c.Arg(0), c.Arg(1)
	kinds := addableKinds()
	known := strings.Join(kinds, ", ")
	what := anAgent
	switch {
	case kind == "":
		return "", "", c.Usagef("name what to add: %s", known)
	case !slices.Contains(kinds, kind):
		return "", "", c.Usagef("there is no pattern %q%s: there are %s", kind, didYouMean(kind, kinds), known)
	case name == "":
		return "", "", c.Usagef("what is it called? agentc add %s NAME", kind)
	case kind == skillKind:
		what = aSkill
	case c.On("tool"):
		return "", "", c.Usagef("--tool is for skills: an agent has the tools of the skills that it uses")
	case kind == workflowKind:
		what = aWorkflow
	}

	return kind, name, checkName(c, what, name)
}

// resolveProject finds the project that the working directory is in. Without one, the working
// directory becomes a project.
func (s *scaffold) resolveProject() error {
	p, err := findProject(s.c, ".")
	var none *loader.NotProjectError
	if !errors.As(err, &none) {
		s.p = p
		return err
	}
	around := enclosingProject(s.c.Dir)
	if around == "" {
		s.advice = append(s.advice, "this folder is a project now")
	}
	s.p = &project{dir: cmp.Or(around, s.c.Dir)}

	return nil
}

// suggestRun adds the command that runs the agent or the workflow with its script.
func (s *scaffold) suggestRun(name, script string) {
	run := "agentc run"
	if s.p.dir != s.c.Dir {
		run += " " + cli.Quote(s.c.Rel(s.p.dir))
	}
	s.next = append(s.next, fmt.Sprintf(`%s --agent %s --script %s "a task"`, run, name, cli.Quote(s.p.label(s.c)(script))))
	s.suggestGenerate()
}

// suggestGenerate adds the commands that update and test the generated Go, if the project has a
// generate.go.
func (s *scaffold) suggestGenerate() {
	if fileExists(filepath.Join(s.p.dir, "generate.go")) {
		s.next = append(s.next, "go generate ./... && go test ./...")
	}
}
