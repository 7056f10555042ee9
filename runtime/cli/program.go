package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Program is a command line program with commands.
type Program struct {
	// Name is the name by which people start it.
	Name string
	// Prefix is the words before a command, if that is not Name.
	Prefix string
	// Summary describes it in a line.
	Summary  string
	Commands []*Command
	// Words are commands of other tools, and commands that do not exist, each with what to do instead: it completes the
	// sentence `there is no command "name": `.
	Words map[string]string
}

// Command is one command.
type Command struct {
	Name string
	// Args describes the arguments, such as "[DIR] [TASK]".
	Args string
	// Max is the largest number of arguments.
	Max int
	// Summary describes the command in a line, Help completely, and Example shows its use.
	Summary, Help, Example string
	Flags                  []Flag
	// Values returns the possible values of the first argument, for completion in shells; nil: a file, or any text.
	Values func() []string
	// Run executes the command and returns the exit code.
	Run func(*Call) int
}

// Flag is a flag of a command.
type Flag struct {
	// Name is typed after two dashes, or after one if it has a single letter.
	Name string
	// Value is the name of the value in the help; a flag without one is a switch.
	Value string
	// Choices are the permitted values; nil: any.
	Choices []string
	Help    string
}

// Dashed returns the flag as it is typed.
func (f Flag) Dashed() string {
	if len(f.Name) == 1 {
		return "-" + f.Name
	}

	return "--" + f.Name
}

// Called returns a command line with a command and its arguments, for hints.
func (p *Program) Called(words ...string) string {
	return cmp.Or(p.Prefix, p.Name) + " " + Quote(words...)
}

// Call is a command with the flags and arguments with which it was called.
type Call struct {
	*Env
	Program *Program
	Command *Command
	// Args are the arguments without flags.
	Args []string

	flags map[string]string
}

// On reports whether the flag was given.
func (c *Call) On(flag string) bool {
	_, ok := c.flags[flag]
	return ok
}

// Flag returns the value of the flag; "" if it was not given.
func (c *Call) Flag(flag string) string { return c.flags[flag] }

// Notes returns where messages go that are neither warnings nor errors nor questions: stderr, or nowhere with --quiet.
func (c *Call) Notes() io.Writer {
	if c.On("quiet") {
		return io.Discard
	}

	return c.Stderr
}

// Print writes text to stdout; on a terminal of less than 80 columns its lines are broken between words.
func (c *Call) Print(text string) error {
	_, err := io.WriteString(c.Stdout, c.Fit(c.Stdout, text))

	return err
}

// Errorf prints an error message to stderr and returns code.
func (c *Call) Errorf(code int, format string, args ...any) int {
	noteReported(args)
	c.report(c.Program.Name+": "+format+"\n", args...)

	return code
}

// Usagef prints an error message about the command line, with the command that shows the help, and returns [Usage].
func (c *Call) Usagef(format string, args ...any) int {
	c.Errorf(Usage, format, args...)
	c.report("%s --help shows how it is used\n", c.Program.Called(c.Command.Name))

	return Usage
}

// The flags of every command.
var common = []Flag{
	{Name: "color", Value: "WHEN", Choices: []string{"auto", "always", "never"}, Help: "auto, always or never; auto: colours on a terminal or with CLICOLOR_FORCE, none with NO_COLOR"},
	{Name: "quiet", Help: "print only warnings, errors and questions on stderr"},
	{Name: "help", Help: "print this text"},
}

// Run parses args (without the program's name), runs the command and returns its exit code. If stdout could not be
// written, it prints a message and returns [Failure]; a reader that has closed the pipe, as head does, is no failure.
func (p *Program) Run(env *Env, args []string) int {
	out := &output{w: env.Stdout}
	watched := *env
	watched.Stdout = out
	if watched.Getenv == nil {
		watched.Getenv = os.Getenv
	}
	if watched.Dir == "" {
		var err error
		if watched.Dir, err = os.Getwd(); err != nil {
			env.report("%s: %v\n", p.Name, err)
			return Failure
		}
	}

	return out.end(p.Name, env, p.run(&watched, args))
}

