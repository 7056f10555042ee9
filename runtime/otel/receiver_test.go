package otel_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// receiver is a collector on loopback, which keeps all that it gets.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	spans    []*tracepb.Span
	services []string
	metrics  []*metricspb.Metric
	// raw is everything that came over the wire, headers included.
	raw bytes.Buffer
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(r.take))
	t.Cleanup(r.Close)

	return r
}

func (r *receiver) take(w http.ResponseWriter, q *http.Request) {
	body, err := bodyOf(q)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)

		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.raw, "%v\n%s\n", q.Header, body)
	switch q.URL.Path {
	case "/v1/traces":
		var in coltrace.ExportTraceServiceRequest
		err = proto.Unmarshal(body, &in)
		r.takeSpans(in.ResourceSpans)
	case "/v1/metrics":
		var in colmetrics.ExportMetricsServiceRequest
		err = proto.Unmarshal(body, &in)
		r.takeMetrics(in.ResourceMetrics)
	default:
		err = fmt.Errorf("no such path: %s", q.URL.Path)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)

		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func bodyOf(q *http.Request) ([]byte, error) {
	if q.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(q.Body)
	}
	unzipped, err := gzip.NewReader(q.Body)
	if err != nil {
		return nil, err
	}

	return io.ReadAll(unzipped)
}

// takeSpans keeps spans. The caller has the lock, as that of takeMetrics.
func (r *receiver) takeSpans(all []*tracepb.ResourceSpans) {
	for _, resource := range all {
		r.services = append(r.services, attributeOf(resource.Resource.Attributes, "service.name"))
		for _, scope := range resource.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
}

func (r *receiver) takeMetrics(all []*metricspb.ResourceMetrics) {
	for _, resource := range all {
		for _, scope := range resource.ScopeMetrics {
			r.metrics = append(r.metrics, scope.Metrics...)
		}
	}
}

// span is the only span of a name.
func (r *receiver) span(t *testing.T, name string) *tracepb.Span {
	t.Helper()
	found := r.named(name)
	if len(found) != 1 {
		t.Fatalf("%d spans are called %q:\n%s", len(found), name, r.tree())
	}

	return found[0]
}

// named are the spans of a name, those of effects in the order of the program.
func (r *receiver) named(name string) (found []*tracepb.Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.spans {
		if s.Name == name {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b *tracepb.Span) int { return slices.Compare(place(a), place(b)) })

	return found
}

// tree is the trace as text: a span a line, below the one that it is in, with its events and what was wrong. It tells of spans whose
// parents did not arrive, and of ids that two spans have.
func (r *receiver) tree() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	children, known := map[string][]*tracepb.Span{}, map[string]bool{}
	var b strings.Builder
	for _, s := range r.spans {
		if known[string(s.SpanId)] {
			fmt.Fprintf(&b, "TWICE %s\n", s.Name)
		}
		known[string(s.SpanId)] = true
		children[string(s.ParentSpanId)] = append(children[string(s.ParentSpanId)], s)
	}
	var first func(s *tracepb.Span) []int
	first = func(s *tracepb.Span) []int {
		at := place(s)
		for _, child := range children[string(s.SpanId)] {
			if c := first(child); at == nil || c != nil && slices.Compare(c, at) < 0 {
				at = c
			}
		}

		return at
	}
	var write func(parent, indent string)
	write = func(parent, indent string) {
		spans := children[parent]
		sort.SliceStable(spans, func(i, j int) bool { return slices.Compare(first(spans[i]), first(spans[j])) < 0 })
		for _, s := range spans {
			fmt.Fprintf(&b, "%s%s%s\n", indent, s.Name, about(s))
			write(string(s.SpanId), indent+"  ")
		}
	}
	write("", "")
	for parent := range children {
		if parent != "" && !known[parent] {
			fmt.Fprintf(&b, "WITHOUT ITS PARENT %s\n", hex.EncodeToString([]byte(parent)))
			write(parent, "  ")
		}
	}

	return b.String()
}

// place is where the effect of a span stands in the run; nil for an agent's.
func place(s *tracepb.Span) (at []int) {
	for _, number := range strings.FieldsFunc(attributeOf(s.Attributes, "agentc.effect.address"), func(r rune) bool { return r == '.' }) {
		n, _ := strconv.Atoi(number)
		at = append(at, n)
	}

	return at
}

// about is what a line of a tree says of a span beside its name.
func about(s *tracepb.Span) string {
	var b strings.Builder
	if s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR {
		fmt.Fprintf(&b, " ERROR %s", attributeOf(s.Attributes, "error.type"))
	}
	if len(s.Links) > 0 {
		b.WriteString(" LINKED")
	}
	for _, e := range s.Events {
		fmt.Fprintf(&b, " [%s", strings.TrimPrefix(e.Name, "agentc."))
		for _, name := range []string{"agentc.machine.state", "agentc.transition.to", "gen_ai.tool.name"} {
			if value := attributeOf(e.Attributes, name); value != "" {
				b.WriteString(" " + value)
			}
		}
		b.WriteString("]")
	}

	return b.String()
}

// attributeOf is an attribute as text; "" if it is not there.
func attributeOf(all []*common.KeyValue, name string) string {
	for _, a := range all {
		if a.Key == name {
			return valueOf(a.Value)
		}
	}

	return ""
}

func valueOf(v *common.AnyValue) string {
	switch v := v.Value.(type) {
	case *common.AnyValue_StringValue:
		return v.StringValue
	case *common.AnyValue_ArrayValue:
		var all []string
		for _, one := range v.ArrayValue.Values {
			all = append(all, valueOf(one))
		}

		return strings.Join(all, ",")
	case *common.AnyValue_IntValue:
		return fmt.Sprint(v.IntValue)
	case *common.AnyValue_DoubleValue:
		return fmt.Sprint(v.DoubleValue)
	}

	return fmt.Sprint(v)
}

// metric is the newest reading of a metric.
func (r *receiver) metric(t *testing.T, name string) *metricspb.Metric {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.metrics) - 1; i >= 0; i-- {
		if r.metrics[i].Name == name {
			return r.metrics[i]
		}
	}
	t.Fatalf("there is no metric %q", name)

	return nil
}

// wire is everything that was sent.
func (r *receiver) wire() string {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.raw.String()
}
