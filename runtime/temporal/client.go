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

// StartOptions say how a run starts.
type StartOptions struct {
	// Run is the run's id; "": Temporal makes one. An id that a run has had is refused with
	// *serviceerror.WorkflowExecutionAlreadyStarted.
	Run string
	// Agent is what runs; "": the entry point. Input is what it is given, Context the initial context of a workflow.
	Agent, Input string
	Context      json.RawMessage
	// Script, as JSON, answers instead of models; Partial allows turns to be left over.
	Script  string
	Partial bool
	// Attributes says that the run has search attributes, which the server has to know: see RegisterAttributes.
	Attributes bool
	// Longest is how many events a history has at most before the run goes on in a new one; 0: when Temporal suggests it.
	Longest int
}

// Start starts a run of a program. It stays with workers of the shape that p has. Errors, beside the client's:
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
	in := Input{
		Input: s.Input, Context: s.Context, Script: s.Script, Partial: s.Partial, Attributes: s.Attributes, Longest: s.Longest,
	}

	return retried(ctx, func() (client.WorkflowRun, error) { return c.ExecuteWorkflow(ctx, with, WorkflowType(p, agent), in) })
}

// version is that of the workers of a program: its shape.
func version(p *compiled.Program) worker.WorkerDeploymentVersion {
	return worker.WorkerDeploymentVersion{DeploymentName: p.Name, BuildID: p.Shape}
}

// retried repeats a start for as long as the server has not yet heard of the first worker of the version.
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

// Result waits for the end of a run, in whatever execution, and returns its agent's finish. Errors are those that the engine in
// one process has, *runtime.CancelledError among them.
func Result(ctx context.Context, run client.WorkflowRun) (runtime.Finish, error) {
	var out Output
	if err := run.Get(ctx, &out); err != nil {
		var cancelled *temporal.CanceledError
		if restored := ErrorOf(err); restored != err || !errors.As(err, &cancelled) {
			return runtime.Finish{}, restored
		}

		return runtime.Finish{}, &runtime.CancelledError{Reason: somebody}
	}

	return out.Finish(), nil
}

// Questions are what a run waits for, in the order in which it began to wait.
func Questions(ctx context.Context, c client.Client, run string) ([]Question, error) {
	value, err := c.QueryWorkflow(ctx, run, "", QuestionsQuery)
	if err != nil {
		return nil, err
	}
	var all []Question

	return all, value.Get(&all)
}

// Reply answers a question of a run; it returns when the answer counts. Errors, beside the client's:
// *core.UnknownQuestionError, *core.AnsweredError, *core.AnswerError.
func Reply(ctx context.Context, c client.Client, run string, a Answer) error {
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		err := reply(ctx, c, run, a)
		var unknown *core.UnknownQuestionError
		if !errors.As(err, &unknown) || wait > 5*time.Second || !asks(ctx, c, run, a.Question) {
			return err
		}
		// The workflow has not come to the question yet in the task in which it heard the answer; it will have in the next.
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

func reply(ctx context.Context, c client.Client, run string, a Answer) error {
	update, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: run, UpdateName: AnswerUpdate, Args: []any{a}, WaitForStage: client.WorkflowUpdateStageCompleted,
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
