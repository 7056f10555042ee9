package command

import (
	"embed"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

// Main runs agentc with args (without the program's name) and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	collectRarely()

	return runCatchingPanics(&cli.Env{Stdin: stdin, Stdout: stdout, Stderr: stderr}, args)
}

func runCatchingPanics(env *cli.Env, args []string) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(env.Stderr, "agentc: a fault of agentc itself, please report it: %v\n%s", v, debug.Stack())
			code = cli.Failure
		}
	}()

	return newProgram().Run(env, args)
}

// newProgram returns the table of commands.
func newProgram() *cli.Program {
	p := &cli.Program{
		Name:    "agentc",
		Words:   map[string]string{},
		Summary: "agentc compiles agents, written in Markdown, and workflows, in YAML, to Go.",
		Commands: slices.Concat(
			[]*cli.Command{initCommand, addCommand, checkCommand, runCommand, devCommand, generateCommand, buildCommand}, runCommands(),
			[]*cli.Command{
				simulateCommand, canCommand, costCommand, preflightCommand, modelsCommand, diffCommand, graphCommand, explainCommand,
				mcpCommand, importCommand, schemaCommand, versionCommand,
			},
		),
	}
	for line := range strings.Lines(otherWords) {
		name, answer, _ := strings.Cut(strings.TrimSpace(line), ": ")
		p.Words[name] = answer
	}
	p.Commands = append(p.Commands, completionCommand(p))
	for i, c := range p.Commands {
		if text, err := helpTexts.ReadFile("help/" + c.Name + ".txt"); err == nil {
			helped := *c
			helped.Help = strings.ReplaceAll(strings.TrimSpace(string(text)), "PATTERNS", strings.Join(templates.Patterns(), ", "))
			p.Commands[i] = &helped
		}
	}

	return p
}

// otherWords are commands of other tools or earlier versions, each with advice.
//
//go:embed words.txt
var otherWords string

// helpTexts are the long help texts of commands, by name.
//
//go:embed help
var helpTexts embed.FS
