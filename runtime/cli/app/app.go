package app

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// App is an application, which generated packages call App: a program with methods for its agents.
type App interface {
	Program() *compiled.Program
}

// Options change the command line of a program.
type Options struct {
	// Engine are options of the engine for every command that runs the program: run, resume, answer
	// and fork, and serve, mcp and worker of a program that includes them. Flags of a command take
	// precedence: --store and AGENTC_STORE over a store, --script and --replay over what answers
	// instead of models. Observers are notified in addition to the command's own.
	Engine engine.Options
	// Commands are more commands. Each needs a name of its own.
	Commands []*cli.Command
}

// Main runs the command line of this process (os.Args) and exits with its exit code.
func Main(p App) { Options{}.Main(p) }

// Main is Main with options.
func (o Options) Main(p App) {
	ownName = os.Args[0]
	os.Exit(o.Run(p, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run runs a command line (without the program's name) and returns the exit code.
func (o Options) Run(p App, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "a fault of agentc's runtime, please report it: %v\n%s", v, debug.Stack())
			code = cli.Failure
		}
	}()
	if nonce := os.Getenv(IdentityVariable); nonce != "" {
		return printIdentity(p.Program(), nonce, stdout)
	}
	program := core.WithPart(core.WithPart(p.Program(), ownOptions(o.Engine)), &openedStores{})
	defer closeParts(program, stderr)

	line := commandLine(program)
	if err := o.addCommands(line); err != nil {
		fmt.Fprintln(stderr, err)
		return cli.Failure
	}
	before, _, _ := strings.Cut(os.Getenv(calledAs), placeOfCommand)
	line.Prefix = strings.TrimSpace(before)

	return line.Run(&cli.Env{Stdin: stdin, Stdout: stdout, Stderr: stderr}, args)
}

func commandLine(p *compiled.Program) *cli.Program {
	name := commandName(p)
	line := &cli.Program{
		Name:    name,
		Summary: name + " is a compiled agent program.",
		Commands: slices.Concat(
			[]*cli.Command{runCommand(p)}, RunCommands(p), []*cli.Command{graphCommand(p), tokenCommand(p), versionCommand(p)},
		),
		Words: map[string]string{"view": "the word is graph", "visualize": "the word is graph"},
	}
	for _, part := range core.PartsOf[commander](p) {
		line.Commands = append(line.Commands, part.Commands(p)...)
	}
	for _, word := range partWords {
		if !slices.ContainsFunc(p.Parts, func(part compiled.Part) bool { return part.Part() == word.part }) {
			const text = "it needs the part %s: a line include: [%[1]s] in agentc.yaml, and then generate and build again"
			line.Words[word.command] = fmt.Sprintf(text, word.part)
		}
	}

	return line
}

// RunCommands are the commands about existing runs. The command agentc has them too: the methods of
// [RunsCall] do what needs no program.
func RunCommands(p *compiled.Program) []*cli.Command {
	return []*cli.Command{runsCommand(p), resumeCommand(p), answerCommand(p), cancelCommand(p), forkCommand(p), timersCommand(p)}
}

// addCommands adds the commands. Each needs a name of its own.
func (o *Options) addCommands(line *cli.Program) error {
	for _, c := range o.Commands {
		taken := func(other *cli.Command) bool { return other.Name == c.Name }
		if slices.ContainsFunc(line.Commands, taken) {
			return fmt.Errorf("app.Options: there is a command %s already: give yours another name", c.Name)
		}
		if c.Name == "" || c.Run == nil {
			return fmt.Errorf("app.Options: command %q lacks a name or a function Run", c.Name)
		}
		delete(line.Words, c.Name)
		line.Commands = append(line.Commands, c)
	}

	return nil
}

// ownOptions are the options of the engine as a part of the program, where the commands of all
// parts find them.
type ownOptions engine.Options

// Part implements compiled.Part.
func (ownOptions) Part() string { return "options" }

// Configure gives them to the commands, which take them before their own flags.
func (o ownOptions) Configure(c *core.Config) { core.Configure(engine.Options(o), c) }

// commander is a compiled.Part that brings commands.
type commander interface {
	compiled.Part
	// Commands are the commands; one alone is named as the part.
	Commands(p *compiled.Program) []*cli.Command
}

// closer is a compiled.Part with work to do before the process ends, in little time; it writes to w
// what a person has to know.
type closer interface {
	compiled.Part
	Close(w io.Writer)
}

// closeParts lets the parts of the program end.
func closeParts(p *compiled.Program, w io.Writer) {
	for _, part := range core.PartsOf[closer](p) {
		part.Close(w)
	}
}

// partWords are the commands that parts bring, each with its part: the hint for a command that the
// program lacks.
var partWords = []struct{ command, part string }{
	{"serve", "serve"}, {"mcp", "mcp"}, {"record", "mcp"}, {"worker", "temporal"}, {"start", "temporal"}, {"reply", "temporal"},
}
