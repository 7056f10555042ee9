package core

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/stopreason"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/model"
)

// runInEngine calls the agent's model and, when that fails permanently, its fallbacks in order. All
// calls are one effect.
func (t *modelTurn) runInEngine() (bool, error) {
	t.result = turnResult{}
	request, result := t.request, &t.result
	var tried []FailedModel
	for m := t.first; ; m = m.next {
		if m != t.first {
			request.Model = m.choice
		}
		err := t.callWithRetry(m, &request, result)
		if err == nil {
			return true, t.reportReply(&request, result)
		}
		if m.choice != nil {
			tried = append(tried, FailedModel{Model: m.choice.Name, Err: err})
		}
		if !t.canFallBack(m, err) {
			return true, t.reportFailure(&request, result, tried, err)
		}
		t.noteFallback(&request, result.calls, m.next, err)
		result.setFallback(m.next.choice.Name)
	}
}

// reportReply reports a turn that has a reply. It returns the cause if the run has been cancelled
// meanwhile, and nothing records the reply.
func (t *modelTurn) reportReply(request *model.Request, result *turnResult) error {
	if cause := t.fx.run.stopped(); cause != nil && t.fx.run.journal == nil {
		result.failedSpending = result.failedSpending.Plus(&result.reply)
		t.showCutTurn(request, result, cause)

		return cause
	}
	t.noteTurn(request, result, nil)

	return nil
}

// reportFailure reports a turn that has failed with err at its last model, and returns its error:
// the cause if the run, or the time for the effect, has ended; a *FallbackError if several models
// were tried.
func (t *modelTurn) reportFailure(request *model.Request, result *turnResult, tried []FailedModel, err error) error {
	if cause := t.fx.scope.Stopped(); cause != nil {
		t.showCutTurn(request, result, cause)

		return cause
	}
	if len(tried) > 1 {
		err = &FallbackError{Agent: request.Agent, Tried: tried}
	}
	t.noteTurn(request, result, err)

	return err
}

// canFallBack reports whether another model is called because this one has failed permanently. A
// request that a model refuses is not put to another one, which would be a way around its refusal.
// A reply that its server could not read is not either, because the same model is asked again. Nor
// does a fallback help when the time of the step is up, the run has ended, or code has panicked.
func (t *modelTurn) canFallBack(m *openModel, err error) bool {
	if m.next == nil || t.fx.scope.Stopped() != nil {
		return false
	}
	var failed *model.Error

	return errors.As(err, &failed) && failed.Class != model.Refused && failed.StopReason != stopreason.Unreadable
}

// callWithRetry calls one model until it answers or fails permanently. What failed calls have used
// is added to the result.
func (t *modelTurn) callWithRetry(m *openModel, request *model.Request, result *turnResult) error {
	settings := t.retrySettings()
	for attempt := 1; ; attempt++ {
		reply, err := t.callOnce(m, request, attempt, result)
		t.recordCall(m, request, reply, err)
		result.reply = reply
		result.calls++
		if err == nil {
			t.charge(request, &result.reply, result)

			return nil
		}
		err = t.fx.run.redactError(err)
		t.chargeFailed(request, result, err)
		err = wrapLongWait(settings, err)
		delay, retry := retryDelay(settings, err, attempt, rand.Float64())
		if !retry || t.fx.scope.Stopped() != nil {
			return err
		}
		t.noteRetry(request, attempt, delay, err.Error(), err)
		t.waitForRetry(delay)
		if t.fx.scope.Stopped() != nil {
			return err
		}
	}
}

// retrySettings returns how calls of the turn are repeated. A host repeats calls itself. A script,
// or a recording, is asked again after the time that its failure names, so that nothing is random.
func (t *modelTurn) retrySettings() model.Retry {
	settings := t.fx.run.engine.config.Retry
	switch {
	case t.first.isPlayed():
		settings.First = 0
	case t.fx.host != nil:
		settings.Attempts = 0
	}

	return settings
}

// waitForRetry waits before the next call. The recording of another run has no time of its own.
func (t *modelTurn) waitForRetry(delay time.Duration) {
	if !t.first.isPlayed() || t.fx.run.script != nil {
		t.fx.sleep(delay)
	}
}

// callOnce makes one call of a model. With an error, the reply has what the call has used. A
// provider that panics is a *runtime.PanicError.
func (t *modelTurn) callOnce(m *openModel, request *model.Request, attempt int, result *turnResult) (model.Reply, error) {
	switch {
	case m.player != nil:
		return t.replyFromScript(m.player, request, attempt, false)
	case m.replay != nil:
		return t.replyFromRecording(m.replay, request)
	case t.fx.host != nil:
		reply, err := t.replyFromHost(request, result)
		estimateMissing(request, &reply, err)

		return reply, err
	}

	own := *request
	own.Messages = carriedBack(m.source, request.Messages)
	provider, endStream := t.streamTo(m, request.Agent)
	call := t.fx.startProviderCall(provider, &own)
	hasReturned, err := t.fx.caller.Call(call.ctx, own.Timeout, modelOf(own.Agent), m.promise, call)
	endStream()
	reply := t.fx.endProviderCall(hasReturned)
	err = m.completeReply(request, &reply, err)
	estimateMissing(request, &reply, err)

	return reply, err
}

