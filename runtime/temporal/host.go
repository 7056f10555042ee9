package temporal

import (
	"context"
	"errors"
	"strconv"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// host has the effects of one branch carried out by activities, timers and updates of its workflow; it implements core.Host.
type host struct {
	run *run
	// ctx is the context of the branch's coroutine; effect, if it is not nil, is the context of the
	// current effect, which may end before.
	ctx, effect workflow.Context
	// known are the conversations that the branch has had last and may continue, whose is the agent's.
	known []*talk
	whose string
}

// currentContext returns the context of the effect that begins.
func (h *host) currentContext() workflow.Context {
	h.run.acts = true
	if h.effect != nil {
		return h.effect
	}

	return h.ctx
}

// Model implements core.Host.
func (h *host) Model(
	_ context.Context, at runtime.CallInfo, request model.Request, retried func(core.Retried),
) (model.Reply, error) {
	if h.whose != request.Agent {
		h.known, h.whose = nil, request.Agent
	}
	t := turnOf(h.known, &request)
	t.place = placeOf(at)
	var came turned
	err := h.executeActivity(at, modelActivity, h.run.options.ModelQueue, repeatable(request.Timeout), &came, t)
	for _, r := range came.Retried {
		retried(r)
	}
	if err == nil {
		h.known = talksOf(&request, &came)
	} else if isWorkerLost(err) {
		err = &model.Error{Class: model.Timeout, Agent: request.Agent, Message: err.Error()}
	}

	return came.Reply, err
}

// Tool implements core.Host. What became of a call that must not happen twice, and whose worker is gone, is not known.
func (h *host) Tool(_ context.Context, at runtime.CallInfo, call runtime.ToolCall) (result runtime.ToolResult, err error) {
	attempts := once
	if call.Tool.Effect == runtime.EffectRead || call.Tool.Idempotent {
		attempts = repeatable(0)
	}
	err = h.executeActivity(at, toolActivity, h.run.options.ToolQueues[call.Tool.Name], attempts, &result, use{
		place: placeOf(at), Agent: call.Agent, ID: call.ID, Tool: call.Tool.Name, Args: call.Args, Vars: call.Vars, Nth: call.Nth,
	})
	if isWorkerLost(err) {
		err = &core.UnknownOutcomeError{Run: at.Run, Address: at.Address, Kind: "tool", Name: call.Tool.Name}
	}

	return result, err
}

// Call implements core.Host.
func (h *host) Call(_ context.Context, at runtime.CallInfo, call runtime.FuncCall) (result runtime.FuncResult, err error) {
	attempts := once
	if call.Repeatable {
		attempts = repeatable(0)
	}
	err = h.executeActivity(at, callActivity, h.run.options.FuncQueue, attempts, &result, apply{
		place: placeOf(at), Name: call.Name, Args: call.Args, Timeout: call.Timeout,
	})
	if isWorkerLost(err) {
		err = &core.UnknownOutcomeError{Run: at.Run, Address: at.Address, Kind: "call", Name: call.Name}
	}

	return result, err
}

// Guard implements core.Host. A guard changes nothing, so it can be asked again.
func (h *host) Guard(_ context.Context, at runtime.CallInfo, call runtime.GuardCall) (verdict runtime.Verdict, err error) {
	in := call.Input
	in.Machine, in.State, in.Key = call.Machine, call.State, call.Key
	err = h.executeActivity(at, guardActivity, h.run.options.FuncQueue, repeatable(0), &verdict, judge{
		place: placeOf(at), Name: call.Name, Input: in,
	})

	return verdict, err
}

// Sleep implements core.Host. With a script nothing waits: its clock advances at once.
func (h *host) Sleep(_ context.Context, d time.Duration) {
	if h.run.clock.leaps {
		h.run.clock.ahead += max(d, 0)

		return
	}
	_ = workflow.Sleep(h.currentContext(), d) // an end before is known by the context
}

// Alarm implements core.Host.
func (h *host) Alarm(d time.Duration, ring func()) (stop func()) {
	if h.run.clock.leaps {
		return func() {}
	}
	effect, end := workflow.WithCancel(h.ctx)
	waiting, forget := workflow.WithCancel(h.ctx)
	h.effect = effect
	workflow.GoNamed(waiting, "alarm", func(ctx workflow.Context) {
		if workflow.NewTimer(ctx, d).Get(ctx, nil) == nil {
			ring()
			end()
		}
	})

	return func() {
		forget()
		h.effect = nil
	}
}

// Branches implements core.Host.
func (h *host) Branches(n, limit int, branch func(i int, host core.Host)) {
	next := 0
	done := workflow.NewWaitGroup(h.ctx)
	for worker := range min(limit, n) {
		done.Add(1)
		workflow.GoNamed(h.ctx, "branches "+strconv.Itoa(worker), func(ctx workflow.Context) {
			defer done.Done()
			for next < n {
				i := next
				next++
				branch(i, &host{run: h.run, ctx: ctx})
			}
		})
	}
	done.Wait(h.ctx)
}

// Boundary implements core.Host: a long history is continued in a new one, while no branch is under way. If signals
// or answers have not been processed yet, it is not, because they would be lost.
func (h *host) Boundary() error {
	if !h.run.isHistoryLong() || h.run.sent.Len() > 0 {
		return nil
	}

	return errContinued
}

// errContinued ends an execution whose run goes on in the next.
var errContinued = errors.New("the run goes on in a new execution")

// attempts are how often an activity is carried out, and how long one attempt may take.
type attempts struct {
	most    int32
	timeout time.Duration
}

// longest is how long an activity without a bound may take.
const longest = 24 * time.Hour

var once = attempts{most: 1, timeout: longest}

// repeatable are the attempts of an activity that may be carried out again.
func repeatable(timeout time.Duration) attempts {
	if timeout <= 0 {
		return attempts{most: 5, timeout: longest}
	}

	return attempts{most: 5, timeout: timeout + time.Minute} // the worker keeps the bound itself
}

// executeActivity has an activity carried out. Its summary is the effect's address, by which people find it in the history. Its id is the
// SDK's own: with another, this version of the SDK asks for the end of an activity that has ended meanwhile, which the server refuses
// for ever, and the run never ends (see TestCancelledAtAnyTime).
func (h *host) executeActivity(at runtime.CallInfo, name, queue string, a attempts, result any, argument any) error {
	ctx := workflow.WithActivityOptions(h.currentContext(), workflow.ActivityOptions{
		Summary: at.Address, TaskQueue: queue,
		StartToCloseTimeout: a.timeout, HeartbeatTimeout: 6 * h.run.options.Beat,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 500 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 30 * time.Second,
			MaximumAttempts: a.most,
		},
	})

	err := workflow.ExecuteActivity(ctx, name, argument).Get(ctx, result)
	if isWorkerLost(err) {
		return err
	}

	return errorOf(err)
}
