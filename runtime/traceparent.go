package runtime

import "context"

type traceKey struct{}

// WithTraceparent returns a context for runs that belong to a distributed trace: header has the format of the W3C
// header traceparent and is the parent of the run. Observers ignore an invalid header.
func WithTraceparent(ctx context.Context, header string) context.Context {
	if header == "" {
		return ctx
	}

	return context.WithValue(ctx, traceKey{}, header)
}

// TraceparentFrom returns the header that [WithTraceparent] set; "" if there is none.
func TraceparentFrom(ctx context.Context) string {
	header, _ := ctx.Value(traceKey{}).(string)

	return header
}
