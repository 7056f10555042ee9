package command

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// Main is agentc as a function: it runs args (without the program's name) and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	collectRarely()
	env, err := cli.System()
	if err != nil {
		fmt.Fprintln(stderr, "agentc:", err)
		return cli.Failure
	}
	env.Stdin, env.Stdout, env.Stderr = stdin, stdout, stderr

	return run(env, args)
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

// program is the table of commands. Commands that are specified but not in this version are words with an answer.
func program() *cli.Program {
	return &cli.Program{
		Name:    "agentc",
		Summary: "agentc compiles agents and state machines, written as AGENT.md, to Go.",
		Commands: slices.Concat(
			[]*cli.Command{generateCommand, checkCommand, runCommand}, runCommands(),
			[]*cli.Command{
				buildCommand, graphCommand, simulateCommand, initCommand, addCommand, mcpCommand, explainCommand, schemaCommand, versionCommand,
			},
		),
		Words: []cli.Word{
			{Name: "lint", Answer: "agentc check does it"},
			{Name: "validate", Answer: "agentc check does it"},
			{Name: "vet", Answer: "agentc check does it; agentc-vet is for your Go, with go vet -vettool"},
			{Name: "compile", Answer: "agentc generate does it"},
			{Name: "gen", Answer: "agentc generate does it"},
			{Name: "view", Answer: "agentc graph does it"},
			{Name: "visualize", Answer: "agentc graph does it"},
			{Name: "brew", Answer: "agentc build --dockerfile does it"},
			{Name: "new", Answer: "agentc init does it"},
			{Name: "create", Answer: "agentc init makes a project, agentc add an agent"},
			{Name: "walk", Answer: "agentc simulate does it"},
			{Name: "fmt", Answer: "agentc formats nothing"},
			{Name: "test", Answer: "go test does it, with runtime/simulate; agentc run --script FILE answers instead of a model"},
		},
	}
}
