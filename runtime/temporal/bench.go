package temporal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
)

// bench carries out the activities of a program.
type bench struct {
	program *compiled.Program
	engine  *core.Engine
	effects *core.Bench
	talks   *talks
	// most is how large a result may be, in bytes.
	most int
	// beat is how often activities send a heartbeat.
	beat time.Duration
	// settings are what the worker's environment says of models, without keys.
	settings map[string]string
}

// checkAgent returns an error if an agent lacks something, before anything is spent, and reports to
// the workflow which models the worker has.
func (b *bench) checkAgent(ctx context.Context, agent string) (map[string]string, error) {
	if err := b.engine.Check(ctx, b.program, agent); err != nil {
		return nil, failureOf(err, 0)
	}

	return b.settings, nil
}

// callModel makes one turn. Temporal repeats it after a failure that may go away.
func (b *bench) callModel(ctx context.Context, t turn) (turned, error) {
	defer b.startHeartbeat(ctx, failedBefore(ctx))()
	request := model.Request{Agent: t.Agent, Turn: t.Turn, Model: t.Model, Timeout: t.Timeout}
	asked, err := b.talks.extendRequest(ctx, &t, &request)
	if err != nil {
		return turned{}, err // the blobs may be there again later
	}
	reply, err := b.effects.Model(ctx, t.callInfo(), request)
	before := failedBefore(ctx)
	if err != nil {
		return turned{}, failedTurn(ctx, err, &reply, before)
	}
	if err := b.outcomeError(nil, "the model of agent "+t.Agent, sizeOf(&reply)); err != nil {
		return turned{}, err
	}

	return turned{Reply: reply, Asked: asked.ref, Replied: b.talks.storeReply(ctx, asked, &reply), Retried: before}, nil
}

// failedBefore are the attempts that failed before this one: each has said so with its last sign of life.
func failedBefore(ctx context.Context) (all []core.Retried) {
	if activity.HasHeartbeatDetails(ctx) {
		_ = activity.GetHeartbeatDetails(ctx, &all) // details of another caller: then nothing is sent of them
	}

	return all
}

// failedTurn is the failure of an attempt.
func failedTurn(ctx context.Context, err error, used *model.Reply, before []core.Retried) error {
	var failed *model.Error
	if !errors.As(err, &failed) || !failed.Retryable() || failed.Attempts > 0 && len(before)+1 >= failed.Attempts {
		return failureOf(err, 0)
	}
	wait := max(firstWait<<min(len(before), 6), failed.RetryAfter)
	now := core.Retried{Problem: err.Error(), Wait: wait, Usage: used.Usage, Cost: used.Cost}
	activity.RecordHeartbeat(ctx, append(before, now))

	return failureOf(err, wait)
}

// firstWait is what is waited before the second attempt; it doubles with each that follows.
const firstWait = 500 * time.Millisecond

func (b *bench) callTool(ctx context.Context, u use) (runtime.ToolResult, error) {
	defer b.startHeartbeat(ctx)()
	result, err := b.effects.Tool(ctx, u.callInfo(), runtime.ToolCall{
		Agent: u.Agent, ID: u.ID, Tool: specByName(u.Tool), Args: u.Args, Vars: u.Vars, Nth: u.Nth,
	})

	return result, b.outcomeError(err, "tool "+u.Tool, len(result.Text)+len(result.Problem))
}

// specByName returns the specification of a built-in tool. That of another tool has only the name.
func specByName(name string) *runtime.ToolSpec {
	if spec := rt.Builtin(name); spec != nil {
		return spec
	}

	return &runtime.ToolSpec{Name: name}
}

func (b *bench) callFunc(ctx context.Context, a apply) (runtime.FuncResult, error) {
	defer b.startHeartbeat(ctx)()
	result, err := b.effects.Call(ctx, a.callInfo(), runtime.FuncCall{Name: a.Name, Args: a.Args, Timeout: a.Timeout})

	return result, b.outcomeError(err, "function "+a.Name, len(result.Value))
}

func (b *bench) askGuard(ctx context.Context, j judge) (runtime.Verdict, error) {
	defer b.startHeartbeat(ctx)()
	in := j.Input
	verdict, err := b.effects.Guard(ctx, j.callInfo(), runtime.GuardCall{
		Machine: in.Machine, State: in.State, Key: in.Key, Name: j.Name, Input: in,
	})

	return verdict, failureOf(err, 0)
}

// startHeartbeat sends heartbeats of an activity until stop is called: so the death of its worker
// is known soon, however long a model may take. details are sent with them, for the attempt that
// may come next.
func (b *bench) startHeartbeat(ctx context.Context, details ...any) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(b.beat)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				activity.RecordHeartbeat(ctx, details...)
			case <-done:
				return
			case <-ctx.Done():
				return
			}
		}
	}()

	return func() { close(done) }
}

// outcomeError is the failure of an effect: err, or that its result is too large for the run.
func (b *bench) outcomeError(err error, what string, size int) error {
	if err == nil && size > b.most {
		text := fmt.Sprintf("%s gave back %d bytes, more than the %d that the engine keeps", what, size, b.most)
		err = &errs.Coded{Code: "SizeError", Text: text}
	}

	return failureOf(err, 0)
}

// sizeOf is how large a reply is.
func sizeOf(r *model.Reply) int {
	size := len(r.Text) + len(r.Carry)
	for _, call := range r.Calls {
		size += len(call.ID) + len(call.Name) + len(call.Args)
	}

	return size
}
