package command

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// projectFlags are the flags that say which binary is started; the binary does not see them.
var projectFlags = []cli.Flag{
	{Name: "project", Value: "DIR", Help: "the project folder, or one AGENT.md; default: the working directory"},
	mainFlag, envFileFlag,
}

var (
	mainFlag    = cli.Flag{Name: "main", Value: "FOLDER", Help: "the folder of the package main, if there are several"}
	envFileFlag = cli.Flag{
		Name: "env-file", Value: "FILE", Help: "a file of lines NAME=VALUE: variables for the run; a variable that is set is not changed",
	}
)

// ownFlags are flags of a binary as agentc has them: the default store is in the project, wherever
// agentc is called, and scripts may be YAML.
func ownFlags(flags []cli.Flag) []cli.Flag {
	own := slices.Clone(flags)
	for i := range own {
		switch f := &own[i]; f.Name {
		case "store":
			f.Help += " in the project"
		case "script":
			f.Help = strings.Replace(f.Help, "JSON", "YAML or JSON", 1)
		}
	}

	return own
}

// runCommands are those of a project's binary that have to do with runs. What needs only the
// journals of runs is done here.
func runCommands() []*cli.Command {
	commands := app.RunCommands(&compiled.Program{Name: "agentc"})
	for _, cmd := range commands {
		own := ownFlags(cmd.Flags)
		cmd.Flags = slices.Concat(projectFlags, own)
		switch cmd.Name {
		case "runs":
			cmd.Help += "\n\nThe sources may have errors, and nothing is built. Only export and --request need the binary that the run was made " +
				"with:\nit is taken from the cache, else built."
			cmd.Run = func(c *cli.Call) error {
				if called := (app.RunsCall{Call: c}); !called.Known() {
					return called.Runs() // says what is wrong, in a project or not
				}
				return onJournals(c, own, runs)
			}
		case "cancel":
			cmd.Run = func(c *cli.Call) error {
				return onJournals(c, own, func(_ *project, _, here *cli.Call, _ []cli.Flag) error {
					return app.RunsCall{Call: here}.Cancel()
				})
			}
		case "answer":
			cmd.Help += "\n\nagentc builds the project first, as run does, and the binary resumes the run. Where it cannot be built, the answer " +
				"is\nrecorded all the same, and the run waits for agentc resume."
			cmd.Run = func(c *cli.Call) error { return onJournals(c, own, answer) }
		default:
			cmd.Help += "\n\nagentc builds the project first, as run does, and the binary does the rest."
			cmd.Run = func(c *cli.Call) error { return resume(c, own) }
		}
	}

	return commands
}

// onJournals has do carry the command out; here is the command with the project's store. Runs in a
// database are left to the binary of the project, which alone can open it.
func onJournals(c *cli.Call, flags []cli.Flag, do func(p *project, c, here *cli.Call, flags []cli.Flag) error) error {
	p, here, err := openJournals(c)
	if err != nil {
		return err
	}
	if part, _ := app.StoreAddress(cmp.Or(here.Flag("store"), here.Getenv(app.StoreVariable), p.store())).Kind(); part != "" {
		return resume(c, flags)
	}

	return do(p, c, here, flags)
}

// runs lists, shows, removes and exports runs.
func runs(p *project, c, here *cli.Call, flags []cli.Flag) error {
	switch {
	case app.RunsCall{Call: c}.NeedsProgram():
		return p.askProgram(c, here, flags)
	case c.Arg(0) == "show", c.Arg(0) == "watch":
		return app.RunsCall{Call: here, Program: p.sketch(c)}.Runs()
	}

	return app.RunsCall{Call: here}.Runs()
}

// resume has the binary of the project do the command.
func resume(c *cli.Call, flags []cli.Flag) error {
	b, err := onRuns(c, flags)
	if err != nil {
		return err
	}

	return b.start(c, flags)
}

// start starts the binary with the command and its flags.
func (b runnable) start(c *cli.Call, flags []cli.Flag) error {
	return start(c, b.binary, append(passedFlags(c, flags, b.script), append([]string{"--"}, c.Args...)...), b.environ)
}

// answer has the binary of the project record an answer and resume the run. Where it cannot be
// built the answer is recorded all the same.
func answer(_ *project, c, here *cli.Call, flags []cli.Flag) error {
	b, err := onRuns(c, flags)
	if err == nil {
		return b.start(c, flags)
	}
	code := c.Report(err)
	if code == cli.Usage {
		return c.Exit(code)
	}
	if err := (app.RunsCall{Call: here}).Answer(); err != nil || c.On("no-resume") {
		return err
	}

	return c.Exit(code)
}

// askProgram has a binary rebuild what models were asked: the one that the run was made with, if
// the cache still has it.
func (p *project) askProgram(c, here *cli.Call, flags []cli.Flag) error {
	by, err := app.RunsCall{Call: here}.RanBy()
	if err != nil {
		return err
	}
	b := runnable{binary: builtFor(agentProgramOf(by))}
	if b.binary == "" {
		b, err = onRuns(c, flags)
	} else if b.environ, err = p.environment(c, c.Flag("project")); err != nil {
		return err
	}
	if err == nil {
		return b.start(c, flags)
	}
	code := c.Report(err)
	if code != cli.Usage {
		c.Report(app.RunsCall{Call: here}.Runs()) // says why the binary is needed
	}

	return c.Exit(code)
}

