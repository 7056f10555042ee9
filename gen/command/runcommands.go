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

// projectFlags select the binary that is started, which does not see them.
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

// adaptBinaryFlags changes the help of flags of a binary for agentc: the default store is in the
// project, and scripts may be YAML.
func adaptBinaryFlags(flags []cli.Flag) []cli.Flag {
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

// runCommands returns the commands of a project's binary about runs. agentc itself executes those
// that need only journals.
func runCommands() []*cli.Command {
	commands := app.RunCommands(&compiled.Program{Name: "agentc"})
	for _, cmd := range commands {
		own := adaptBinaryFlags(cmd.Flags)
		cmd.Flags = slices.Concat(projectFlags, own)
		switch cmd.Name {
		case "runs":
			cmd.Help += "\n\nThe sources may have errors, and nothing is built. Only export and --request need the binary that the run was made " +
				"with:\nit is taken from the cache, else built."
			cmd.Run = func(c *cli.Call) error {
				if called := (app.RunsCall{Call: c}); !called.Known() {
					return called.Runs() // reports the unknown subcommand, even outside of a project
				}
				return withJournals(c, own, runRuns)
			}
		case "cancel":
			cmd.Run = func(c *cli.Call) error {
				return withJournals(c, own, func(_ *project, _, here *cli.Call, _ []cli.Flag) error {
					return app.RunsCall{Call: here}.Cancel()
				})
			}
		case "answer":
			cmd.Help += "\n\nagentc builds the project first, as run does, and the binary resumes the run. Where it cannot be built, the answer " +
				"is\nrecorded anyway, and the run waits for agentc resume."
			cmd.Run = func(c *cli.Call) error { return withJournals(c, own, runAnswer) }
		default:
			cmd.Help += "\n\nagentc builds the project first, as run does, and the binary does the rest."
			cmd.Run = func(c *cli.Call) error { return runOnBinary(c, own) }
		}
	}

	return commands
}

// withJournals calls do with the project and the command with the project's store. If the store is
// a database, the binary of the project executes the command, because only it can open the
// database.
func withJournals(c *cli.Call, flags []cli.Flag, do func(p *project, c, here *cli.Call, flags []cli.Flag) error) error {
	p, here, err := openJournals(c)
	if err != nil {
		return err
	}
	if part, _ := app.StoreAddress(cmp.Or(here.Flag("store"), here.Getenv(app.StoreVariable), p.defaultStore())).Kind(); part != "" {
		return runOnBinary(c, flags)
	}

	return do(p, c, here, flags)
}

// runRuns lists, shows, removes and exports runs.
func runRuns(p *project, c, here *cli.Call, flags []cli.Flag) error {
	switch {
	case app.RunsCall{Call: c}.NeedsProgram():
		return p.printRequests(c, here, flags)
	case c.Arg(0) == "show", c.Arg(0) == "watch":
		return app.RunsCall{Call: here, Program: p.sketchProgram(c)}.Runs()
	}

	return app.RunsCall{Call: here}.Runs()
}

// runOnBinary builds the binary of the project, which executes the command.
func runOnBinary(c *cli.Call, flags []cli.Flag) error {
	b, err := prepareForRuns(c, flags)
	if err != nil {
		return err
	}

	return b.runWithFlags(c, flags)
}

// runWithFlags starts the binary with the command and its flags.
func (b runnable) runWithFlags(c *cli.Call, flags []cli.Flag) error {
	return runBinary(c, b.binary, append(passedFlags(c, flags, b.script), append([]string{"--"}, c.Args...)...), b.environ)
}

// runAnswer lets the binary of the project record an answer and resume the run. If it cannot be
// built, agentc records the answer.
func runAnswer(_ *project, c, here *cli.Call, flags []cli.Flag) error {
	b, err := prepareForRuns(c, flags)
	if err == nil {
		return b.runWithFlags(c, flags)
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

// printRequests lets a binary rebuild the prompts of a run: the binary of the run if it is cached,
// else a new one.
func (p *project) printRequests(c, here *cli.Call, flags []cli.Flag) error {
	by, err := app.RunsCall{Call: here}.RanBy()
	if err != nil {
		return err
	}
	b := runnable{binary: cachedBinary(newAgentProgram(by))}
	if b.binary == "" {
		b, err = prepareForRuns(c, flags)
	} else if b.environ, err = p.binaryEnvironment(c, c.Flag("project")); err != nil {
		return err
	}
	if err == nil {
		return b.runWithFlags(c, flags)
	}
	code := c.Report(err)
	if code != cli.Usage {
		c.Report(app.RunsCall{Call: here}.Runs()) // explains why the binary is needed
	}

	return c.Exit(code)
}

// prepareForRuns builds the binary of the project for a command with the flags. One that is to
// write a page can do that, whatever the project includes.
func prepareForRuns(c *cli.Call, flags []cli.Flag) (b runnable, err error) {
	p, err := openProject(c, c.Flag("project"))
	if err != nil {
		return b, err
	}
	result, err := gen.Compile(context.Background(), p.compileOptions())
	if err != nil || result.HasErrors() { // warnings were shown when the run was started
		_, err = p.reportCompiled(c, result, err)
		return b, err
	}
	idle := !slices.ContainsFunc(flags, func(f cli.Flag) bool { return f.Name == "script" })
	l := &linking{c: c, p: p, result: result, runsNothing: idle}
	if c.On("html") {
		l.replacement, err = generateGo(addPart(result.Program, "page"))
		if err != nil {
			return b, err
		}
	}

	return prepareBinary(l, c.Flag("project"))
}

// openJournals finds the project whose runs the command is about, and returns the command with the
// project's store for package app. A folder that is not, or no longer, a project is accepted if it
// has journals.
func openJournals(c *cli.Call) (p *project, here *cli.Call, err error) {
	dir := cmp.Or(c.Flag("project"), ".")
	p, err = findProject(c, dir)
	if err != nil {
		p = &project{dir: c.Path(dir)}
		if !c.On("store") && c.Getenv(app.StoreVariable) == "" && !fileExists(p.absolutePath(journal.DefaultDir)) {
			_, err = openProject(c, dir)
			return nil, nil, err
		}
	}
	environ, err := p.binaryEnvironment(c, dir)
	if err != nil {
		return nil, nil, err
	}
	env, call, vars := *c.Env, *c, variableMap(environ)
	env.Getenv = func(name string) string { return vars[name] }
	call.Env = &env

	return p, &call, nil
}

// defaultStore returns the store of the project's runs if neither a flag nor a variable names one:
// a folder of the project, or an address.
func (p *project) defaultStore() string {
	address := loader.StoreAddress(os.DirFS(p.dir))
	part, path := app.StoreAddress(address).Kind()
	switch {
	case part == "":
		return p.absolutePath(journal.DefaultDir)
	case part == "sqlite" && !strings.Contains(path, "${") && !filepath.IsAbs(path):
		return part + ":" + p.absolutePath(path)
	}

	return address
}

// sketchProgram returns what runs show needs for diagrams and pages. If the sources have errors, it
// contains only the page writer.
func (p *project) sketchProgram(c *cli.Call) *compiled.Program {
	sketch := &compiled.Program{Parts: []compiled.Part{pageWriter{p, c}}}
	result, err := p.checkOnly()
	if err != nil || result.HasErrors() {
		return sketch
	}
	program := result.Program
	sketch.Name, sketch.Shape = emit.ProgramName(program), emit.ShapeHash(program)
	for _, a := range program.Agents {
		sketch.Agents = append(sketch.Agents, compiled.Agent{Name: a.Name.Value, Graph: graph.DrawPicture(a)})
	}

	return sketch
}

// runnable is the binary of a project with its variables. script is the file of --script, or "".
type runnable struct {
	binary, script string
	environ        []string
}

// prepareBinary builds the binary of a project. dir is the argument that named the project.
func prepareBinary(l *linking, dir string) (b runnable, err error) {
	b.environ, err = l.p.binaryEnvironment(l.c, dir)
	if err != nil {
		return b, err
	}
	answers, err := l.loadScript()
	if err == nil {
		err = l.recordScripted(answers)
	}
	if err != nil {
		return b, err
	}
	l.panel, l.environ = !l.runsNothing, b.environ
	b.binary, err = l.link(target{})
	if err != nil {
		return b, err
	}
	b.script, err = l.storeScript(answers)
	if err != nil {
		return b, err
	}
	program := l.result.Program
	recordBuilt(agentProgram{emit.ProgramName(program), emit.ShapeHash(program), emit.TextHash(program)}, b.binary)

	return b, nil
}

// binaryEnvironment returns the variables of the binary of a project, which the user has named as
// dir. The default store is in the project.
func (p *project) binaryEnvironment(c *cli.Call, dir string) ([]string, error) {
	environ, err := readEnvironment(c, p.dir)
	if err != nil {
		return nil, err
	}
	const store = app.StoreVariable + "="
	// A program reads the first of two lines for a variable, and an empty line names no store.
	environ = slices.DeleteFunc(environ, func(line string) bool { return line == store })
	if !slices.ContainsFunc(environ, func(line string) bool { return strings.HasPrefix(line, store) }) {
		if address := p.defaultStore(); !strings.Contains(address, "${") {
			environ = append(environ, store+address)
		}
	}

	environ = slices.DeleteFunc(environ, func(line string) bool { return strings.HasPrefix(line, app.ProjectVariable+"=") })

	return append(environ, app.ProjectVariable+"="+p.dir, resumeCommandLine(c, dir)), nil
}

// passedFlags returns the command and its given flags, as arguments of the binary.
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

// resumeCommandLine returns the variable by which the binary knows how the user resumes a run.
func resumeCommandLine(c *cli.Call, dir string) string {
	var project []string
	if dir != "" && dir != "." {
		project = []string{"--project", dir}
	}

	return app.RunsCall{Call: c}.CalledAs(project...)
}
