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

	return run(&cli.Env{Stdin: stdin, Stdout: stdout, Stderr: stderr}, args)
}

func run(env *cli.Env, args []string) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(env.Stderr, "agentc: a fault of agentc itself, please report it: %v\n%s", v, debug.Stack())
			code = cli.Failure
		}
	}()

	return program().Run(env, args)
}

// program is the table of commands. Commands that are specified but not in this version are words
// with an answer.
func program() *cli.Program {
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

// otherWords are commands of other tools, and commands that this version lacks, each with what to
// do instead.
//
//go:embed words.txt
var otherWords string

// helpTexts are the help of commands, by their names; that of others is beside them.
//
//go:embed help
var helpTexts embed.FS
