package temporal

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

func startCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "start", Args: "[TASK]", Max: 1,
		Summary: "start a run on Temporal",
		Help: `Starts a run on the workers of this program, waits until it ends, and prints the final value on stdout. If the run asks a
question, the question is printed and the exit code is 4: answer it with reply, then wait again with start --run ID --attach. The run
continues even if this command is stopped.`,
		Example: p.Name + " start \"a task\"\n" + p.Name + " start --run order-17 --detach \"a task\"",
		Flags: append(connectFlags(),
			cli.Flag{Name: "agent", Value: "NAME", Help: "run this agent instead of the entry point"},
			cli.Flag{Name: "context", Value: "FILE|JSON", Help: "the initial context of a workflow, a JSON object"},
			cli.Flag{Name: "run", Value: "ID", Help: "the id of the run, which no other run has used; default: a new one"},
			cli.Flag{Name: "detach", Help: "print the run's id and do not wait"},
			cli.Flag{Name: "attach", Help: "start nothing, and wait for the run that --run names"},
			cli.Flag{Name: "attributes", Help: "list the run by search attributes: AgentcProgram, AgentcAgent, AgentcState"},
			cli.Flag{Name: "script", Value: "FILE", Help: "a script of replies in JSON, used instead of models"},
			cli.Flag{Name: "partial", Help: "allow a script to have turns left over"},
		),
		Run: func(c *cli.Call) error { return runStart(c, p) },
	}
}

func runStart(c *cli.Call, p *compiled.Program) error {
	server, err := dialServer(c, p)
	if err != nil {
		return err
	}
	defer server.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var run client.WorkflowRun
	if c.On("attach") {
		run = server.GetWorkflow(ctx, c.Flag("run"), "")
	} else if run, err = startRun(ctx, c, server); err != nil {
		return err
	}
	if c.On("detach") {
		fmt.Fprintln(c.Stdout, run.GetID())

		return nil
	}

	return waitForResult(ctx, c, server, run)
}

// startRun starts the run that the flags describe.
func startRun(ctx context.Context, c *cli.Call, server Client) (run client.WorkflowRun, err error) {
	p := server.Program
	s := StartOptions{Run: c.Flag("run"), Partial: c.On("partial"), Attributes: c.On("attributes")}
	s.Agent, err = inputs.Agent(c, p)
	if err != nil {
		return nil, err
	}
	with, err := inputs.Context(c, p, s.Agent)
	if err != nil {
		return nil, err
	}
	if agent := with.Agent(s.Agent); agent != nil {
		s.Context = agent.Initial
	}
	s.Script, err = inputs.Script(c, p)
	if err != nil {
		return nil, err
	}
	s.Input, err = inputs.Task(c)
	if err != nil {
		return nil, err
	}
	if s.Attributes {
		if err := server.RegisterAttributes(ctx, namespaceOf(c)); err != nil {
			return nil, err
		}
	}
	run, err = server.Start(ctx, s)
	if errs.Is[*serviceerror.WorkflowExecutionAlreadyStarted](err) {
		return nil, c.Errorf(cli.Problem, "there is a run %q already: wait with --attach, or choose another id", s.Run)
	}
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.Stderr, "%s: run %s\n", p.Name, run.GetID())

	return run, nil
}

// waitForResult waits for the end of a run, or until it asks a question.
func waitForResult(ctx context.Context, c *cli.Call, server Client, run client.WorkflowRun) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	asks := make(chan []Question, 1)
	go func() {
		if questions := firstQuestions(ctx, server, run.GetID()); questions != nil {
			asks <- questions
			stop()
		}
	}()
	fin, err := server.Result(ctx, run)
	if err == nil {
		fmt.Fprintln(c.Stdout, fin.Value)

		return nil
	}
	select {
	case questions := <-asks:
		for _, q := range questions {
			fmt.Fprintf(c.Stderr, "%s asks: %s%s\n", q.ID, q.Prompt, formatChoices(q))
			fmt.Fprintf(c.Stderr, "  answer with: %s reply %s %s VALUE\n", c.Program.Name, run.GetID(), q.ID)
		}

		return c.Exit(cli.Paused)
	default:
		return c.Errorf(cli.Problem, "%w", err)
	}
}

func formatChoices(q Question) string {
	if len(q.Choices) == 0 {
		return ""
	}

	return " (" + strings.Join(q.Choices, ", ") + ")"
}

// firstQuestions waits until a run asks something; nil if it has ended before.
func firstQuestions(ctx context.Context, server Client, run string) []Question {
	for ctx.Err() == nil {
		questions, err := server.Questions(ctx, run)
		if err == nil && len(questions) > 0 {
			return questions
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}

	return nil
}
