package core

import (
	"cmp"
	"context"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/stopreason"
	"github.com/agentc-dev/agentc/runtime/model"
)

// chat is one attempt, which is recorded. With an error comes what the attempt has used.
func (t *modelTurn) chat(m *openModel, request model.Request, attempt int) (model.Reply, error) {
	reply, err := t.reply(m, request, attempt)
	if (err == nil || isWritten(&reply)) && !m.isPlayed() {
		estimateUsage(&request, &reply)
	}
	t.recordAttempt(m, request, reply, err)

	return reply, err
}

// reply is what answers an attempt. A provider that panics is a *runtime.PanicError.
func (t *modelTurn) reply(m *openModel, request model.Request, attempt int) (model.Reply, error) {
	switch {
	case m.player != nil:
		return t.replyFromScript(m.player, request, attempt, false)
	case m.replay != nil:
		return t.replyFromRecording(m.replay, request)
	case t.fx.host != nil:
		return t.replyFromHost(request)
	case m.source == "":
		return t.put(m.provider, request, m.plain)
	}
	request.Messages = carriedBack(m.source, request.Messages)
	reply, err := t.put(m.provider, request, m.plain)
	if reply.Carry != "" {
		reply.Carry = m.source + ":" + reply.Carry
	}

	return reply, err
}

// carriedBack are messages in which a provider finds what it wants back itself, and nothing of others: of those, a journal or a fallback
// may have some.
func carriedBack(source string, messages []model.Message) []model.Message {
	var own []model.Message
	for i := range messages {
		if messages[i].Carry == "" {
			continue
		}
		if own == nil {
			own = append([]model.Message(nil), messages...)
		}
		carry, is := strings.CutPrefix(messages[i].Carry, source+":")
		if !is {
			carry = ""
		}
		own[i].Carry = carry
	}
	if own == nil {
		return messages
	}

	return own
}

// put calls provide and sets the model that answered. It fails if the reply did not end normally.
func (t *modelTurn) put(p model.Provider, request model.Request, plain bool) (model.Reply, error) {
	reply, err := t.provide(p, request, plain)
	reply.Model = cmp.Or(reply.Model, modelName(&request))
	if err != nil {
		return reply, err
	}
	if failed := stopreason.Failure(reply.StopReason); failed != nil {
		failed.Model, failed.Agent = reply.Model, request.Agent

		return reply, failed
	}

	return reply, nil
}

// provide lets a provider answer, in one piece if plain is set. Like a method of the user it cannot hold a cancelled run.
func (t *modelTurn) provide(p model.Provider, request model.Request, plain bool) (model.Reply, error) {
	if s, ok := p.(model.Streamer); ok && !plain && t.fx.run.engine.config.Observer != nil {
		streamed := t.fx.streaming(s, request.Agent)
		defer streamed.end()
		p = streamed
	}
	if t.fx.context().Done() == nil && request.Timeout == 0 {
		return provideHere(t.fx.callContext(), p, request)
	}

	return provideWithin(t.fx.userContext(), p, request)
}

// callContext is what a provider gets in a run that cannot be cancelled: calls of a branch follow one another there, and share it.
func (f *Effects) callContext() context.Context {
	f.asking.Store(int64(f.count))
	if f.calling == nil {
		f.calling = runtime.WithCall(f.run.ctx, func() runtime.CallInfo { return f.callInfo(int(f.asking.Load())) })
	}

	return f.calling
}

// provideWithin is provide where the run can be cancelled or the call has a limit.
func provideWithin(ctx context.Context, p model.Provider, request model.Request) (model.Reply, error) {
	return bounded(ctx, request.Timeout, modelOf(request), func(ctx context.Context) (model.Reply, error) {
		return p.Chat(ctx, request)
	})
}

// provideHere is provide where nothing can be cancelled, without what a function value costs.
func provideHere(ctx context.Context, p model.Provider, request model.Request) (reply model.Reply, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &runtime.PanicError{Where: modelOf(request), Value: value, Stack: debug.Stack()}
		}
	}()

	return p.Chat(ctx, request)
}

func modelOf(request model.Request) string { return "the model of agent " + request.Agent }

// streaming is a provider in one call that is observed: what the model writes is reported while it is written. What comes when the call
// is over, or the run has been cancelled, is dropped: a provider that continues by itself must not speak in between what follows.
type streaming struct {
	streamer       model.Streamer
	run            *run
	agent, address string

	mu   sync.Mutex
	over bool
}

func (f *Effects) streaming(s model.Streamer, agent string) *streaming {
	return &streaming{streamer: s, run: f.run, agent: agent, address: f.Address()}
}

// Chat implements Provider.
func (s *streaming) Chat(ctx context.Context, request model.Request) (model.Reply, error) {
	return s.streamer.Stream(ctx, request, func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if text != "" && !s.over && ctx.Err() == nil {
			s.run.noteDelta(s.agent, s.address, text)
		}
	})
}

// end is called when the call is over.
func (s *streaming) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

// noteDelta notifies the observer of a piece of what a model writes. It has no number, and no journal has it.
func (r *run) noteDelta(agent, address, text string) {
	e := event.Event{
		Kind: event.Delta, Run: r.id, Address: address, Time: r.engine.config.Clock.Now(), Agent: agent, Text: text,
	}
	r.watch.Lock()
	defer r.watch.Unlock()
	r.notify(e)
}
