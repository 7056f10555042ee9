package anthropic

import (
	"context"
	"errors"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Chat answers one turn; it implements model.Provider. Errors: the cause of ctx when that is done, else *model.Error. With
// an error comes what the server said that it used.
func (m *messagesModel) Chat(ctx context.Context, r model.Request) (model.Reply, error) {
	return m.Stream(ctx, r, nil)
}

// mostAttempts bounds how often a server is asked that minds one thing after the other. There are fewer things that can be left out.
const mostAttempts = 8

// Stream implements model.Streamer: if delta is not nil, it is called with the text while the model writes it, but
// not with calls and thoughts. If Stream returns an error, the text of that attempt is void. If a stream of a server
// other than Anthropic's was empty, the request is repeated once, for a reply in one piece; the usage of both counts.
func (m *messagesModel) Stream(ctx context.Context, r model.Request, delta func(text string)) (model.Reply, error) {
	without := m.lacks.of(r.Schema)
	without.stream = without.stream || m.plain
	var before model.Reply
	for attempt := 1; ; attempt++ {
		reply, silent, err := m.ask(ctx, &r, without, delta)
		remote.Spent(&reply, before)
		if silent && !without.stream && !m.endpoint.Address.Own { // some servers lose calls in streams
			before, without.stream = reply, true
			continue
		}
		if err == nil {
			without.stream = without.stream && !silent
			m.lacks.note(without, r.Schema)

			return reply, nil
		}
		var refused *remote.Refusal
		if errors.As(err, &refused) && attempt < mostAttempts {
			if less, ok := m.less(refused, &r, without); ok {
				without = less
				continue
			}
		}

		return reply, m.endpoint.Failure(ctx, r.Agent, err)
	}
}
