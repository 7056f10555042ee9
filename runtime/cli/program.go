package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
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
	// Words are commands of other tools, and commands that do not exist, each with what to do
	// instead: it completes the sentence `there is no command "name": `.
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
	// Values returns the possible values of the first argument, for completion in shells; nil: a
	// file, or any text.
	Values func() []string
	// Run executes the command. An error ends it with a message and an exit code: that of
	// [Call.Errorf], [Call.Usagef] or [Call.Exit], and [Failure] for any other error.
	Run func(*Call) error
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

// Version returns the version of agentc's module in this binary; (devel) for a checkout.
func (*Program) Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return develVersion
	}

	return moduleVersion(info)
}

// develVersion is the version of a checkout.
const develVersion = "(devel)"

// moduleVersion returns the version of agentc's module among the modules of a binary.
func moduleVersion(info *debug.BuildInfo) string {
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == "github.com/agentc-dev/agentc" && m.Version != "" {
			return m.Version
		}
	}

	return develVersion
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

// Arg returns the argument with index i; "" if there are fewer.
func (c *Call) Arg(i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}

	return ""
}

// On reports whether the flag was given.
func (c *Call) On(flag string) bool {
	_, ok := c.flags[flag]
	return ok
}

// Flag returns the value of the flag; "" if it was not given.
func (c *Call) Flag(flag string) string { return c.flags[flag] }

// ReadFlag reads the file that a flag names.
func (c *Call) ReadFlag(flag string) ([]byte, error) {
	name := c.Flag(flag)
	if isDir(c.Path(name)) {
		return nil, c.Usagef("--%s %s: it is a folder, not a file", flag, name)
	}
	content, err := os.ReadFile(c.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, c.Usagef("--%s %s: there is no such file", flag, name)
	}

	return content, err
}

// Notes returns where messages go that are neither warnings nor errors nor questions: stderr, or
// nowhere with --quiet.
func (c *Call) Notes() io.Writer {
	if c.On("quiet") {
		return io.Discard
	}

	return c.Stderr
}

// Print writes text to stdout; on a terminal of less than 80 columns its lines are broken between
// words.
func (c *Call) Print(text string) error {
	_, err := io.WriteString(c.Stdout, c.Fit(c.Stdout, text))

	return err
}

// exitError ends a command with an exit code.
type exitError struct {
	error // without a text no message is printed
	code  int
	// hint is printed on a line of its own after the message.
	hint string
}

func (e *exitError) Unwrap() error { return e.error }

var errNoMessage = errors.New("")

// Errorf returns an error that ends the command with an exit code. Its message is formatted as by
// [fmt.Errorf].
func (*Call) Errorf(code int, format string, args ...any) error {
	return &exitError{error: fmt.Errorf(format, args...), code: code}
}

// Usagef returns an error about the command line, which ends the command with [Usage]. Its message
// is followed by the command that shows the help.
func (c *Call) Usagef(format string, args ...any) error {
	hint := c.Program.Called(c.Command.Name) + " --help shows how it is used"

	return &exitError{fmt.Errorf(format, args...), Usage, hint}
}

// Exit returns an error that ends the command with an exit code and no message; nil for [Done].
func (*Call) Exit(code int) error {
	if code == Done {
		return nil
	}

	return &exitError{error: errNoMessage, code: code}
}

// Report prints the message of an error that does not end the command at once, and returns its exit
// code.
func (c *Call) Report(err error) int { return c.Program.reportError(c.Env, err) }

// Sayf prints a message to stderr, after the name of the program.
func (c *Call) Sayf(format string, args ...any) {
	c.printLine(c.Program.Name + ": " + fmt.Sprintf(format, args...))
}

// The flags of every command.
var common = []Flag{
	{Name: "color", Value: "WHEN", Choices: []string{"auto", "always", "never"}, Help: "auto, always or never; auto: colours on a terminal or with CLICOLOR_FORCE, none with NO_COLOR"},
	{Name: "quiet", Help: "print only warnings, errors and questions on stderr"},
	{Name: "help", Help: "print this text"},
}

// Run parses args (without the program's name), runs the command, prints the message of its error
// and returns the exit code. If stdout could not be written, it prints a message and returns
// [Failure]; a reader that has closed the pipe, as head does, is no failure.
func (p *Program) Run(env *Env, args []string) int {
	out := &output{w: env.Stdout}
	watched := *env
	watched.Stdout = out
	if watched.Getenv == nil {
		watched.Getenv = os.Getenv
	}
	if watched.Dir == "" {
		var err error
		watched.Dir, err = os.Getwd()
		if err != nil {
			return p.reportError(env, err)
		}
	}
	err := p.runArgs(&watched, args)
	code := p.reportError(env, err)
	lost := out.writeError()
	switch {
	case lost == nil:
		return code
	case !errors.Is(err, lost):
		p.reportError(env, lost)
	}

	return Failure
}

func (p *Program) runArgs(env *Env, args []string) error {
	env, args, err := changeDir(env, args)
	if err != nil {
		return p.usageError(err)
	}
	name, rest := p.splitCommand(args)
	switch name {
	case "":
		if wantsHelp(rest) {
			p.writeHelp(env, env.Stdout)
			return nil
		}
		if version := p.findCommand("version"); version != nil && len(rest) > 0 && rest[0] == "--version" {
			return p.runCommand(env, version, rest[1:])
		}
		if len(rest) > 0 && rest[0] != "--" {
			return p.usageError(p.unknownFlag(rest[0], p.allFlags()))
		}
		p.writeHelp(env, env.Stderr)
		return &exitError{error: errNoMessage, code: Usage}
	case "help":
		if len(rest) == 0 || wantsHelp(rest) {
			p.writeHelp(env, env.Stdout)
			return nil
		}
		name, rest = rest[0], []string{"--help"}
	}
	cmd := p.findCommand(name)
	if cmd == nil {
		return p.usageError(p.unknownCommand(name))
	}

	return p.runCommand(env, cmd, rest)
}

func (p *Program) runCommand(env *Env, cmd *Command, args []string) error {
	c := &Call{Env: env, Program: p, Command: cmd, flags: map[string]string{}}
	if err := c.parseArgs(args); err != nil {
		return c.Usagef("%w", err)
	}
	if c.On("help") {
		cmd.writeHelp(env, p.Name)
		return nil
	}
	if len(c.Args) > cmd.Max {
		return c.Usagef("%q is one argument too many (quote a text of several words)", c.Args[cmd.Max])
	}
	colored := *env
	colored.color = c.Flag("color")
	c.Env = &colored

	return cmd.Run(c)
}

// usageError returns the error of a command line that has no command.
func (p *Program) usageError(err error) error {
	return &exitError{err, Usage, p.Name + " --help lists the commands"}
}

// reportError prints the message of an error and returns its exit code.
func (p *Program) reportError(env *Env, err error) int {
	if err == nil {
		return Done
	}
	end := &exitError{code: Failure}
	errors.As(err, &end)
	if message := err.Error(); message != "" {
		env.printLine(p.Name + ": " + message)
	}
	if end.hint != "" {
		env.printLine(end.hint)
	}

	return end.code
}

// printLine writes a line for a person to stderr, whose errors cannot be reported anywhere.
func (e *Env) printLine(line string) { _, _ = io.WriteString(e.Stderr, e.Fit(e.Stderr, line+"\n")) }

func (p *Program) findCommand(name string) *Command {
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

// The exit codes of every command. That of a run that a signal has ended is 128 plus the number of
// the signal: 130 after an interrupt, as in shells.
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
