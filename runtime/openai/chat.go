package openai

import (
	"context"
	"errors"

	"github.com/agentc-dev/agentc/runtime"
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
		var refused *refusal
		if !errors.As(err, &refused) {
			if err == nil {
				m.lacks.note(without, r.Schema)
			}

			return reply, m.failure(ctx, r, err)
		}
		less, ok := m.less(refused, r, delta != nil, without)
		if !ok {
			return reply, m.failure(ctx, r, err)
		}
		without = less // each is left out once, so this ends
	}
}

// failure is an error as the engine gets it.
func (m *Model) failure(ctx context.Context, r runtime.ModelRequest, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}

	e := &runtime.ModelError{Model: m.name, Agent: r.Agent}
	var refused *refusal
	if errors.As(err, &refused) {
		e.Class, e.Status, e.Message = refused.class, refused.status, refused.message
		e.RetryAfter, e.RequestID = refused.retryAfter, refused.requestID
		if e.Class == runtime.ModelAuth && m.key.variable != "" {
			e.Message += " (the key is that of " + m.key.variable + ")"
		}

		return e
	}

	var broken *brokenError
	if !errors.As(err, &broken) {
		broken = m.network(err)
	}
	e.Class, e.Message, e.RequestID = broken.class, m.key.clean(broken.message, maxMessage), broken.requestID
	if broken.err != nil && m.key.hide(broken.err.Error()) == broken.err.Error() {
		e.Err = broken.err
	}

	return e
}
