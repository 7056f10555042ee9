package otel

import (
	"context"
	"sync/atomic"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// ledger counts what was to be sent and what was.
type ledger struct {
	given, sent atomic.Int64
	// err is the newest reason for which something was not.
	err atomic.Pointer[error]
}

func (l *ledger) countExport(n int, err error) {
	if err != nil {
		l.err.Store(&err)
		return
	}
	l.sent.Add(int64(n))
}

// spans sends spans and keeps account: an error is no matter of the SDK, which would print it in the middle of a run.
type spans struct {
	sdktrace.SpanExporter
	*ledger
}

// ExportSpans implements sdktrace.SpanExporter.
func (s spans) ExportSpans(ctx context.Context, batch []sdktrace.ReadOnlySpan) error {
	s.countExport(len(batch), s.SpanExporter.ExportSpans(ctx, batch))

	return nil
}

// counted counts the spans that end, as some of them may find the queue full.
type counted struct {
	sdktrace.SpanProcessor
	*ledger
}

// OnEnd implements sdktrace.SpanProcessor.
func (c counted) OnEnd(s sdktrace.ReadOnlySpan) {
	if s.SpanContext().IsSampled() {
		c.given.Add(1)
	}
	c.SpanProcessor.OnEnd(s)
}

// readings sends metrics and keeps account.
type readings struct {
	sdkmetric.Exporter
	*ledger
}

// Export implements sdkmetric.Exporter.
func (r readings) Export(ctx context.Context, data *metricdata.ResourceMetrics) error {
	r.given.Add(1)
	r.countExport(1, r.Exporter.Export(ctx, data))

	return nil
}

// newSpanExporter connects to nothing yet.
func newSpanExporter(ctx context.Context, protocol string) (sdktrace.SpanExporter, error) {
	if protocol == protocolGRPC {
		return otlptracegrpc.New(ctx)
	}

	return otlptracehttp.New(ctx)
}

// newMetricExporter connects to nothing yet.
func newMetricExporter(ctx context.Context, protocol string) (sdkmetric.Exporter, error) {
	if protocol == protocolGRPC {
		return otlpmetricgrpc.New(ctx)
	}

	return otlpmetrichttp.New(ctx)
}
