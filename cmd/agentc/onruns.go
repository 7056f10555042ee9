package main

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/app"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// projectFlags are the flags that say which binary is started; the binary does not see them.
var projectFlags = []cli.Flag{
	{Name: "project", Value: "DIR", Help: "the project folder, or one AGENT.md; without: the working directory"},
	mainFlag, envFileFlag,
}

var (
	mainFlag    = cli.Flag{Name: "main", Value: "FOLDER", Help: "the package main, where there are several"}
	envFileFlag = cli.Flag{
		Name: "env-file", Value: "FILE", Help: "variables for the run, a line NAME=VALUE each; one that is already set stays",
	}
)

// runCommands are those of a project's binary that have to do with runs: agentc builds it and passes them on.
func runCommands() []*cli.Command {
	commands := app.RunCommands(&runtime.Program{Name: "agentc"})
	for _, cmd := range commands {
		cmd.Help += "\n\nThe binary of the project does it, which is built first, as run does."
		own := cmd.Flags
		cmd.Flags = slices.Concat(projectFlags, own)
		cmd.Run = func(c *cli.Call) int { return onRuns(c, own) }
	}

	return commands
}

// onRuns has the binary of a project run the command, which takes the flags.
func onRuns(c *cli.Call, flags []cli.Flag) int {
	dir := c.Flag("project")
	p, code, ok := openProject(c, dir)
	if !ok {
		return code
	}
	result, code, ok := p.compile(c)
	if !ok {
		return code
	}

	idle := !slices.ContainsFunc(flags, func(f cli.Flag) bool { return f.Name == "script" })
	l := &linking{c: c, p: p, result: result, idle: idle}

	return launch(l, dir, func(script string) []string {
		return append(passedFlags(c, flags, script), append([]string{"--"}, c.Args...)...)
	})
}

// launch builds the binary of a project and runs it with arguments, which are told where the script is; "" without one. dir is the
// project as the person has named it.
func launch(l *linking, dir string, args func(script string) []string) int {
	environ, code, ok := environment(l.c)
	if !ok {
		return code
	}
	answers, code, ok := l.loadScript()
	if !ok {
		return code
	}
	if err := l.answeredBy(answers); err != nil {
		return l.c.Errorf(cli.Failure, "%v", err)
	}
	binary, code, ok := l.link(target{})
	if !ok {
		return code
	}

	return start(l.c, binary, args(answers.file), append(environ, app.CalledAs+"="+calledAs(l.c, dir)))
}

// passedFlags are the command and those of its flags that were given, as the binary gets them.
func passedFlags(c *cli.Call, flags []cli.Flag, script string) []string {
	args := []string{c.Command.Name}
	for _, f := range append(slices.Clone(flags), cli.Flag{Name: "color", Value: "WHEN"}) {
		switch {
		case !c.On(f.Name):
		case f.Name == "script":
			args = append(args, "--script", script)
		case f.Value == "":
			args = append(args, f.Dashed())
		default:
			args = append(args, f.Dashed(), c.Flag(f.Name))
		}
	}

	return args
}

// calledAs is how a person goes on with a run that agentc starts.
func calledAs(c *cli.Call, dir string) string {
	line := []string{"agentc"}
	if env, err := cli.System(); err == nil && env.Dir != c.Dir {
		line = append(line, "-C", env.Rel(c.Dir))
	}
	line = append(line, app.PlaceOfCommand)
	if dir != "" && dir != "." {
		line = append(line, "--project", dir)
	}
	for _, flag := range []string{"main", "env-file", "store", "script", "record", "replay"} {
		if c.On(flag) {
			line = append(line, "--"+flag, c.Flag(flag))
		}
	}
	if c.On("partial") {
		line = append(line, "--partial")
	}

	return cli.Quote(line...)
}