func (p *Program) run(env *Env, args []string) int {
	env, args, err := changeDir(env, args)
	if err != nil {
		return p.wrong(env, err)
	}
	name, rest := p.splitCommand(args)
	switch name {
	case "":
		if help(rest) {
			p.writeHelp(env, env.Stdout)
			return Done
		}
		if version := p.command("version"); version != nil && len(rest) > 0 && rest[0] == "--version" {
			return p.call(env, version, rest[1:])
		}
		if len(rest) > 0 && rest[0] != "--" {
			return p.wrong(env, p.unknownFlag(rest[0], p.allFlags()))
		}
		p.writeHelp(env, env.Stderr)
		return Usage
	case "help":
		return p.help(env, rest)
	}
	cmd := p.command(name)
	if cmd == nil {
		return p.wrong(env, p.unknownCommand(name))
	}

	return p.call(env, cmd, rest)
}

func (p *Program) call(env *Env, cmd *Command, args []string) int {
	c := &Call{Env: env, Program: p, Command: cmd, flags: map[string]string{}}
	if err := c.parse(args); err != nil {
		return c.Usagef("%v", err)
	}
	if c.On("help") {
		cmd.writeHelp(env, p.Name)
		return Done
	}
	if len(c.Args) > cmd.Max {
		return c.Usagef("%q is one argument too many (quote a text of several words)", c.Args[cmd.Max])
	}
	colored := *env
	colored.color = c.Flag("color")
	c.Env = &colored

	return cmd.Run(c)
}

// help is `help [COMMAND]`.
func (p *Program) help(env *Env, args []string) int {
	if len(args) == 0 || help(args) {
		p.writeHelp(env, env.Stdout)
		return Done
	}
	cmd := p.command(args[0])
	if cmd == nil {
		return p.wrong(env, p.unknownCommand(args[0]))
	}
	cmd.writeHelp(env, p.Name)

	return Done
}

func (p *Program) wrong(env *Env, err error) int {
	env.report("%s: %v\n%s --help lists the commands\n", p.Name, err, p.Name)
	return Usage
}

// report writes a message for a person to stderr, whose errors cannot be reported anywhere.
func (e *Env) report(format string, args ...any) {
	_, _ = io.WriteString(e.Stderr, e.Fit(e.Stderr, fmt.Sprintf(format, args...)))
}

func (p *Program) command(name string) *Command {
	for _, c := range p.Commands {
		if c.Name == name {
			return c
		}
	}

	return nil
}

func (p *Program) allFlags() []Flag {
	flags := common
	for _, c := range p.Commands {
		flags = append(flags[:len(flags):len(flags)], c.Flags...)
	}

	return flags
}

// changeDir takes `-C DIR` from the front of args.
func changeDir(env *Env, args []string) (*Env, []string, error) {
	changed := *env
	for len(args) > 0 && args[0] == "-C" {
		if len(args) < 2 {
			return env, nil, fmt.Errorf("-C needs a folder")
		}
		changed.Dir = changed.Path(args[1])
		if !isDir(changed.Dir) {
			return env, nil, fmt.Errorf("-C %s: there is no such folder", filepath.ToSlash(args[1]))
		}
		args = args[2:]
	}

	return &changed, args, nil
}

// The exit codes of every command. That of a run that a signal has ended is 128 plus the number of the signal: 130
// after an interrupt, as in shells.
const (
	// Done: success.
	Done = 0
	// Problem: the sources or the run have a problem.
	Problem = 1
	// Usage: the command line is wrong.
	Usage = 2
	// Failure: a fault of the program, or of input or output.
	Failure = 3
	// Paused: the run waits for an answer.
	Paused = 4
)
