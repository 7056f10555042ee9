package runtime

import "context"

// CallInfo says which effect a user's method runs in.
type CallInfo struct {
	// Run is the run's id, Address the effect's dot path.
	Run, Address string
	// Traceparent is the effect in a distributed trace, as the W3C header of that name has it, for whoever asks another system; "" where
	// nobody traces.
	Traceparent string
}

// IdempotencyKey is the same for every attempt of one effect, and no other effect has it.
func (c CallInfo) IdempotencyKey() string { return c.Run + "/" + c.Address }

type callKey struct{}

// WithCall returns a context from which [CallFromContext] reads info. Engines call it.
func WithCall(ctx context.Context, info func() CallInfo) context.Context {
	return context.WithValue(ctx, callKey{}, info)
}

// CallFromContext tells a method of Tools, Guards or Funcs in which run and at which address it is called; ok is false
// outside of one.
func CallFromContext(ctx context.Context) (info CallInfo, ok bool) {
	lazy, ok := ctx.Value(callKey{}).(func() CallInfo)
	if !ok {
		return CallInfo{}, false
	}

	return lazy(), true
}
