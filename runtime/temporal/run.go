package temporal

import (
	"context"
	"errors"
	"strconv"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/errorcodec"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/model"
)

// run is one execution of a run of a program. Only coroutines of its workflow touch it.
type run struct {
	ctx     workflow.Context
	program *compiled.Program
	agent   string
	in      input
	options *Options
	clock   *clock
	// stop ends what is under way; cause is why.
	stop    workflow.CancelFunc
	cause   error
	people  people
	signals signaling.Signals
	// sent are the signals that were not offered so far.
	sent workflow.ReceiveChannel
	// acts reports whether an effect has been carried out here. Before that no machine listens: a
	// worker finds out which models there are.
	acts bool
}

// workflowOf is the workflow that runs an agent.
func workflowOf(p *compiled.Program, agent string, o *Options) func(workflow.Context, input) (output, error) {
	return func(ctx workflow.Context, in input) (output, error) {
		r := &run{program: p, agent: agent, in: in, options: o}
		r.ctx, r.stop = workflow.WithCancel(ctx)
		r.people.answered = in.Answered
		r.clock = &clock{ctx: r.ctx, leaps: in.Script != ""}

		return r.runAgent()
	}
}

// runAgent runs the agent.
func (r *run) runAgent() (output, error) {
	if err := r.setHandlers(); err != nil {
		return output{}, err
	}
	if err := r.checkModels(); err != nil {
		return output{}, err
	}
	p := r.program
	if r.in.Context != nil {
		with, err := p.WithContext(r.agent, r.in.Context)
		if err != nil {
			return output{}, failureOf(err, 0)
		}
		p = with
	}

	fin, left, err := core.New(r.engineConfig()).RunOn(core.Hosted{
		Host: &host{run: r, ctx: r.ctx}, Context: &ended{context.Background(), r}, Cancel: r.cancelRun,
		Program: p, Agent: r.agent, Input: r.in.Input, Journal: r.in.Journal,
	})
	switch {
	case err == nil:
		return output(fin), nil
	case left != nil:
		return output{}, r.continueAsNew(left)
	}

	return output{}, r.workflowError(err)
}

// checkModels asks a worker which models it has, before anything is spent. With a script there is
// nothing to ask.
func (r *run) checkModels() error {
	if r.in.Script != "" || r.in.Settings != nil {
		return nil
	}
	ctx := workflow.WithActivityOptions(r.ctx, workflow.ActivityOptions{
		Summary: "which models are there?", StartToCloseTimeout: time.Minute,
	})
	if err := workflow.ExecuteActivity(ctx, checkActivity, r.agent).Get(ctx, &r.in.Settings); err != nil {
		return r.workflowError(errorOf(err))
	}

	return nil
}

// engineConfig is what the engine works with that decides the run.
func (r *run) engineConfig() core.Config {
	c := core.Config{
		Script: r.in.Script, Partial: r.in.Partial, Observer: r, Signals: &r.signals, Clock: r.clock,
		Middleware: r.options.config.Middleware,
		RunID:      func() string { return workflow.GetInfo(r.ctx).WorkflowExecution.ID },
		Env: func(name string) (string, bool) {
			value, ok := r.in.Settings[name]

			return value, ok
		},
		// The cost of a turn is reported where it was made, or unknown; the check has refused
		// budgets of money for such models.
		Price: func(string) (pricing.Price, bool) { return pricing.Price{}, true },
	}
	if r.options.config.Model != nil {
		c.Model = model.ProviderFunc(nil) // then no choice is resolved; the host asks
	}

	return c
}

// cancelRun ends the run.
func (r *run) cancelRun(cause error) {
	if r.cause == nil && cause != nil {
		r.cause = cause
	}
	if cause != errContinued {
		r.stop()
	}
}

// workflowError returns the error with which the workflow ends.
func (r *run) workflowError(err error) error {
	var cancelled *runtime.CancelledError
	if !errors.As(err, &cancelled) && r.ctx.Err() != nil && r.cause == nil {
		cancelled = &runtime.CancelledError{}
	}
	if cancelled != nil {
		return temporal.NewCanceledError(errorcodec.Encode(cancelled))
	}

	return failureOf(err, 0)
}

// isHistoryLong reports whether the history is long enough for a new execution: by Temporal's
// advice, or by the caller's bound.
func (r *run) isHistoryLong() bool {
	info := workflow.GetInfo(r.ctx)

	return info.GetContinueAsNewSuggested() || r.in.Longest > 0 && info.GetCurrentHistoryLength() >= r.in.Longest
}

// continueAsNew continues the run in a new execution.
func (r *run) continueAsNew(journal []byte) error {
	in := r.in
	in.Journal, in.Answered = journal, r.people.answeredQuestions()

	return workflow.NewContinueAsNewError(r.ctx, workflowType(r.program, r.agent), in)
}

// ended is the run's context for the engine: it knows whether the workflow was cancelled, and
// cannot be waited for.
type ended struct {
	context.Context
	run *run
}

// Err is why the run has ended; nil if it has not.
func (e *ended) Err() error {
	if e.run.cause != nil {
		return e.run.cause
	}
	if e.run.ctx.Err() != nil {
		return &runtime.CancelledError{}
	}

	return nil
}

// clock is the workflow's. Under a script it leaps ahead instead of waiting.
type clock struct {
	ctx   workflow.Context
	leaps bool
	ahead time.Duration
}

func (c *clock) Now() time.Time { return workflow.Now(c.ctx).Add(c.ahead) }

// Sleep is the host's.
func (c *clock) Sleep(context.Context, time.Duration) {}

// Observe implements event.Observer: what happens is reported once, although workflow code is replayed.
func (r *run) Observe(e event.Event) {
	r.showState(&e)
	if watch := r.options.Observer; watch != nil && !workflow.IsReplaying(r.ctx) {
		watch.Observe(e)
	}
}

// showState shows in Temporal's UI which state the run is in.
func (r *run) showState(e *event.Event) {
	switch e.Kind {
	case event.Enter:
		if r.in.Attributes {
			_ = workflow.UpsertTypedSearchAttributes(r.ctx, stateAttribute.ValueSet(e.Machine+"/"+e.State)) // a valid key and a text
		}
		workflow.SetCurrentDetails(r.ctx, "`"+e.Machine+"` is in `"+e.State+"`, for the "+strconv.Itoa(e.Visit)+". time")
	case event.Pause:
		workflow.SetCurrentDetails(r.ctx, "waits for an answer to `"+e.Name+"`")
	}
}
