package runtime

import "context"

type traceKey struct{}

// WithTraceparent returns a context for runs that belong to a distributed trace: header is where in it, as the W3C header traceparent
// has it. What cannot be understood, whoever observes runs passes over.
func WithTraceparent(ctx context.Context, header string) context.Context {
	if header == "" {
		return ctx
	}

	return context.WithValue(ctx, traceKey{}, header)
}

// TraceparentFrom is the header of [WithTraceparent]; "" if there is none.
func TraceparentFrom(ctx context.Context) string {
	header, _ := ctx.Value(traceKey{}).(string)

	return header
}
