package otel_test

import (
	"context"
	"net"
	"testing"

	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

type (
	traces struct {
		coltrace.UnimplementedTraceServiceServer
		*receiver
	}
	readings struct {
		colmetrics.UnimplementedMetricsServiceServer
		*receiver
	}
)

func (s traces) Export(_ context.Context, in *coltrace.ExportTraceServiceRequest) (*coltrace.ExportTraceServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeSpans(in.ResourceSpans)

	return &coltrace.ExportTraceServiceResponse{}, nil
}

func (s readings) Export(_ context.Context, in *colmetrics.ExportMetricsServiceRequest) (*colmetrics.ExportMetricsServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeMetrics(in.ResourceMetrics)

	return &colmetrics.ExportMetricsServiceResponse{}, nil
}

// TestGRPC: the same over gRPC.
func TestGRPC(t *testing.T) {
	r := &receiver{}
	s := grpc.NewServer()
	coltrace.RegisterTraceServiceServer(s, traces{receiver: r})
	colmetrics.RegisterMetricsServiceServer(s, readings{receiver: r})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	defer s.Stop()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+l.Addr().String())
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	if told, err := run(t, core.Config{Asker: boss{}}); err != nil || told != "" {
		t.Fatalf("%v, told %q", err, told)
	}
	if len(r.spans) != 14 {
		t.Errorf("%d spans:\n%s", len(r.spans), r.tree())
	}
	r.metric(t, "agentc.runs")
}