// onRuns builds the binary of the project for a command that takes the flags.
func onRuns(c *cli.Call, flags []cli.Flag) (b runnable, err error) {
	p, err := openProject(c, c.Flag("project"))
	if err != nil {
		return b, err
	}
	result, err := gen.Compile(context.Background(), p.options())
	if err != nil || result.HasErrors() { // warnings were shown when the run was started
		_, err = p.compiled(c, result, err)
		return b, err
	}
	idle := !slices.ContainsFunc(flags, func(f cli.Flag) bool { return f.Name == "script" })

	return prepare(&linking{c: c, p: p, result: result, idle: idle}, c.Flag("project"))
}

// openJournals finds the project whose runs the command is about, and returns the command as app
// has it: with the project's store. The journals of a folder that is not a project, or no longer
// one, are found all the same.
func openJournals(c *cli.Call) (p *project, here *cli.Call, err error) {
	dir := cmp.Or(c.Flag("project"), ".")
	if p, err = findProject(c, dir); err != nil {
		p = &project{dir: c.Path(dir)}
		if !c.On("store") && c.Getenv(app.StoreVariable) == "" && !exists(p.path(journal.DefaultDir)) {
			_, err := openProject(c, dir)
			return nil, nil, err
		}
	}
	environ, err := p.environment(c, dir)
	if err != nil {
		return nil, nil, err
	}
	env, call, vars := *c.Env, *c, variables(environ)
	env.Getenv = func(name string) string { return vars[name] }
	call.Env = &env

	return p, &call, nil
}

// store returns the store of the project's runs where neither a flag nor a variable names one: a
// folder of the project, or an address.
func (p *project) store() string {
	address := loader.StoreAddress(os.DirFS(p.dir))
	part, path := app.StoreAddress(address).Kind()
	switch {
	case part == "":
		return p.path(journal.DefaultDir)
	case part == "sqlite" && !strings.Contains(path, "${") && !filepath.IsAbs(path):
		return part + ":" + p.path(path)
	}

	return address
}

// sketch is what runs show draws decisions and pages with; if the sources have errors, only what
// writes pages.
func (p *project) sketch(c *cli.Call) *compiled.Program {
	sketch := &compiled.Program{Parts: []compiled.Part{pageWriter{p, c}}}
	result, err := p.check()
	if err != nil || result.HasErrors() {
		return sketch
	}
	program := result.Program
	sketch.Name, sketch.Shape = emit.ProgramName(program), emit.ShapeHash(program)
	for _, a := range program.Agents {
		sketch.Agents = append(sketch.Agents, compiled.Agent{Name: a.Name.Value, Graph: graph.Picture(a)})
	}

	return sketch
}

// runnable is the binary of a project with its variables; script is the file that it reads, ""
// without one.
type runnable struct {
	binary, script string
	environ        []string
}

// prepare builds the binary of a project. dir is the project as the user has named it.
func prepare(l *linking, dir string) (b runnable, err error) {
	if b.environ, err = l.p.environment(l.c, dir); err != nil {
		return b, err
	}
	answers, err := l.loadScript()
	if err == nil {
		err = l.answeredBy(answers)
	}
	if err != nil {
		return b, err
	}
	l.panel, l.environ, b.script = !l.idle, b.environ, answers.file
	if b.binary, err = l.link(target{}); err != nil {
		return b, err
	}
	program := l.result.Program
	noteBuilt(agentProgram{emit.ProgramName(program), emit.ShapeHash(program), emit.TextHash(program)}, b.binary)

	return b, nil
}

// environment returns the variables of the binary of a project, which the user has named as dir:
// unless it is said otherwise, runs are kept in the project.
func (p *project) environment(c *cli.Call, dir string) ([]string, error) {
	environ, err := environment(c, p.dir)
	if err != nil {
		return nil, err
	}
	const store = app.StoreVariable + "="
	// Of two lines for a variable a program reads the first, and an empty one names no store.
	environ = slices.DeleteFunc(environ, func(line string) bool { return line == store })
	if !slices.ContainsFunc(environ, func(line string) bool { return strings.HasPrefix(line, store) }) {
		if address := p.store(); !strings.Contains(address, "${") {
			environ = append(environ, store+address)
		}
	}

	environ = slices.DeleteFunc(environ, func(line string) bool { return strings.HasPrefix(line, app.ProjectVariable+"=") })

	return append(environ, app.ProjectVariable+"="+p.dir, calledAs(c, dir)), nil
}

// passedFlags are the command and those of its flags that were given, as the binary gets them.
func passedFlags(c *cli.Call, flags []cli.Flag, script string) []string {
	args := []string{c.Command.Name}
	for _, f := range append(slices.Clone(flags), cli.Flag{Name: "color", Value: "WHEN"}, cli.Flag{Name: "quiet"}) {
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

// calledAs says, as a line of the environment, how a user resumes a run that agentc starts.
func calledAs(c *cli.Call, dir string) string {
	var project []string
	if dir != "" && dir != "." {
		project = []string{"--project", dir}
	}

	return app.RunsCall{Call: c}.CalledAs(project...)
}
