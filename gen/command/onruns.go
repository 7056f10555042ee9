package command

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/app"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// projectFlags are the flags that say which binary is started; the binary does not see them.
var projectFlags = []cli.Flag{
	{Name: "project", Value: "DIR", Help: "the project folder, or one AGENT.md; without: the working directory"},
	mainFlag, envFileFlag,
}

var (
	mainFlag    = cli.Flag{Name: "main", Value: "FOLDER", Help: "the folder of the package main, where there are several"}
	envFileFlag = cli.Flag{
		Name: "env-file", Value: "FILE", Help: "variables for the run, a line NAME=VALUE each; one that is already set stays",
	}
)

// storeFlag says where the journals of runs are; the default of agentc is the project, wherever it is called.
var storeFlag = cli.Flag{
	Name: "store", Value: "DIR|none", Help: "where the journals of runs are; without: " + app.StoreVariable + ", else " + journal.DefaultDir + " in the project",
}

// runCommands are those of a project's binary that have to do with runs. What needs only the journals of runs is done here.
func runCommands() []*cli.Command {
	commands := app.RunCommands(&runtime.Program{Name: "agentc"})
	for _, cmd := range commands {
		own := slices.Clone(cmd.Flags)
		for i, f := range own {
			if f.Name == storeFlag.Name {
				own[i] = storeFlag
			}
		}
		cmd.Flags = slices.Concat(projectFlags, own)
		switch cmd.Name {
		case "runs":
			cmd.Help += "\n\nThe sources may have errors, and nothing is built. Only export and --request need the binary that the run was made " +
				"with:\nit is taken from the cache, else built."
			cmd.Run = func(c *cli.Call) int { return runs(c, own) }
		case "cancel":
			cmd.Run = cancel
		case "answer":
			cmd.Help += "\n\nThe binary of the project does it, which is built first, as run does. Where it cannot be built the answer is " +
				"recorded\nall the same, and the run waits for agentc resume."
			cmd.Run = func(c *cli.Call) int { return answer(c, own) }
		default:
			cmd.Help += "\n\nThe binary of the project does it, which is built first, as run does."
			cmd.Run = func(c *cli.Call) int { return launched(onRuns(c, own)) }
		}
	}

	return commands
}

// runs lists, shows, removes and exports runs.
func runs(c *cli.Call, flags []cli.Flag) int {
	word := ""
	if len(c.Args) > 0 {
		word = c.Args[0]
	}
	if !app.IsRunsWord(word) {
		return app.Runs(c, nil) // says what is wrong, in a project or not
	}
	p, here, code, ok := openJournals(c)
	if !ok {
		return code
	}
	switch {
	case app.NeedsProgram(c):
		return p.askProgram(c, here, flags)
	case word == "show":
		return app.Runs(here, p.sketch())
	}

	return app.Runs(here, nil)
}

// cancel stops a run.
func cancel(c *cli.Call) int {
	_, here, code, ok := openJournals(c)
	if !ok {
		return code
	}

	return app.Cancel(here, nil)
}

// answer has the binary of the project record an answer and resume the run. Where it cannot be built the answer is recorded all the same.
func answer(c *cli.Call, flags []cli.Flag) int {
	_, here, code, ok := openJournals(c)
	if !ok {
		return code
	}
	run, code, built := onRuns(c, flags)
	if run != nil {
		return run()
	}
	if built || code == cli.Usage {
		return code
	}
	if recorded := app.Answer(here); recorded != cli.Done || c.On("no-resume") {
		return recorded
	}

	return code
}

// askProgram has a binary rebuild what models were asked: the one that the run was made with, if the cache still has it.
func (p *project) askProgram(c, here *cli.Call, flags []cli.Flag) int {
	by, code, ok := app.RanBy(here)
	if !ok {
		return code
	}
	if binary := builtFor(by); binary != "" {
		environ, code, ok := p.environment(c, c.Flag("project"))
		if !ok {
			return code
		}

		return start(c, binary, runsArgs(c, flags)(""), environ)
	}
	run, code, built := onRuns(c, flags)
	if run != nil {
		return run()
	}
	if !built {
		app.Runs(here, nil) // says why the binary is needed
	}

	return code
}

