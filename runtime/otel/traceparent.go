package otel

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

const traceparentHeader = "traceparent"

// spanContext reads a header; it is not valid if the header cannot be understood.
func spanContext(header string) trace.SpanContext {
	carrier := propagation.MapCarrier{traceparentHeader: header}
	ctx := propagation.TraceContext{}.Extract(context.Background(), carrier)

	return trace.SpanContextFromContext(ctx)
}

// header writes where a span is.
func header(at trace.SpanContext) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpanContext(context.Background(), at), carrier)

	return carrier[traceparentHeader]
}
