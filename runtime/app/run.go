package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/local"
	"github.com/agentc-dev/agentc/runtime/simulate"
)

func runCommand(p *runtime.Program) *cli.Command {
	return &cli.Command{
		Name: "run", Args: "[TASK]", Max: 1,
		Summary: "run the program",
		Help: `Without TASK the task is read from stdin, unless that is a terminal. The final value is printed on stdout. A question
is asked on a terminal; elsewhere it pauses the run, with exit code 4.`,
		Example: p.Name + " run \"a task\"\necho \"a task\" | " + p.Name + " run --script answers.json --json",
		Flags: []cli.Flag{
			{Name: "agent", Value: "NAME", Help: "run this agent instead of the entry point"},
			{Name: "script", Value: "FILE", Help: "answers instead of a model, as JSON"},
			{Name: "context", Value: "FILE|JSON", Help: "initial context of a workflow: a JSON object"},
			{Name: "partial", Help: "turns of a script that are left over at the end are no error"},
			{Name: "json", Help: "print events, one JSON object a line, instead of the final value"},
			{Name: "store", Value: "DIR", Help: "where the journal lies", Missing: "runs live in memory"},
		},
		Run: func(c *cli.Call) int { return run(c, p) },
	}
}

func run(c *cli.Call, p *runtime.Program) int {
	// The user's tools find themselves where -C says.
	if err := os.Chdir(c.Dir); err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	agent, code, ok := startable(c, p)
	if !ok {
		return code
	}
	script, code, ok := ReadScript(c, p)
	if !ok {
		return code
	}
	if p, code, ok = withContext(c, p, agent); !ok {
		return code
	}
	task, code, ok := readTask(c)
	if !ok {
		return code
	}

	config := local.Config{Partial: c.On("partial")}
	progress := newProgress(c)
	config.Observer = progress
	if c.On("json") {
		config.Observer = &jsonLines{w: c.Stdout}
		progress.live.on = false
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stop := newStop(cancel)
	defer stop.listen(c, progress)()
	config.Signals = &stop.signals
	if cli.Terminal(c.Stdin) && cli.Terminal(c.Stderr) {
		config.Asker = stop.asker(progress, local.Terminal(c.Stdin, c.Stderr))
	}
	engine := local.New(config)
	if script != "" {
		engine = simulate.Engine(script, config)
	}

	fin, err := engine.Run(ctx, stop.guard(p, progress), agent, task)
	progress.clear()
	if lines, ok := config.Observer.(*jsonLines); ok {
		if err != nil {
			lines.notStarted(agent, err)
		}
		if lines.err != nil {
			return c.Errorf(cli.Failure, "%v", lines.err)
		}
	}
	if err != nil {
		return failed(c, err)
	}
	if c.On("json") {
		return cli.Done
	}
	if err := printValue(c.Stdout, fin.Value); err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}

	return cli.Done
}

// startable returns the agent to run.
func startable(c *cli.Call, p *runtime.Program) (agent string, code int, ok bool) {
	agent = c.Flag("agent")
	if !c.On("agent") {
		agent = p.Entry
	}
	var names []string
	for _, a := range p.Agents {
		if a.Name == agent && a.Run == nil {
			return "", c.Errorf(cli.Problem, "%q is a machine that others drive (drive: external): there is nothing to run", agent), false
		}
		if a.Name == agent {
			return agent, cli.Done, true
		}
		if a.Run != nil {
			names = append(names, a.Name)
		}
	}
	if agent == "" {
		return "", c.Usagef("which agent? Choose one with --agent: %s", strings.Join(names, ", ")), false
	}
	if near, ok := cli.Nearest(agent, names); ok {
		return "", c.Usagef("there is no agent %q (did you mean %q?)", agent, near), false
	}

	return "", c.Usagef("there is no agent %q: there are %s", agent, strings.Join(names, ", ")), false
}

// readTask returns the argument, else all of stdin without the line break at its end.
func readTask(c *cli.Call) (task string, code int, ok bool) {
	if len(c.Args) > 0 {
		return c.Args[0], cli.Done, true
	}
	if cli.Terminal(c.Stdin) {
		return "", c.Usagef("what is the task? Give it as an argument or on stdin"), false
	}
	text, err := io.ReadAll(c.Stdin)
	if err != nil {
		return "", c.Errorf(cli.Failure, "stdin: %v", err), false
	}
	task = strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")

	return task, cli.Done, true
}

// failed tells why there is no result and returns the exit code.
func failed(c *cli.Call, err error) int {
	questions := local.Questions(err)
	if len(questions) == 0 {
		c.Errorf(cli.Problem, "%v", err)
		if panicked := (*runtime.PanicError)(nil); errors.As(err, &panicked) {
			_, _ = c.Stderr.Write(panicked.Stack) // where it happened, or nobody can mend it
		}

		return cli.Problem
	}
	for _, q := range questions {
		tellPaused(c, q)
	}

	return cli.Paused
}

// tellPaused says which answer a run waits for, and how to give it.
func tellPaused(c *cli.Call, q runtime.Question) {
	c.Errorf(cli.Paused, "paused: question %q waits for an answer: %s", q.ID, clean(q.Prompt))
	if q.Channel != "" {
		fmt.Fprintf(c.Stderr, "the channel is %s\n", clean(q.Channel))
	}
	if len(q.Choices) > 0 {
		fmt.Fprintf(c.Stderr, "the choices are %s\n", clean(strings.Join(q.Choices, ", ")))
	}
	fmt.Fprintf(c.Stderr, "answer it on a terminal, or in a script: ask: {%s: [...]}\n", q.ID)
}
