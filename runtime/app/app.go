package app

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/core"
)

// App is an application, which generated packages call App: a program with methods for its agents.
type App interface {
	Program() *compiled.Program
}

// Main runs the command line of this process (os.Args) and exits with its exit code.
func Main(p App, options ...Option) {
	ownName = os.Args[0]
	os.Exit(Run(p, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, options...))
}

// Run runs a command line (without the program's name) and returns the exit code.
func Run(p App, args []string, stdin io.Reader, stdout, stderr io.Writer, options ...Option) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "a fault of agentc's runtime, please report it: %v\n%s", v, debug.Stack())
			code = cli.Failure
		}
	}()
	env, err := cli.System()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return cli.Failure
	}
	env.Stdin, env.Stdout, env.Stderr = stdin, stdout, stderr
	program := p.Program()
	var own settings
	for _, option := range options {
		option(&own)
	}
	program = own.apply(program)
	defer closeParts(program, stderr)

	line := commandLine(program)
	if err := own.addCommands(line); err != nil {
		fmt.Fprintln(stderr, err)
		return cli.Failure
	}
	line.Prefix = prefixOf(env.Getenv(CalledAs))

	return line.Run(env, args)
}

func commandLine(p *compiled.Program) *cli.Program {
	return &cli.Program{
		Name:    p.Name,
		Summary: p.Name + " is a compiled agent program.",
		Commands: slices.Concat(
			[]*cli.Command{runCommand(p)}, RunCommands(p), []*cli.Command{graphCommand(p), recordCommand(p), versionCommand(p)},
			commandsOf(p),
		),
		Words: append([]cli.Word{
			{Name: "view", Answer: "the word is graph"}, {Name: "visualize", Answer: "the word is graph"},
		}, missingParts(p)...),
	}
}

// RunCommands are the commands about existing runs. The command agentc has them too: the methods of [RunsCall] do
// what needs no program.
func RunCommands(p *compiled.Program) []*cli.Command {
	return []*cli.Command{runsCommand(p), resumeCommand(p), answerCommand(p), cancelCommand(p), forkCommand(p)}
}

// Option changes the command line of a program.
type Option func(*settings)

// settings are what options say.
type settings struct {
	engine   []core.Option
	commands []*cli.Command
}

// Engine sets options of package engine for every command that runs the program: run, resume, answer and fork, and
// serve, mcp and worker of a program that includes them. Flags of a command take precedence: --store and AGENTC_STORE
// over a store, --script and --replay over what answers instead of models. Observers are notified in addition to the
// command's own.
func Engine(options ...core.Option) Option {
	return func(s *settings) { s.engine = append(s.engine, options...) }
}

// Command adds a command.
func Command(c *cli.Command) Option {
	return func(s *settings) { s.commands = append(s.commands, c) }
}

// apply is a program with the engine's options as one of its parts, where the commands of all parts find them.
func (s *settings) apply(p *compiled.Program) *compiled.Program {
	if len(s.engine) == 0 {
		return p
	}
	with := *p
	with.Parts = append(slices.Clone(p.Parts), optionPart{s.engine})

	return &with
}

// addCommands adds the commands. Each needs a name of its own.
func (s *settings) addCommands(line *cli.Program) error {
	for _, c := range s.commands {
		taken := func(other *cli.Command) bool { return other.Name == c.Name }
		if slices.ContainsFunc(line.Commands, taken) {
			return fmt.Errorf("app.Command: there is a command %s already: give yours another name", c.Name)
		}
		if c.Name == "" || c.Run == nil {
			return fmt.Errorf("app.Command: command %q lacks a name or a function Run", c.Name)
		}
		line.Words = slices.DeleteFunc(line.Words, func(w cli.Word) bool { return w.Name == c.Name })
		line.Commands = append(line.Commands, c)
	}

	return nil
}

// optionPart has the options of engines; it implements core.OptionSource.
type optionPart struct{ options []core.Option }

// Part implements compiled.Part.
func (optionPart) Part() string { return "options" }

// EngineOptions implements core.OptionSource.
func (p optionPart) EngineOptions() []core.Option { return p.options }
