package otel

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traceOf is the trace of a run that began under no other.
func traceOf(run string) (id trace.TraceID) {
	copy(id[:], hashTexts("trace", run))

	return id
}

// spanOf is the id of a span. left is how often processes had left the run before, so that what a later one does at the same place is
// another span.
func spanOf(run string, left int, place string) (id trace.SpanID) {
	copy(id[:], hashTexts("span", run, strconv.Itoa(left), place))

	return id
}

// hashTexts returns a hash of texts, each with its length, so that two different lists have
// different input.
func hashTexts(texts ...string) []byte {
	h := sha256.New()
	for _, text := range texts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		h.Write(length[:])
		h.Write([]byte(text))
	}

	return h.Sum(nil)
}

// identity is the ids that the next span gets.
type identity struct {
	trace trace.TraceID
	span  trace.SpanID
}

type identityKey struct{}

// withIdentity returns a context in which a span that begins has these ids.
func withIdentity(ctx context.Context, id identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// ids gives spans the ids of their contexts.
type ids struct{}

// NewIDs implements sdktrace.IDGenerator.
func (ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, _ := ctx.Value(identityKey{}).(identity)

	return id.trace, id.span
}

// NewSpanID implements sdktrace.IDGenerator.
func (ids) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	id, _ := ctx.Value(identityKey{}).(identity)

	return id.span
}

const traceparentHeader = "traceparent"

// spanContext reads a header; it is not valid if the header cannot be understood.
func spanContext(header string) trace.SpanContext {
	carrier := propagation.MapCarrier{traceparentHeader: header}
	ctx := propagation.TraceContext{}.Extract(context.Background(), carrier)

	return trace.SpanContextFromContext(ctx)
}

// formatTraceparent returns the traceparent header of a span.
func formatTraceparent(at trace.SpanContext) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpanContext(context.Background(), at), carrier)

	return carrier[traceparentHeader]
}
