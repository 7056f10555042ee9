package temporal

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/core"
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
	// Attributes sets search attributes for the run, which have to be registered: see RegisterAttributes.
	Attributes bool
	// Longest is the largest number of events in a history before the run continues in a new one; 0: when Temporal
	// suggests it.
	Longest int
}

// Start starts a run of a program, on workers of the shape of p only. Errors, besides the client's:
// *compiled.UnknownAgentError, *compiled.ContextError.
func Start(ctx context.Context, c client.Client, p *compiled.Program, o Options, s StartOptions) (client.WorkflowRun, error) {
	agent, err := startable(p, s.Agent)
	if err != nil {
		return nil, err
	}
	if s.Context != nil {
		if _, err := p.WithContext(agent, s.Context); err != nil {
			return nil, err
		}
	}
	with := client.StartWorkflowOptions{
		ID: s.Run, TaskQueue: o.withDefaults(p).Queue, WorkflowExecutionErrorWhenAlreadyStarted: true,
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE, StaticSummary: p.Name + ": " + agent,
		VersioningOverride: &client.PinnedVersioningOverride{Version: version(p)},
	}
	if s.Attributes {
		with.TypedSearchAttributes = attributesOf(p, agent)
	}
	in := input{
		Input: s.Input, Context: s.Context, Script: s.Script, Partial: s.Partial, Attributes: s.Attributes, Longest: s.Longest,
	}

	return retried(ctx, func() (client.WorkflowRun, error) { return c.ExecuteWorkflow(ctx, with, workflowType(p, agent), in) })
}

// version is that of the workers of a program: its shape.
func version(p *compiled.Program) worker.WorkerDeploymentVersion {
	return worker.WorkerDeploymentVersion{DeploymentName: p.Name, BuildID: p.Shape}
}

// retried repeats a start for as long as the server has not yet seen the first worker of the version.
func retried[T any](ctx context.Context, do func() (T, error)) (T, error) {
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		value, err := do()
		var unknown *serviceerror.FailedPrecondition
		if !errors.As(err, &unknown) || wait > 10*time.Second {
			return value, err
		}
		select {
		case <-ctx.Done():
			return value, err
		case <-time.After(wait):
		}
	}
}

// Result waits for the end of a run, in all its executions, and returns its agent's finish. Errors are those of the
// engine in one process, including *runtime.CancelledError.
func Result(ctx context.Context, run client.WorkflowRun) (runtime.Finish, error) {
	var out output
	if err := run.Get(ctx, &out); err != nil {
		var cancelled *temporal.CanceledError
		if restored := ErrorOf(err); restored != err || !errors.As(err, &cancelled) {
			return runtime.Finish{}, restored
		}

		return runtime.Finish{}, &runtime.CancelledError{Reason: somebody}
	}

	return runtime.Finish(out), nil
}

// Questions returns the questions for whose answers a run waits, in the order in which they were asked.
func Questions(ctx context.Context, c client.Client, run string) ([]Question, error) {
	value, err := c.QueryWorkflow(ctx, run, "", questionsQuery)
	if err != nil {
		return nil, err
	}
	var all []Question

	return all, value.Get(&all)
}

// Reply answers a question of a run; it returns when the answer is recorded. Errors, besides the client's:
// *core.UnknownQuestionError, *core.AnsweredError, *core.AnswerError.
func Reply(ctx context.Context, c client.Client, run string, a Answer) error {
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		err := reply(ctx, c, run, a)
		var unknown *core.UnknownQuestionError
		if !errors.As(err, &unknown) || wait > 5*time.Second || !asks(ctx, c, run, a.Question) {
			return err
		}
		// The workflow has not reached the question yet in the task in which it received the answer; it will have in the next.
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

func reply(ctx context.Context, c client.Client, run string, a Answer) error {
	update, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: run, UpdateName: answerUpdate, Args: []any{a}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = update.Get(ctx, nil)
	}

	return ErrorOf(err)
}

// asks says that a run waits for an answer to a question.
func asks(ctx context.Context, c client.Client, run, question string) bool {
	open, err := Questions(ctx, c, run)

	return err == nil && slices.ContainsFunc(open, func(q Question) bool {
		return q.ID == question || q.ID+"#"+q.Address == question
	})
}
