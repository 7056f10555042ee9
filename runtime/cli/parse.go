package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
)

// splitCommand takes the command out of args: the first argument that is neither a flag nor a
// flag's value. "" if there is none.
func (p *Program) splitCommand(args []string) (name string, rest []string) {
	flags := p.allFlags()
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return "", args
		}
		if !isFlag(arg) {
			return arg, append(append([]string(nil), args[:i]...), args[i+1:]...)
		}
		if f, ok := findFlag(flags, strings.TrimLeft(arg, "-")); ok && f.Value != "" {
			i++
		}
	}

	return "", args
}

// parseArgs reads the flags and arguments of a command.
func (c *Call) parseArgs(args []string) error {
	flags := append(append([]Flag(nil), c.Command.Flags...), common...)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			c.Args = append(c.Args, args[i+1:]...)
			return nil
		case !isFlag(arg):
			c.Args = append(c.Args, arg)
			continue
		case arg == "-h":
			arg = "--help"
		}

		name, value, hasValue := strings.Cut(arg, "=")
		f, ok := findFlag(flags, strings.TrimLeft(name, "-"))
		if !ok || f.Dashed() != name {
			return c.Program.unknownFlag(arg, flags)
		}
		if f.Value != "" && !hasValue && i+1 < len(args) {
			i++
			value = args[i]
		}
		if f.Value != "" && value == "" {
			return fmt.Errorf("%s needs a value: %s %s", name, name, f.Value)
		}
		if f.Value == "" && hasValue {
			return fmt.Errorf("%s takes no value", name)
		}
		if err := f.checkValue(value); err != nil {
			return err
		}
		c.flags[f.Name] = value
	}

	return nil
}

func (f Flag) checkValue(value string) error {
	if f.Choices == nil || slices.Contains(f.Choices, value) {
		return nil
	}

	last := len(f.Choices) - 1
	choices := strings.Join(f.Choices[:last], ", ") + " or " + f.Choices[last]

	return fmt.Errorf("%s is %s, not %q%s", f.Dashed(), choices, value, nearest.DidYouMean(value, f.Choices))
}

// isFlag reports whether arg is a flag; "-" alone means stdin or stdout where a file is expected.
func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

func findFlag(flags []Flag, name string) (Flag, bool) {
	for _, f := range flags {
		if f.Name == name {
			return f, true
		}
	}

	return Flag{}, false
}

func wantsHelp(args []string) bool {
	return len(args) > 0 && (args[0] == "--help" || args[0] == "-h")
}

func (p *Program) unknownFlag(arg string, flags []Flag) error {
	if arg == "-C" {
		return errors.New("-C DIR comes before the command")
	}
	name, _, _ := strings.Cut(arg, "=")
	if c := p.findCommand(strings.TrimLeft(name, "-")); c != nil {
		return fmt.Errorf("unknown flag %s: %s is a command", name, c.Name)
	}
	var names []string
	for _, f := range flags {
		names = append(names, f.Name)
	}
	near, ok := nearest.Name(strings.TrimLeft(name, "-"), names)
	if !ok {
		return fmt.Errorf("unknown flag %s", name)
	}
	f, _ := findFlag(flags, near)

	return fmt.Errorf("unknown flag %s (did you mean %s?)", name, f.Dashed())
}

func (p *Program) unknownCommand(name string) error {
	if answer, ok := p.Words[name]; ok {
		return fmt.Errorf("there is no command %q: %s", name, answer)
	}
	var names []string
	for _, c := range p.Commands {
		names = append(names, c.Name)
	}

	return fmt.Errorf("unknown command %q%s", name, nearest.DidYouMean(name, names))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