// completeReply adds what the engine knows of a provider's reply, and returns the error of a reply
// that did not end normally.
func (m *openModel) completeReply(request *model.Request, reply *model.Reply, err error) error {
	reply.Model = cmp.Or(reply.Model, modelName(request))
	if reply.Carry != "" && m.source != "" {
		reply.Carry = m.source + ":" + reply.Carry
	}
	if err != nil {
		return err
	}
	if failed := stopreason.Failure(reply.StopReason); failed != nil {
		failed.Model, failed.Agent = reply.Model, request.Agent

		return failed
	}

	return nil
}

// carriedBack returns messages with the state that a provider has asked to get back, and without
// the state of other providers, which a journal or a fallback may have left there. Messages of
// Config.Model, whose source is "", stay as they are.
func carriedBack(source string, messages []model.Message) []model.Message {
	if source == "" || !hasCarry(messages) {
		return messages
	}
	own := slices.Clone(messages)
	for i := range own {
		carry, isOwn := strings.CutPrefix(own[i].Carry, source+":")
		if !isOwn {
			carry = ""
		}
		own[i].Carry = carry
	}

	return own
}

// hasCarry reports whether a provider has asked to get something back in one of the messages.
func hasCarry(messages []model.Message) bool {
	for i := range messages {
		if messages[i].Carry != "" {
			return true
		}
	}

	return false
}

// providerCall is a call of a provider. Calls of a branch follow one another, and share its memory
// and its context until one of them is abandoned.
type providerCall struct {
	// ctx is the context of the calls, and ended the channel that ends it.
	ctx   context.Context
	ended <-chan struct{}
	// ordinal is the number of the effect that calls the provider.
	ordinal atomic.Int64

	provider model.Provider
	request  model.Request
	reply    model.Reply
}

// startProviderCall returns a call of a provider, whose reply endProviderCall returns.
func (f *Effects) startProviderCall(p model.Provider, request *model.Request) *providerCall {
	c := f.provided
	if c == nil {
		c = &providerCall{}
		f.provided = c
	}
	c.provider, c.request = p, *request
	ctx := f.scope.EffectContext()
	if c.ctx == nil || c.ended != ctx.Done() {
		c.ended = ctx.Done()
		c.ctx = runtime.WithCall(ctx, func() runtime.CallInfo { return f.callInfo(int(c.ordinal.Load())) })
	}
	c.ordinal.Store(int64(f.at.Ordinal()))

	return c
}

// endProviderCall returns the reply of the newest call of a provider. A call that was abandoned, and
// still runs, has none.
func (f *Effects) endProviderCall(hasReturned bool) model.Reply {
	c := f.provided
	if !hasReturned {
		f.provided = nil // the call still uses it

		return model.Reply{}
	}
	reply := c.reply
	c.provider, c.request, c.reply = nil, model.Request{}, model.Reply{}

	return reply
}

// Run implements usercode.Code.
func (c *providerCall) Run(ctx context.Context) (err error) {
	c.reply, err = c.provider.Chat(ctx, c.request)

	return err
}

// modelOf names the model of an agent in errors.
func modelOf(agent string) usercode.Name {
	return usercode.Name{Kind: "the model of agent", Name: agent}
}

// streamTo returns the provider of a model. If the call is observed and the provider can stream,
// what the model writes is reported until end is called.
func (t *modelTurn) streamTo(m *openModel, agent string) (p model.Provider, end func()) {
	streamer, canStream := m.provider.(model.Streamer)
	if !canStream || m.plain || t.fx.run.engine.config.Observer == nil {
		return m.provider, func() {}
	}
	s := &streamedCall{streamer: streamer, run: t.fx.run, agent: agent, address: t.fx.Address()}

	return s, s.end
}

// streamedCall is a provider in one call that is observed: what the model writes is reported while
// it is written. What comes when the call is over, or the run has been cancelled, is dropped: a
// provider that continues by itself must not report anything between later events.
type streamedCall struct {
	streamer       model.Streamer
	run            *run
	agent, address string

	mu   sync.Mutex
	over bool
}

// Chat implements model.Provider.
func (s *streamedCall) Chat(ctx context.Context, request model.Request) (model.Reply, error) {
	return s.streamer.Stream(ctx, request, func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if text != "" && !s.over && ctx.Err() == nil {
			s.run.events.reportDelta(s.agent, s.address, text)
		}
	})
}

// end is called when the call is over.
func (s *streamedCall) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}
