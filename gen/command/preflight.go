package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/preflight"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/tools/files"
)

var preflightCommand = &cli.Command{
	Name: "preflight", Args: "[DIR]", Max: 1,
	Summary: "list what a run needs, and what of it is missing",
	Help: `Lists what a run needs before anything is spent: models with the provider that each is resolved to and where it is named,
keys, variables, tools that the project turns on, hosts that skills name, folders, servers of the Model Context Protocol.
The exit code is 1 if something is missing, each with the line that adds it. Values of variables are never shown, and
nothing is started. DIR is a project folder, or one AGENT.md; default: the working directory.`,
	Example: "agentc preflight ./examples/support\nagentc preflight --fix",
	Flags: append([]cli.Flag{
		{Name: "agent", Value: "NAME", Help: "begin with this agent instead of the entry point"},
		{Name: "fix", Help: "add what is missing to agentc.yaml"},
		envFileFlag,
	}, formatFlags("text (the default) or json", formatText, formatJSON)...),
	Run: withExitCode(showPreflight),
}

func showPreflight(c *cli.Call) error {
	format, err := formatOf(c)
	if err != nil {
		return err
	}
	p, err := openProject(c, arg(c, 0))
	if err != nil {
		return err
	}
	needs, err := p.needs(c)
	if err == nil && c.On("fix") {
		if err = p.addMissing(c, needs); err == nil {
			needs, err = p.needs(c)
		}
	}
	if err != nil {
		return err
	}
	if format == formatJSON {
		err = printJSON(c.Stdout, needs)
	} else {
		err = preflight.Text(c.Stdout, needs)
	}
	if err != nil {
		return err
	}
	if missing := len(preflight.Missing(needs)); missing > 0 {
		fmt.Fprintf(c.Stderr, "%d of %d missing\n", missing, len(needs))
		return errReported
	}

	return nil
}

// needs compiles the project and returns what its runs need.
func (p *project) needs(c *cli.Call) ([]preflight.Need, error) {
	program, entries, machine, err := p.runs(c)
	if err != nil {
		return nil, err
	}

	return preflight.Of(program, entries, machine), nil
}

// runs compiles the project and returns it with the agents that runs begin with, and where they are to run.
func (p *project) runs(c *cli.Call) (program *ir.Program, entries []*ir.Agent, machine preflight.Machine, err error) {
	checked, err := p.check()
	if err == nil { // what the report has is no warning beside it
		inReport := func(d *diag.Diagnostic) bool { return d.Check == diag.ToolOff }
		checked.Diagnostics = slices.DeleteFunc(slices.Clone(checked.Diagnostics), inReport)
	}
	result, err := p.compiled(c, checked, err)
	if err != nil {
		return nil, nil, machine, err
	}
	entries = result.Program.EntryPoints()
	if name := p.chosen(c); name != "" {
		a, err := agentCalled(name, result.Program)
		if err != nil {
			return nil, nil, machine, err
		}
		entries = []*ir.Agent{a}
	}
	environ, err := environment(c)
	if err != nil {
		return nil, nil, machine, err
	}
	vars := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	env := func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}

	return result.Program, entries, preflight.Machine{
		Env:      env,
		Writable: func(folder string) error { return writable(c.Path(folder)) },
		Command: func(name string) error {
			_, err := exec.LookPath(name)
			return err
		},
	}, nil
}

// addMissing adds lines to agentc.yaml.
func (p *project) addMissing(c *cli.Call, needs []preflight.Need) error {
	file := p.path(configName)
	fixable := func(n preflight.Need) bool { return n.Missing != "" && n.Config }
	if slices.ContainsFunc(needs, fixable) && !exists(file) && exists(p.path(tamaName)) {
		if err := p.importTama(c); err != nil {
			return err
		}
	}
	config, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, added := preflight.Fixed(string(config), needs)
	if len(added) == 0 {
		return nil
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return err
	}
	for _, line := range added {
		fmt.Fprintf(c.Notes(), "added to %s: %s\n", c.Rel(file), line)
	}

	return nil
}

// writable reports why nothing can be written in a folder, as the engine finds it out.
func writable(folder string) error {
	var setting *runtime.BadSettingError
	if err := files.Writable(folder); errors.As(err, &setting) {
		return errors.New(setting.Problem)
	}

	return nil
}
