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
	// sent are the signals that no one was offered yet.
	sent workflow.ReceiveChannel
	// acts says that an effect has been carried out here. Before that no machine listens: a worker finds out which models there are.
	acts bool
}

// workflowOf is the workflow that runs an agent.
func workflowOf(p *compiled.Program, agent string, o *Options) func(workflow.Context, input) (output, error) {
	return func(ctx workflow.Context, in input) (output, error) {
		r := &run{program: p, agent: agent, in: in, options: o}
		r.ctx, r.stop = workflow.WithCancel(ctx)
		r.people.answered = in.Answered
		r.clock = &clock{ctx: r.ctx, leaps: in.Script != ""}

		return r.play()
	}
}

// play runs the agent.
func (r *run) play() (output, error) {
	if err := r.listen(); err != nil {
		return output{}, err
	}
	if err := r.settle(); err != nil {
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

	fin, left, err := core.New(r.config()).RunOn(core.Hosted{
		Host: &host{run: r, ctx: r.ctx}, Context: &ended{context.Background(), r}, Cancel: r.cancel,
		Program: p, Agent: r.agent, Input: r.in.Input, Journal: r.in.Journal,
	})
	switch {
	case err == nil:
		return output(fin), nil
	case left != nil:
		return output{}, r.next(left)
	}

	return output{}, r.failure(err)
}

// settle asks a worker which models it has, before anything is spent. A script needs none.
func (r *run) settle() error {
	if r.in.Script != "" || r.in.Settings != nil {
		return nil
	}
	ctx := workflow.WithActivityOptions(r.ctx, workflow.ActivityOptions{
		Summary: "which models are there?", StartToCloseTimeout: time.Minute,
	})
	if err := workflow.ExecuteActivity(ctx, checkActivity, r.agent).Get(ctx, &r.in.Settings); err != nil {
		return r.failure(errorOf(err))
	}

	return nil
}

// config is what the engine works with that decides the run.
func (r *run) config() core.Config {
	c := core.Config{
		Script: r.in.Script, Partial: r.in.Partial, Observer: r, Signals: &r.signals, Clock: r.clock,
		Middleware: r.options.config.Middleware,
		RunID:      func() string { return workflow.GetInfo(r.ctx).WorkflowExecution.ID },
		Env: func(name string) (string, bool) {
			value, ok := r.in.Settings[name]

			return value, ok
		},
		// What a turn costs was said where it was made, or no one knows; the check has refused budgets of money for such models.
		Price: func(string) (core.Price, bool) { return core.Price{}, true },
	}
	if r.options.config.Model != nil {
		c.Model = model.ProviderFunc(nil) // then no choice is resolved; the host asks
	}

	return c
}

// cancel ends the run.
func (r *run) cancel(cause error) {
	if r.cause == nil && cause != nil {
		r.cause = cause
	}
	if cause != errContinued {
		r.stop()
	}
}

// failure is how the workflow ends.
func (r *run) failure(err error) error {
	var cancelled *runtime.CancelledError
	if !errors.As(err, &cancelled) && r.ctx.Err() != nil && r.cause == nil {
		cancelled = &runtime.CancelledError{}
	}
	if cancelled != nil {
		return temporal.NewCanceledError(errorcodec.Encode(cancelled))
	}

	return failureOf(err, 0)
}

// due says that the history is long enough: Temporal says so, or the caller who has set a bound.
func (r *run) due() bool {
	info := workflow.GetInfo(r.ctx)

	return info.GetContinueAsNewSuggested() || r.in.Longest > 0 && info.GetCurrentHistoryLength() >= r.in.Longest
}

// next goes on in a new execution.
func (r *run) next(journal []byte) error {
	in := r.in
	in.Journal, in.Answered = journal, r.people.leave()

	return workflow.NewContinueAsNewError(r.ctx, workflowType(r.program, r.agent), in)
}

// ended is the run's context for the engine: it knows whether the workflow was cancelled, and no one can wait for that.
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
	r.show(&e)
	if watch := r.options.Observer; watch != nil && !workflow.IsReplaying(r.ctx) {
		watch.Observe(e)
	}
}

// show says in Temporal's UI where the run is.
func (r *run) show(e *event.Event) {
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
