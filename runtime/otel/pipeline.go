package otel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
)

// scope is by which name the spans and metrics of this package are known.
const scope = "github.com/agentc-dev/agentc/runtime/otel"

// patience is how long the end of a process may take for what was not sent yet.
var patience = 5 * time.Second

// pipeline takes what all runs of a process report to the collector.
type pipeline struct {
	settings settings
	tracer   trace.Tracer
	metrics  *metrics
	spans    ledger
	readings ledger

	// shutdowns send what is left of what is reported to tracer and metrics; there are none if nothing is sent.
	shutdowns []func(context.Context) error
}

// newPipeline makes ready what the variables ask for.
func newPipeline(service string) *pipeline {
	p := &pipeline{settings: readSettings()}
	p.tracer = tracenoop.NewTracerProvider().Tracer(scope)
	ctx := context.Background()
	about := aboutService(ctx, service)
	if protocol := p.settings.traces; protocol != "" {
		exporter, err := newSpanExporter(ctx, protocol)
		p.addProblem(err)
		if err == nil {
			queue := sdktrace.NewBatchSpanProcessor(spans{exporter, &p.spans})
			traces := sdktrace.NewTracerProvider(sdktrace.WithResource(about), sdktrace.WithIDGenerator(ids{}),
				sdktrace.WithSpanProcessor(counted{queue, &p.spans}))
			p.shutdowns, p.tracer = append(p.shutdowns, traces.Shutdown), traces.Tracer(scope)
		}
	}
	meters := metric.MeterProvider(metricnoop.NewMeterProvider())
	if protocol := p.settings.metrics; protocol != "" {
		exporter, err := newMetricExporter(ctx, protocol)
		p.addProblem(err)
		if err == nil {
			reader := sdkmetric.NewPeriodicReader(readings{exporter, &p.readings})
			sending := sdkmetric.NewMeterProvider(sdkmetric.WithResource(about), sdkmetric.WithReader(reader))
			p.shutdowns, meters = append(p.shutdowns, sending.Shutdown), sending
		}
	}
	p.metrics = newMetrics(meters.Meter(scope))

	return p
}

// aboutService is what each span and metric is marked with: the name of the program, and what the variables say. What could reveal the
// machine or of arguments, such as a task, is not among it.
func aboutService(ctx context.Context, service string) *resource.Resource {
	known := []attribute.KeyValue{attribute.String("service.name", service)}
	if info, ok := debug.ReadBuildInfo(); ok && serviceVersion(info) != "" {
		known = append(known, attribute.String("service.version", serviceVersion(info)))
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(known...), resource.WithFromEnv())
	if about == nil || err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return resource.NewSchemaless(known...)
	}

	return about
}

// serviceVersion is the version of the main module, without one the revision that it was built from; "" if neither is known.
func serviceVersion(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}

	return ""
}

func (p *pipeline) addProblem(err error) {
	if err != nil {
		p.settings.problems = append(p.settings.problems, err.Error())
	}
}

// isEnabled reports whether anything is sent.
func (p *pipeline) isEnabled() bool { return len(p.shutdowns) > 0 }

// flushAndClose sends the remaining data, as long as ctx lasts.
func (p *pipeline) flushAndClose(ctx context.Context) {
	var wait sync.WaitGroup
	for _, shutdown := range p.shutdowns {
		wait.Go(func() { _ = shutdown(ctx) }) // what has not arrived is in the ledgers
	}
	wait.Wait()
}

// printProblems prints which settings were not understood, and what has not arrived.
func (p *pipeline) printProblems(w io.Writer) {
	for _, problem := range p.settings.problems {
		fmt.Fprintf(w, "telemetry: %s\n", problem)
	}
	tellLost(w, "spans", &p.spans)
	tellLost(w, "reports of metrics", &p.readings)
}

// mostReason bounds, in bytes, what an error that a server may have written says on a terminal.
const mostReason = 300

func tellLost(w io.Writer, what string, l *ledger) {
	given, sent := l.given.Load(), l.sent.Load()
	if given == sent {
		return
	}
	reason := "the collector did not take them in time"
	if err := l.err.Load(); err != nil {
		reason = remote.Clean((*err).Error(), mostReason)
	}
	fmt.Fprintf(w, "telemetry: %d of %d %s did not arrive: %s\n", given-sent, given, what, reason)
}
