package app

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/core"
)

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
