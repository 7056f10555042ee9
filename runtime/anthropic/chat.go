package anthropic

import (
	"context"
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
)

// Chat answers one turn; it implements local.Provider. Errors: the cause of ctx when that is done, else *runtime.ModelError. With
// an error comes what the server said that it used.
func (m *Model) Chat(ctx context.Context, r runtime.ModelRequest) (runtime.ModelReply, error) {
	return m.Stream(ctx, r, nil)
}

// mostAttempts bounds how often a server is asked that minds one thing after the other. There are fewer things that can be left out.
const mostAttempts = 8

// Stream implements local.Streamer: it tells delta, if it is not nil, the text while the model writes it; calls and thoughts it does
// not tell. If there is an error in the end, what was told of that attempt is void.
func (m *Model) Stream(ctx context.Context, r runtime.ModelRequest, delta func(text string)) (runtime.ModelReply, error) {
	without := m.lacks.of(r.Schema)
	for attempt := 1; ; attempt++ {
		reply, err := m.ask(ctx, &r, without, delta)
		if err == nil {
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
