package temporal

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// StartOptions configure the start of a run.
type StartOptions struct {
	// Run is the run's id; "": Temporal chooses one. An id that is in use is refused with
	// *serviceerror.WorkflowExecutionAlreadyStarted.
	Run string
	// Agent is the agent to run; "": the entry point. Input is its input, and Context the initial context of a
	// workflow.
	Agent, Input string
	Context      json.RawMessage
	// Script, as JSON, answers instead of models; Partial allows turns of it to be unused.
	Script  string
	Partial bool
	// Attributes sets search attributes for the run, which have to be registered: see [Client.RegisterAttributes].
	Attributes bool
	// Longest is the largest number of events in a history before the run continues in a new one; 0: when Temporal
	// suggests it.
	Longest int
}

// Client starts the runs of a program on Temporal, waits for them, answers their questions, and makes the workers that
// execute them. The client that it embeds needs the [Options.DataConverter].
type Client struct {
	client.Client
	Program *compiled.Program
	Options Options
}

// Start starts a run of the program, on workers of its shape only. Errors, besides the client's:
// *compiled.UnknownAgentError, *compiled.InputError, *compiled.ContextError.
func (c Client) Start(ctx context.Context, s StartOptions) (client.WorkflowRun, error) {
	p := c.Program
	info, err := core.Startable(p, s.Agent)
	if err != nil {
		return nil, err
	}
	if err := info.CheckInput(s.Input); err != nil {
		return nil, err
	}
	agent := info.Name
	if s.Context != nil {
		if _, err := p.WithContext(agent, s.Context); err != nil {
			return nil, err
		}
	}
	with := client.StartWorkflowOptions{
		ID: s.Run, TaskQueue: c.Options.withDefaults(p).Queue, WorkflowExecutionErrorWhenAlreadyStarted: true,
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE, StaticSummary: p.Name + ": " + agent,
		VersioningOverride: &client.PinnedVersioningOverride{Version: versionOf(p)},
	}
	if s.Attributes {
		with.TypedSearchAttributes = temporal.NewSearchAttributes(programAttribute.ValueSet(p.Name), agentAttribute.ValueSet(agent))
	}
	in := input{
		Input: s.Input, Context: s.Context, Script: s.Script, Partial: s.Partial, Attributes: s.Attributes, Longest: s.Longest,
	}

	var run client.WorkflowRun
	err = retry(ctx, 100*time.Millisecond, func() (again bool, err error) {
		run, err = c.ExecuteWorkflow(ctx, with, workflowType(p, agent), in)

		return errs.Is[*serviceerror.FailedPrecondition](err), err // the server has not seen the first worker of the version yet
	})

	return run, err
}

// versionOf returns the version of the workers of a program: its shape.
func versionOf(p *compiled.Program) worker.WorkerDeploymentVersion {
	return worker.WorkerDeploymentVersion{DeploymentName: p.Name, BuildID: p.Shape}
}

// retry repeats do while it fails and reports that it may succeed later; wait is the first delay.
func retry(ctx context.Context, wait time.Duration, do func() (again bool, err error)) error {
	for most := 100 * wait; ; wait *= 2 {
		again, err := do()
		if !again || wait > most {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// Result waits for the end of a run, in all its executions, and returns its agent's finish. It
// returns the errors of the engine in one process, including *runtime.CancelledError.
func (c Client) Result(ctx context.Context, run client.WorkflowRun) (runtime.Finish, error) {
	var out output
	if err := run.Get(ctx, &out); err != nil {
		if restored := errorOf(err); restored != err || !errs.Is[*temporal.CanceledError](err) {
			return runtime.Finish{}, restored
		}

		return runtime.Finish{}, &runtime.CancelledError{}
	}

	return runtime.Finish(out), nil
}

// Questions returns the questions for whose answers a run waits, in the order in which they were asked.
func (c Client) Questions(ctx context.Context, run string) ([]Question, error) {
	value, err := c.QueryWorkflow(ctx, run, "", questionsQuery)
	if err != nil {
		return nil, err
	}
	var all []Question

	return all, value.Get(&all)
}

// Answer answers a question of a run: that of an id, or of ID#ADDRESS if two open questions have the same id. by names
// the person who answers. It returns when the answer is recorded. Errors, besides the client's:
// *question.UnknownQuestionError, AnsweredError, *runtime.AnswerError.
func (c Client) Answer(ctx context.Context, run, id, value, by string) error {
	return retry(ctx, 50*time.Millisecond, func() (again bool, err error) {
		err = c.sendAnswer(ctx, run, answer{id, value, by})
		// The workflow may not have reached the question in the task in which it received the answer; it will have in the next.
		return errs.Is[*question.UnknownQuestionError](err) && c.hasQuestion(ctx, run, id), err
	})
}

func (c Client) sendAnswer(ctx context.Context, run string, a answer) error {
	update, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: run, UpdateName: answerUpdate, Args: []any{a}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = update.Get(ctx, nil)
	}

	return errorOf(err)
}

// Signal sends a signal to the machines of a run.
func (c Client) Signal(ctx context.Context, run string, s signals.Signal) error {
	return c.SignalWorkflow(ctx, run, "", signalName, s)
}

// hasQuestion reports whether a run waits for an answer to a question.
func (c Client) hasQuestion(ctx context.Context, run, question string) bool {
	open, err := c.Questions(ctx, run)

	return err == nil && slices.ContainsFunc(open, func(q Question) bool {
		return isCalled(q.ID, q.Address, question)
	})
}