// onRuns returns what has the binary of the project run the command, which takes the flags; nil if that cannot be, and the person knows
// why. built is false if that is because there is no binary.
func onRuns(c *cli.Call, flags []cli.Flag) (run func() int, code int, built bool) {
	p, code, ok := openProject(c, c.Flag("project"))
	if !ok {
		return nil, code, false
	}
	result, code, ok := p.compileQuietly(c)
	if !ok {
		return nil, code, false
	}
	idle := !slices.ContainsFunc(flags, func(f cli.Flag) bool { return f.Name == "script" })
	l := &linking{c: c, p: p, result: result, idle: idle}
	run, code = prepare(l, c.Flag("project"), runsArgs(c, flags))

	return run, code, !l.failed
}

// runsArgs are the arguments with which the binary runs the command.
func runsArgs(c *cli.Call, flags []cli.Flag) func(script string) []string {
	return func(script string) []string {
		return append(passedFlags(c, flags, script), append([]string{"--"}, c.Args...)...)
	}
}

// openJournals finds the project whose runs the command is about, and returns the command as app has it: with the project's store.
// The journals of a folder that is no project, or no longer one, are found all the same.
func openJournals(c *cli.Call) (p *project, here *cli.Call, code int, ok bool) {
	dir := cmp.Or(c.Flag("project"), ".")
	if p, err := findProject(c, dir); err == nil {
		here, code, ok = p.here(c, dir)
		return p, here, code, ok
	}
	p = &project{dir: c.Path(dir)}
	if !c.On("store") && c.Getenv(app.StoreVariable) == "" && !exists(filepath.Join(p.dir, filepath.FromSlash(journal.DefaultDir))) {
		_, code, ok = openProject(c, dir)
		return nil, nil, code, ok
	}
	here, code, ok = p.here(c, dir)

	return p, here, code, ok
}

// here is a command with the variables that the project's binary would have.
func (p *project) here(c *cli.Call, dir string) (here *cli.Call, code int, ok bool) {
	environ, code, ok := p.environment(c, dir)
	if !ok {
		return nil, code, false
	}
	env, call := *c.Env, *c
	env.Getenv = func(name string) string {
		for _, line := range slices.Backward(environ) {
			if value, found := strings.CutPrefix(line, name+"="); found {
				return value
			}
		}
		return ""
	}
	call.Env = &env

	return &call, cli.Done, true
}

// sketch is what runs show draws decisions with; nil if the sources have errors.
func (p *project) sketch() *runtime.Program {
	result, err := p.check()
	if err != nil || result.HasErrors() {
		return nil
	}
	program := result.Program
	sketch := &runtime.Program{Name: emit.ProgramName(program), Shape: emit.ShapeHash(program)}
	for _, a := range program.Agents {
		sketch.Agents = append(sketch.Agents, runtime.AgentInfo{Name: a.Name.Value, Graph: graph.Picture(a)})
	}

	return sketch
}

// launched runs what is ready to run.
func launched(run func() int, code int, _ bool) int {
	if run == nil {
		return code
	}

	return run()
}

// launch builds the binary of a project and runs it with arguments, which are told where the script is; "" without one. dir is the
// project as the person has named it.
func launch(l *linking, dir string, args func(script string) []string) int {
	run, code := prepare(l, dir, args)

	return launched(run, code, true)
}

// prepare is launch up to the start of the binary; run is nil if there is none to start.
func prepare(l *linking, dir string, args func(script string) []string) (run func() int, code int) {
	environ, code, ok := l.p.environment(l.c, dir)
	if !ok {
		return nil, code
	}
	answers, code, ok := l.loadScript()
	if !ok {
		return nil, code
	}
	if err := l.answeredBy(answers); err != nil {
		return nil, l.c.Errorf(cli.Failure, "%v", err)
	}
	binary, code, ok := l.link(target{})
	if l.failed = !ok; l.failed {
		return nil, code
	}
	program := l.result.Program
	rememberBuilt(app.Identity{Name: emit.ProgramName(program), Shape: emit.ShapeHash(program), Text: emit.TextHash(program)}, binary)

	return func() int { return start(l.c, binary, args(answers.file), environ) }, cli.Done
}

// environment returns the variables of the binary of a project, which a person has named as dir: unless it is said otherwise, runs are
// kept in the project.
func (p *project) environment(c *cli.Call, dir string) (environ []string, code int, ok bool) {
	environ, code, ok = environment(c)
	if !ok {
		return nil, code, false
	}
	if !slices.ContainsFunc(environ, func(line string) bool {
		return strings.HasPrefix(line, app.StoreVariable+"=") && line != app.StoreVariable+"="
	}) {
		environ = append(environ, app.StoreVariable+"="+filepath.Join(p.dir, filepath.FromSlash(journal.DefaultDir)))
	}

	return append(environ, app.CalledAs+"="+calledAs(c, dir)), cli.Done, true
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
