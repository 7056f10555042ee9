package openai

import (
	"context"
	"errors"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Chat answers one turn; it implements model.Provider. Errors: the cause of ctx when that is done, else *model.Error. With
// an error comes what the server said that it used.
func (m *chatModel) Chat(ctx context.Context, r model.Request) (model.Reply, error) {
	return m.Stream(ctx, r, nil)
}

// Stream is Chat that also calls delta, if it is not nil, with the non-empty pieces of text that the model writes,
// but not with calls of tools. It calls delta from this goroutine only. If Stream returns an error, the text of that
// attempt is void. If a stream was empty, the server is asked once more, for a reply in one piece; the usage of both
// counts.
func (m *chatModel) Stream(ctx context.Context, r model.Request, delta func(text string)) (model.Reply, error) {
	without := m.lacks.of(r.Schema)
	var before model.Reply
	for {
		reply, silent, err := m.ask(ctx, r, without, delta)
		remote.Spent(&reply, before)
		if silent && delta != nil && !without.stream { // some servers lose calls in streams
			before, without.stream = reply, true
			continue
		}
		var refused *remote.Refusal
		if !errors.As(err, &refused) {
			if err == nil {
				without.stream = without.stream && !silent
				m.lacks.note(without, r.Schema)
			}

			return reply, m.endpoint.Failure(ctx, r.Agent, err)
		}
		less, ok := m.less(refused, r, delta != nil && !without.stream, without)
		if !ok {
			return reply, m.endpoint.Failure(ctx, r.Agent, err)
		}
		without = less // each is left out once, so this ends
	}
}
