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
	dir, task := dirAndTask(c)
	if task == nil && c.IsTerminal(c.Stdin) {
		return c.Usagef("what is the task? Give it as an argument or on stdin")
	}
	p, err := openProject(c, dir)
	if err != nil {
		code := c.Report(err)
		explainArguments(c)
		return c.Exit(code)
	}
	result, err := gen.Compile(context.Background(), p.options())
	var lacks []preflight.Need
	if err == nil && !result.HasErrors() {
		start := cmp.Or(result.Program.AgentByName(p.chosen(c)), result.Program.Entry)
		result.Diagnostics = ofRun(result, start)
		if lacks, err = p.lacks(c, result.Program, start); len(lacks) > 0 {
			result.Diagnostics = slices.DeleteFunc(result.Diagnostics, isInReport)
		}
	}
	if err == nil && p.warnedBefore(c, result) {
		fmt.Fprintf(c.Notes(), "%s, as before: agentc check lists them\n", count(result.Diagnostics))
	} else if result, err = p.compiled(c, result, err); err != nil {
		return err
	}
	if err := startable(c, p.chosen(c), result.Program); err != nil {
		return err
	}
	if len(lacks) > 0 {
		fmt.Fprint(c.Stderr, preflight.Text(lacks))
		fmt.Fprintf(c.Stderr, "%d missing: agentc preflight lists all that a run needs, and --fix adds what agentc.yaml can say\n", len(lacks))
		return c.Exit(cli.Problem)
	}

	noteRoot(c, p, result.Program)
	b, err := prepare(&linking{c: c, p: p, result: result}, dir)
	if err != nil {
		return err
	}

	args := passedFlags(c, runFlags, b.script)
	if agent := p.chosen(c); agent != "" {
		args = append(args, "--agent", agent)
	}
	if task != nil {
		args = append(args, "--", *task)
	}

	return start(c, b.binary, args, b.environ)
}

// lacks returns what the binary would refuse to run without, found before it is built. A script and
// a recording need none of it, and in a Go module the user's own code may bring it.
func (p *project) lacks(c *cli.Call, program *ir.Program, start *ir.Agent) ([]preflight.Need, error) {
	if isPlayed := c.On("script") || c.On("replay"); isPlayed || start == nil {
		return nil, nil
	}
	if inModule, err := gopkg.UsesAgentc(context.Background(), p.dir); inModule || err != nil {
		return nil, nil // an error is that of the build
	}
	machine, err := p.machine(c)
	if err != nil {
		return nil, err
	}
	needs := preflight.Of(program, []*ir.Agent{start}, machine)
	if slices.ContainsFunc(needs, func(n preflight.Need) bool { return n.Kind == "method" }) {
		return nil, nil // without a module there is no Go for it, which comes first
	}

	return preflight.Refused(needs), nil
}

// ofRun returns the warnings that concern a run that begins with an agent: those in files of agents
// that it does not contain are left out. Without an agent all count.
func ofRun(result *gen.Result, start *ir.Agent) []*diag.Diagnostic {
	if start == nil {
		return result.Diagnostics
	}
	runs := map[*source.File]bool{}
	ir.WalkContained([]*ir.Agent{start}, func([]ir.Containment) {}, func(a *ir.Agent) {
		for _, f := range filesOf(a) {
			runs[f] = true
		}
	})
	others := map[*source.File]bool{}
	for _, a := range result.Program.Agents {
		for _, f := range filesOf(a) {
			others[f] = !runs[f]
		}
	}

	return slices.DeleteFunc(slices.Clone(result.Diagnostics), func(d *diag.Diagnostic) bool { return others[d.Span.File] })
}

// filesOf are the files that an agent is written in.
func filesOf(a *ir.Agent) []*source.File {
	return append(ir.Map(a.Conversations(), func(step *ir.Step) *source.File { return step.File }), a.File)
}

// noteRoot says where the file tools work, if a reader of the config could take it for a folder of
// the project.
func noteRoot(c *cli.Call, p *project, program *ir.Program) {
	root := program.Reach.Root.Value
	if root == "" || filepath.IsAbs(root) || p.dir == c.Path(".") {
		return
	}
	fmt.Fprintf(c.Notes(), "note: files.root is below the working directory: %s\n", c.Path(root))
}

// runFlags are the flags of run that are the binary's.
var runFlags = append([]cli.Flag{
	{Name: "json", Help: "print events, one JSON object per line, instead of the final value"},
	{Name: "context", Value: "FILE|JSON", Help: "the initial context of a workflow, a JSON object"},
}, ownFlags(app.RunFlags())...)

// dirAndTask returns what the arguments are; task is nil if there is none.
func dirAndTask(c *cli.Call) (dir string, task *string) {
	switch len(c.Args) {
	case 0:
		return "", nil
	case 2:
		return c.Args[0], &c.Args[1]
	}
	if only := c.Args[0]; only == "" || !exists(c.Path(only)) {
		return "", &only
	}

	return c.Args[0], nil
}

// explainArguments reports how the arguments were read, where a folder that does not exist may have
// been meant otherwise.
func explainArguments(c *cli.Call) {
	switch {
	case len(c.Args) == 0 || exists(c.Path(c.Args[0])):
	case len(c.Args) == 1:
		say(c, "there is no folder or file %q, so it was treated as the task", c.Args[0])
	default:
		say(c, "of two arguments the first is the project and the second the task: quote a task of several words")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// startable reports why a run cannot begin with an agent; "" is the program's own entry point.
func startable(c *cli.Call, name string, program *ir.Program) error {
	start := program.Entry
	if name != "" {
		var err error
		if start, err = agentCalled(c, name, program); err != nil {
			return err
		}
	}
	if start == nil {
		return c.Usagef("the project has several agents that no other contains, and no entrypoint: choose one with --agent: %s",
			strings.Join(agentNames(slices.DeleteFunc(graph.Roots(program), (*ir.Agent).Driven)), ", "))
	}
	if start.Driven() {
		return c.Errorf(cli.Problem, "%q is a machine that others drive (drive: external): there is nothing to run", start.Name.Value)
	}

	return nil
}
