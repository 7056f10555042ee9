package openai

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

// Stream is Chat that tells delta, if it is not nil, what the model writes while it writes, as texts that are not empty; calls of
// tools it does not tell. It is called by this goroutine only. If there is an error in the end, what was told of that attempt is
// void.
func (m *Model) Stream(ctx context.Context, r runtime.ModelRequest, delta func(text string)) (runtime.ModelReply, error) {
	without := m.lacks.of(r.Schema)
	for {
		reply, err := m.ask(ctx, r, without, delta)
		var refused *remote.Refusal
		if !errors.As(err, &refused) {
			if err == nil {
				m.lacks.note(without, r.Schema)
			}

			return reply, m.endpoint.Failure(ctx, r.Agent, err)
		}
		less, ok := m.less(refused, r, delta != nil, without)
		if !ok {
			return reply, m.endpoint.Failure(ctx, r.Agent, err)
		}
		without = less // each is left out once, so this ends
	}
}
