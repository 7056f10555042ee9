package app

import (
	"context"
	"io"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

func runCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "run", Args: "[TASK]", Max: 1,
		Summary: "run the program",
		Help: `Without TASK the task is read from stdin, unless that is a terminal. The final value is printed on stdout. A question
is asked on a terminal; elsewhere it pauses the run, with exit code 4.

What the run does is kept in a journal, so that a run which was paused, failed or was interrupted can go on: see resume, answer, runs.`,
		Example: p.Name + " run \"a task\"\necho \"a task\" | " + p.Name + " run --script answers.json --json",
		Flags: append([]cli.Flag{
			{Name: "agent", Value: "NAME", Help: "run this agent instead of the entry point"},
			{Name: "context", Value: "FILE|JSON", Help: "initial context of a workflow: a JSON object"},
		}, sessionFlags()...),
		Run: func(c *cli.Call) int { return run(c, p) },
	}
}

func run(c *cli.Call, p *compiled.Program) int {
	agent, code, ok := Startable(c, p)
	if !ok {
		return code
	}
	s, code, ok := newSession(c, p)
	if !ok {
		return code
	}
	if s.program, code, ok = WithContext(c, p, agent); !ok {
		return code
	}
	task, code, ok := ReadTask(c)
	if !ok {
		return code
	}

	return s.work(agent, func(ctx context.Context, p *compiled.Program) (runtime.Finish, error) {
		return s.engine.Run(ctx, p, agent, task)
	})
}

// Startable returns the agent to run: that of --agent, or the entry point. If ok is false, the error has been printed
// and code is the exit code.
func Startable(c *cli.Call, p *compiled.Program) (agent string, code int, ok bool) {
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

// ReadTask returns the argument, or without one all of stdin except for a final line break.
func ReadTask(c *cli.Call) (task string, code int, ok bool) {
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
