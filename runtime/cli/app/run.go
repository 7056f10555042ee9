package app

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
)

func runCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "run", Args: "[TASK]", Max: 1,
		Summary: "run the program",
		Help: `Without TASK, the task is read from stdin, unless stdin is a terminal. The final value is printed on stdout. Questions are
asked on the terminal; without a terminal, a question pauses the run with exit code 4.

The run is recorded in a journal. A run that was paused, failed, was cancelled or was interrupted can be resumed: see resume, answer and runs.`,
		Example: p.Name + " run \"a task\"\necho \"a task\" | " + p.Name + " run --script answers.json --json",
		Flags: append([]cli.Flag{
			{Name: "agent", Value: "NAME", Help: "run this agent instead of the entry point"},
			{Name: "context", Value: "FILE|JSON", Help: "the initial context of a workflow, a JSON object"},
		}, sessionFlags()...),
		Run: func(c *cli.Call) error { return runAgent(c, p) },
	}
}

func runAgent(c *cli.Call, p *compiled.Program) error {
	agent, err := inputs.Agent(c, p)
	if err != nil {
		return err
	}
	s, err := newSession(c, p)
	if err != nil {
		return err
	}
	s.program, err = inputs.Context(c, p, agent)
	if err != nil {
		return err
	}
	task, err := inputs.Task(c)
	if err != nil {
		return err
	}

	return s.runWork(agent, func(ctx context.Context, p *compiled.Program) (runtime.Finish, error) {
		return s.engine.Run(ctx, p, agent, task)
	})
}
