package livetest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector is what a program sends its trace to: it decodes OTLP over HTTP, and keeps all that it
// gets.
type Collector struct {
	mu    sync.Mutex
	spans []*tracepb.Span
	raw   strings.Builder
}

// ServeHTTP implements http.Handler.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = c.receive(r, body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)

		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func (c *Collector) receive(r *http.Request, body []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(&c.raw, "%v\n%s\n", r.Header, body)
	if r.URL.Path != "/v1/traces" {
		return nil
	}
	var in coltrace.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &in); err != nil {
		return err
	}
	for _, resource := range in.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}

	return nil
}

// Spans are those that have come so far.
func (c *Collector) Spans() Spans {
	c.mu.Lock()
	defer c.mu.Unlock()

	return append(Spans(nil), c.spans...)
}

// Raw is everything that was sent, headers included.
func (c *Collector) Raw() string {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.raw.String()
}
