package runtime

import "context"

// CallInfo identifies the effect in which a method of the user is called.
type CallInfo struct {
	// Run is the id of the run, Address the dot path of the effect in it.
	Run, Address string
	// Traceparent identifies the effect in a distributed trace, in the format of the W3C header traceparent, so that
	// requests to other systems can pass it on; "" if the run is not traced.
	Traceparent string
}

// IdempotencyKey returns a key that is the same for every attempt of this effect and differs from that of any other
// effect.
func (c CallInfo) IdempotencyKey() string { return c.Run + "/" + c.Address }

type callKey struct{}

// WithCall returns a context from which [CallFromContext] reads info. Engines call it before they call a user's
// method.
func WithCall(ctx context.Context, info func() CallInfo) context.Context {
	return context.WithValue(ctx, callKey{}, info)
}

// CallFromContext returns the run and the address of the call that a method of Tools, Guards or Funcs answers. ok is
// false if ctx does not belong to such a call.
func CallFromContext(ctx context.Context) (info CallInfo, ok bool) {
	lazy, ok := ctx.Value(callKey{}).(func() CallInfo)
	if !ok {
		return CallInfo{}, false
	}

	return lazy(), true
}

// IdempotencyKey returns the key of the call that a method of Tools, Guards or Funcs answers: [CallInfo.IdempotencyKey].
// Where ctx does not belong to such a call, as in a test that calls the method itself, ok is false and there is no key:
// what is done must not be done under an empty one, which all of these calls would share.
func IdempotencyKey(ctx context.Context) (key string, ok bool) {
	info, ok := CallFromContext(ctx)
	if !ok {
		return "", false
	}

	return info.IdempotencyKey(), true
}
