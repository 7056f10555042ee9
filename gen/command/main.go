package command

import (
	"embed"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// Main runs agentc with args (without the program's name) and returns the exit code.
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
	p := &cli.Program{
		Name:    "agentc",
		Summary: "agentc compiles agents and state machines, written as AGENT.md, to Go.",
		Commands: slices.Concat(
			[]*cli.Command{generateCommand, checkCommand, runCommand, devCommand}, runCommands(),
			[]*cli.Command{
				buildCommand, graphCommand, diffCommand, canCommand, costCommand, preflightCommand, modelsCommand, simulateCommand,
				initCommand, addCommand, importCommand, mcpCommand, explainCommand, schemaCommand, versionCommand,
			},
		),
		Words: []cli.Word{
			{Name: "serve", Answer: "a binary serves its agents: include: [serve] in agentc.yaml, then agentc build, and ./NAME serve"},
			{Name: "watch", Answer: "agentc dev checks and runs a project again at each save, and agentc runs watch shows runs as they change"},
			{Name: "ui", Answer: "agentc dev shows a project and its runs in a browser"},
			{Name: "worker", Answer: "a binary is the worker: include: [temporal] in agentc.yaml, then agentc build, and ./NAME worker"},
			{Name: "logs", Answer: "agentc runs lists runs, and agentc runs show last prints what the last one did"},
			{Name: "ls", Answer: "agentc runs lists runs"},
			{Name: "ps", Answer: "agentc runs lists runs"},
			{Name: "doctor", Answer: "agentc preflight lists what a run needs and what of it is missing, and agentc check what is wrong in the sources"},
			{Name: "status", Answer: "agentc runs lists runs, and agentc runs show last prints what the last one did"},
			{Name: "list", Answer: "agentc runs lists runs, and agentc models the models of a project"},
			{Name: "config", Answer: "agentc models lists what each role is resolved to, and agentc preflight what a run needs"},
			{Name: "price", Answer: "agentc cost prints the most that a run can use"},
			{Name: "start", Answer: "agentc run does it"},
			{Name: "exec", Answer: "agentc run does it"},
			{Name: "continue", Answer: "agentc resume does it"},
			{Name: "approve", Answer: "agentc answer does it"},
			{Name: "stop", Answer: "agentc cancel does it"},
			{Name: "kill", Answer: "agentc cancel does it"},
			{Name: "clean", Answer: "agentc runs prune removes old runs"},
			{Name: "upgrade", Answer: "go get -tool github.com/agentc-dev/agentc/cmd/agentc@latest does it"},
			{Name: "update", Answer: "go get -tool github.com/agentc-dev/agentc/cmd/agentc@latest does it"},
			{Name: "eval", Answer: "go test does it, with runtime/simulate; agentc run --script FILE answers instead of a model"},
			{Name: "install", Answer: "go get -tool github.com/agentc-dev/agentc/cmd/agentc adds it to a module"},
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
			{Name: "fmt", Answer: "agentc formats nothing; agentc check --fix applies the fixes that are certain"},
			{Name: "test", Answer: "go test does it, with runtime/simulate; agentc run --script FILE answers instead of a model"},
		},
	}
	p.Commands = append(p.Commands, completionCommand(p))
	for i, c := range p.Commands {
		if text, err := helpTexts.ReadFile("help/" + c.Name + ".txt"); err == nil {
			helped := *c
			helped.Help = strings.TrimSpace(string(text))
			p.Commands[i] = &helped
		}
	}

	return p
}

// helpTexts are the help of commands, by their names; that of others is beside them.
//
//go:embed help
var helpTexts embed.FS
