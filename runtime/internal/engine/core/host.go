package core

import (
	"context"
	"errors"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Host is how one branch of a run has its effects carried out by something that may be another
// process: an engine on top of this one, which keeps what is decided here (addresses, scripts,
// budgets, memory, signals, events) and brings how work is done and waited for. A Host is used by
// its branch alone. What it is asked carries no goroutine of this package: a host may switch
// between branches of its own inside each of its methods, and nowhere else.
//
// ctx ends when the run is cancelled or a budget has no time left; its Done may be nil, for a host
// knows itself when that happens. A method then returns, with whatever error.
type Host interface {
	// Model makes one turn. The choice is resolved, and the host repeats what fails and may succeed
	// later, and calls retried for each repetition, in order. It returns the errors of
	// [Effects.Model].
	Model(ctx context.Context, at runtime.CallInfo, request model.Request, retried func(Retried)) (model.Reply, error)
	// Tool runs a typed tool or a built-in one other than memory. If it is unknown whether it has
	// happened, the error is a *UnknownOutcomeError; so with Call.
	Tool(ctx context.Context, at runtime.CallInfo, call runtime.ToolCall) (runtime.ToolResult, error)
	// Call runs a method of Funcs, Guard one of Guards.
	Call(ctx context.Context, at runtime.CallInfo, call runtime.FuncCall) (runtime.FuncResult, error)
	Guard(ctx context.Context, at runtime.CallInfo, call runtime.GuardCall) (runtime.Verdict, error)
	// Ask waits for a person, for an answer that fits: of a question with choices, one of them as
	// it is written. waits is to be called if there is no answer yet: then the observer is notified
	// of the question. When the time of a question with a Due is over, the error is a
	// *runtime.TimeoutError.
	Ask(ctx context.Context, at runtime.CallInfo, q runtime.Question, waits func()) (runtime.Answer, error)
	// Sleep waits.
	Sleep(ctx context.Context, d time.Duration)
	// Alarm calls ring when d has passed while the effect that comes next is under way, and then
	// has that return; stop ends it.
	Alarm(d time.Duration, ring func()) (stop func())
	// Branches calls branch for 0 to n-1, each with a host of its own, at most limit (at least 1)
	// at a time, and returns when all have returned.
	Branches(n, limit int, branch func(i int, host Host))
	// Boundary is called before an effect of the run that is in no branch, if one before it was
	// carried out here; what it returns ends the run with that.
	Boundary() error
}

// Retried is an attempt that has failed and was repeated after a wait, with what it has used.
type Retried struct {
	Problem string        `json:"problem"`
	Wait    time.Duration `json:"wait"`
	Usage   model.Usage   `json:"usage,omitzero"`
	Cost    int64         `json:"cost,omitempty"`
}

// callInfoNow describes the newest effect to the code that carries it out.
func (f *Effects) callInfoNow() runtime.CallInfo {
	return runtime.CallInfo{Run: f.run.id, Address: f.Address()}
}

// replyFromHost calls a model through the host. The result gets what the calls have used that the
// host has repeated.
func (t *modelTurn) replyFromHost(request *model.Request, result *turnResult) (model.Reply, error) {
	asked, repeated := *request, 0
	reply, err := t.fx.host.Model(t.fx.scope.EffectContext(), t.fx.callInfoNow(), asked, func(r Retried) {
		repeated++
		t.noteRetry(&asked, repeated, r.Wait, r.Problem, nil)
		used := model.Reply{Usage: r.Usage, Cost: r.Cost}
		t.charge(&asked, &used, result)
		result.failedSpending = result.failedSpending.Plus(&used)
	})
	result.calls += repeated

	return reply, t.fx.scope.CauseOr(err)
}

// runOnHost has the host carry out the effect. After cancellation the error is the cause. If the
// outcome of an effect that must not happen twice is unknown, it is decided as in a run whose
// process has died.
func (x *execution) runOnHost() error {
	f, e := x.fx, x.effect
	for {
		err := f.scope.CauseOr(e.runOnHost())
		var unknown *UnknownOutcomeError
		if !errors.As(err, &unknown) {
			return err
		}
		interrupted := execution{fx: f, effect: e, intent: e.intent(), address: f.Address(), prior: &replay.Effect{}}
		if interrupted.intent.class != replay.ClassOnce {
			return err
		}
		answer, err := interrupted.decideUnknown()
		if err != nil {
			return err
		}
		applied, err := interrupted.applyAnswer(answer)
		if applied {
			return err
		}
	}
}
