package core

import (
	"cmp"
	"context"
	"runtime/debug"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// chat is one attempt, which is recorded. With an error comes what the attempt has used.
func (t *modelTurn) chat(m *openModel, request model.Request, attempt int) (model.Reply, error) {
	reply, err := t.reply(m, request, attempt)
	t.take(m, request, reply, err)

	return reply, err
}

// reply is what answers an attempt. A provider that panics is a *runtime.PanicError.
func (t *modelTurn) reply(m *openModel, request model.Request, attempt int) (model.Reply, error) {
	switch {
	case t.run.script != nil:
		return t.played(t.run.script, request, attempt)
	case t.host != nil && (m == nil || m.player == nil && m.replay == nil):
		return t.replyOn(request)
	case m == nil:
		return t.put(t.run.engine.config.Model, request, false)
	case m.player != nil:
		return t.played(m.player, request, attempt)
	case m.replay != nil:
		return t.replayed(m.replay, request)
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

// put is provide that knows who has answered, and that a refusal is no answer.
func (t *modelTurn) put(p model.Provider, request model.Request, plain bool) (model.Reply, error) {
	reply, err := t.provide(p, request, plain)
	reply.Model = cmp.Or(reply.Model, modelName(&request))
	if err != nil {
		return reply, err
	}
	problem := ""
	switch reply.StopReason {
	case model.ReasonRefusal:
		problem = "the model refuses"
	case model.ReasonFilter:
		problem = "a filter of the provider stopped the reply"
	default:
		return reply, nil
	}

	return reply, &model.Error{Class: model.Refused, Model: reply.Model, Agent: request.Agent, Message: problem}
}

// provide lets a provider answer, in one piece if plain is set. Like a method of the user it cannot hold a cancelled run.
func (t *modelTurn) provide(p model.Provider, request model.Request, plain bool) (model.Reply, error) {
	if s, ok := p.(model.Streamer); ok && !plain && t.run.engine.config.Observer != nil {
		told := t.streaming(s, request.Agent)
		defer told.end()
		p = told
	}
	if t.context().Done() == nil && request.Timeout == 0 {
		return provideHere(t.callContext(), p, request)
	}

	return provideWithin(t.userContext(), p, request)
}

// callContext is what a provider gets in a run that nobody can cancel: calls of a branch follow one another there, and share it.
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

// provideHere is provide where nobody can cancel, without what a function value costs.
func provideHere(ctx context.Context, p model.Provider, request model.Request) (reply model.Reply, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &runtime.PanicError{Where: modelOf(request), Value: value, Stack: debug.Stack()}
		}
	}()

	return p.Chat(ctx, request)
}

func modelOf(request model.Request) string { return "the model of agent " + request.Agent }
