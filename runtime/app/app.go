package app

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
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
