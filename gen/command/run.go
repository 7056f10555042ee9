package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/preflight"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

var runCommand = &cli.Command{
	Name: "run", Args: "[DIR] [TASK]", Max: 2,
	Summary: "compile a project, build it (cached) and run it",
	Example: "agentc run ./examples/smart-critic \"a haiku about compilers\"\n" +
		"echo \"a haiku\" | agentc run ./examples/smart-critic --json",
	Flags: slices.Concat([]cli.Flag{
		{Name: "agent", Value: "NAME", Help: "run this agent instead of the entry point"},
		mainFlag, envFileFlag,
	}, runFlags),
	Run: runProject,
}

func runProject(c *cli.Call) error {
	dir, task := parseDirAndTask(c)
	if task == nil && c.IsTerminal(c.Stdin) {
		return c.Usagef("what is the task? Give it as an argument or on stdin")
	}
	p, err := openProject(c, dir)
	if err != nil {
		code := c.Report(err)
		explainArguments(c)
		return c.Exit(code)
	}
	result, err := gen.Compile(context.Background(), p.compileOptions())
	var missing []preflight.Need
	if err == nil && !result.HasErrors() {
		start := cmp.Or(result.Program.AgentByName(p.chosenAgent(c)), result.Program.Entry)
		result.Diagnostics = diagnosticsOfRun(result, start)
		missing, err = p.findRefused(c, result.Program, start)
		if len(missing) > 0 {
			result.Diagnostics = slices.DeleteFunc(result.Diagnostics, isInReport)
		}
	}
	if err == nil && p.checkWarnedBefore(c, result) {
		fmt.Fprintf(c.Notes(), "%s, as before: agentc check lists them\n", countDiagnostics(result.Diagnostics))
	} else if result, err = p.reportCompiled(c, result, err); err != nil {
		return err
	}
	if err := checkStartable(c, p.chosenAgent(c), result.Program); err != nil {
		return err
	}
	if len(missing) > 0 {
		fmt.Fprint(c.Stderr, preflight.Text(missing))
		fmt.Fprintf(c.Stderr, "%d missing: agentc preflight lists all that a run needs, and --fix adds what agentc.yaml can say\n", len(missing))
		return c.Exit(cli.Problem)
	}

	reportFilesRoot(c, p, result.Program)
	b, err := prepareBinary(&linking{c: c, p: p, result: result}, dir)
	if err != nil {
		return err
	}

	args := passedFlags(c, runFlags, b.script)
	if agent := p.chosenAgent(c); agent != "" {
		args = append(args, "--agent", agent)
	}
	if task != nil {
		args = append(args, "--", *task)
	}

	return runBinary(c, b.binary, args, b.environ)
}

// findRefused returns the needs without which the binary would refuse to run, before it is built. A
// script or a recording needs none of them, and in a Go module the user's code may provide them.
func (p *project) findRefused(c *cli.Call, program *ir.Program, start *ir.Agent) ([]preflight.Need, error) {
	if isPlayed := c.On("script") || c.On("replay"); isPlayed || start == nil {
		return nil, nil
	}
	if inModule, err := gopkg.UsesAgentc(context.Background(), p.dir); inModule || err != nil {
		return nil, nil // go build reports the error
	}
	machine, err := p.describeMachine(c)
	if err != nil {
		return nil, err
	}
	needs := preflight.Of(program, []*ir.Agent{start}, machine)
	if slices.ContainsFunc(needs, func(n preflight.Need) bool { return n.Kind == "method" }) {
		return nil, nil // the missing Go is reported first
	}

	return preflight.Refused(needs), nil
}

// diagnosticsOfRun returns the warnings that concern a run that starts with an agent. It omits
// warnings in files of agents that the run does not contain. Without an agent it returns all.
func diagnosticsOfRun(result *gen.Result, start *ir.Agent) []*diag.Diagnostic {
	if start == nil {
		return result.Diagnostics
	}
	runs := map[*source.File]bool{}
	ir.WalkContained([]*ir.Agent{start}, func([]ir.Containment) {}, func(a *ir.Agent) {
		for _, f := range agentFiles(a) {
			runs[f] = true
		}
	})
	others := map[*source.File]bool{}
	for _, a := range result.Program.Agents {
		for _, f := range agentFiles(a) {
			others[f] = !runs[f]
		}
	}

	return slices.DeleteFunc(slices.Clone(result.Diagnostics), func(d *diag.Diagnostic) bool { return others[d.Span.File] })
}

// agentFiles returns the files of an agent.
func agentFiles(a *ir.Agent) []*source.File {
	return append(ir.Map(a.Conversations(), func(step *ir.Step) *source.File { return step.File }), a.File)
}

// reportFilesRoot prints where the file tools work, if files.root could be mistaken for a folder of
// the project.
func reportFilesRoot(c *cli.Call, p *project, program *ir.Program) {
	root := program.Reach.Root.Value
	if root == "" || filepath.IsAbs(root) || p.dir == c.Path(".") {
		return
	}
	fmt.Fprintf(c.Notes(), "note: files.root is below the working directory: %s\n", c.Path(root))
}

// runFlags are the flags of run that are passed to the binary.
var runFlags = append([]cli.Flag{
	{Name: "json", Help: "print events, one JSON object per line, instead of the final value"},
	{Name: "context", Value: "FILE|JSON", Help: "the initial context of a workflow, a JSON object"},
}, adaptBinaryFlags(app.RunFlags())...)

// parseDirAndTask returns the folder and the task; task is nil if there is none.
func parseDirAndTask(c *cli.Call) (dir string, task *string) {
	switch len(c.Args) {
	case 0:
		return "", nil
	case 2:
		return c.Args[0], &c.Args[1]
	}
	if only := c.Args[0]; only == "" || !fileExists(c.Path(only)) {
		return "", &only
	}

	return c.Args[0], nil
}

// explainArguments explains how the arguments were read, if a folder does not exist.
func explainArguments(c *cli.Call) {
	switch {
	case len(c.Args) == 0 || fileExists(c.Path(c.Args[0])):
	case len(c.Args) == 1:
		printMessage(c, "there is no folder or file %q, so it was treated as the task", c.Args[0])
	default:
		printMessage(c, "the first argument is the project, the second the task: quote a task of several words")
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// checkStartable reports why a run cannot start with an agent; "" is the program's entry point.
func checkStartable(c *cli.Call, name string, program *ir.Program) error {
	start := program.Entry
	if name != "" {
		var err error
		start, err = findAgent(c, name, program)
		if err != nil {
			return err
		}
	}
	if start == nil {
		return c.Usagef("the project has several agents that no other contains, and no entrypoint: choose one with --agent: %s",
			strings.Join(agentNames(slices.DeleteFunc(graph.FindRoots(program), (*ir.Agent).IsGoDriven)), ", "))
	}
	if start.IsGoDriven() {
		return c.Errorf(cli.Problem, "%q is a machine that others drive (drive: external): there is nothing to run", start.Name.Value)
	}

	return nil
}
