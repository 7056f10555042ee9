package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
)

// Program is a command line with commands.
type Program struct {
	// Name is how people call it.
	Name string
	// Prefix is how its commands are called if not by its name: the words before a command.
	Prefix string
	// Summary says in a line what it is for.
	Summary  string
	Commands []*Command
	// Words are words of other tools, and commands that are not there, each with what to do instead.
	Words []Word
}

// Word is a word that people try where a command is expected.
type Word struct {
	Name string
	// Answer completes the sentence `there is no command "name": `.
	Answer string
}

// Command is one command.
type Command struct {
	Name string
	// Args shows the arguments, such as "[DIR] [TASK]".
	Args string
	// Max is how many arguments there may be.
	Max int
	// Summary says in a line what the command does, Help all that a person has to know, Example shows it in use.
	Summary, Help, Example string
	Flags                  []Flag
	// Values are what the first argument can be, for shells that complete it; nil: a file, or any text.
	Values func() []string
	// Run does it and returns the exit code.
	Run func(*Call) int
}

// Flag is a flag of a command.
type Flag struct {
	// Name is written after two dashes, or after one if it has a single letter.
	Name string
	// Value names the value in the help; a flag without is a switch.
	Value string
	// Choices are the values that are allowed; nil: any.
	Choices []string
	Help    string
}

// Dashed is the flag as it is typed.
func (f Flag) Dashed() string {
	if len(f.Name) == 1 {
		return "-" + f.Name
	}

	return "--" + f.Name
}

// Called is a command line with a command and its arguments, for hints.
func (p *Program) Called(words ...string) string {
	return cmp.Or(p.Prefix, p.Name) + " " + Quote(words...)
}

// Call is a command as it was called.
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

// Errorf tells the person what is wrong and returns code.
func (c *Call) Errorf(code int, format string, args ...any) int {
	noteTold(args)
	fmt.Fprintf(c.Stderr, c.Program.Name+": "+format+"\n", args...)
	return code
}

// Usagef tells the person what is wrong with the command line, where the help is, and returns [Usage].
func (c *Call) Usagef(format string, args ...any) int {
	c.Errorf(Usage, format, args...)
	fmt.Fprintf(c.Stderr, "%s --help shows how it is used\n", c.Program.Called(c.Command.Name))

	return Usage
}

// The flags of every command.
var common = []Flag{
	{Name: "color", Value: "WHEN", Choices: []string{"auto", "always", "never"}, Help: "auto, always or never; auto: on a terminal without NO_COLOR"},
	{Name: "help", Help: "this text"},
}

// Run parses args (without the program's name), runs the command and returns its exit code: [Failure], and the person knows, if
// something could not be written to stdout. A reader that went away, as head does, is no failure.
func (p *Program) Run(env *Env, args []string) int {
	out := &output{w: env.Stdout}
	watched := *env
	watched.Stdout = out

	return out.end(p.Name, env.Stderr, p.run(&watched, args))
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
			p.writeHelp(env.Stdout)
			return Done
		}
		if version := p.command("version"); version != nil && len(rest) > 0 && rest[0] == "--version" {
			return p.call(env, version, rest[1:])
		}
		if len(rest) > 0 && rest[0] != "--" {
			return p.wrong(env, p.unknownFlag(rest[0], p.allFlags()))
		}
		p.writeHelp(env.Stderr)
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
		cmd.writeHelp(env.Stdout, p.Name)
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
		p.writeHelp(env.Stdout)
		return Done
	}
	cmd := p.command(args[0])
	if cmd == nil {
		return p.wrong(env, p.unknownCommand(args[0]))
	}
	cmd.writeHelp(env.Stdout, p.Name)

	return Done
}

func (p *Program) wrong(env *Env, err error) int {
	fmt.Fprintf(env.Stderr, "%s: %v\n%s --help lists the commands\n", p.Name, err, p.Name)
	return Usage
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
