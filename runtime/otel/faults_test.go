package otel_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/otel"
)

// failingWith is a model that fails.
func failingWith(err error) model.Provider {
	return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{}, err
	})
}

// TestCollectors: whatever a collector does, the run ends as it does without one, and a person is told once what did not arrive.
func TestCollectors(t *testing.T) {
	otel.HurryUp(t)
	hang := make(chan struct{})
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"hangs":   {func(_ http.ResponseWriter, r *http.Request) { <-hang }, "did not arrive"},
		"is full": {status(http.StatusTooManyRequests, ""), "did not arrive"},
		"is busy": {status(http.StatusServiceUnavailable, "3600"), "did not arrive"},
		"refuses": {status(http.StatusForbidden, ""), "403"},
		"is none": {status(http.StatusNotFound, ""), "404"},
		"is wrong": {func(w http.ResponseWriter, _ *http.Request) {
			http.Redirect(w, &http.Request{}, "\x1b[2J", http.StatusFound)
		}, "did not arrive"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				c.answer(w, r)
			}))
			t.Cleanup(s.CloseClientConnections)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", s.URL)
			t.Setenv("OTEL_METRICS_EXPORTER", "none")
			told, err := run(t, core.Config{Asker: boss{}})
			if err != nil || asked.Load() == 0 {
				t.Errorf("asked %d times, %v", asked.Load(), err)
			}
			if !strings.HasPrefix(told, "telemetry: 14 of 14 spans did not arrive: ") || !strings.Contains(told, c.want) ||
				strings.Count(told, "\n") != 1 || strings.Contains(told, "\x1b") {
				t.Errorf("told %q", told)
			}
		})
	}
	close(hang)
}

func status(code int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		http.Error(w, "\x1b[2J no", code)
	}
}

// TestQueueIsBounded: what the queue cannot hold is dropped, and counted; the run does not wait.
func TestQueueIsBounded(t *testing.T) {
	otel.HurryUp(t)
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer s.CloseClientConnections()
	defer close(hang)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", s.URL)
	t.Setenv("OTEL_METRICS_EXPORTER", "none")
	t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "2")
	t.Setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
	for range 3 {
		if _, err := core.New(core.Config{Asker: boss{}, Model: model.ProviderFunc(llm)}).
			Run(context.Background(), desk(), "", "x"); err != nil {
			t.Fatal(err)
		}
	}
	if told := closed(); !strings.HasPrefix(told, "telemetry: 42 of 42 spans did not arrive: ") {
		t.Errorf("told %q", told)
	}
}

// TestNobodyAsked: without an address nothing is sent, and nothing is told.
func TestNobodyAsked(t *testing.T) {
	r := newReceiver(t)
	for name, set := range map[string]map[string]string{
		"no address": {},
		"disabled":   {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": r.URL},
		"none": {
			"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": r.URL,
		},
	} {
		for variable, value := range set {
			t.Setenv(variable, value)
		}
		told, err := run(t, core.Config{Asker: boss{}})
		if err != nil || told != "" || r.wire() != "" {
			t.Errorf("%s: %v, told %q, sent %q", name, err, told, r.wire())
		}
		for variable := range set {
			t.Setenv(variable, "")
		}
	}
}

// TestAddressWithoutScheme: an address that the exporters cannot read is reported once, with the variable and what to write, and nothing
// is sent to another address.
func TestAddressWithoutScheme(t *testing.T) {
	r := newReceiver(t)
	for _, c := range []struct{ variable, address, problem string }{
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318", "such as http://127.0.0.1:4318"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "such as http://localhost:4318"},
		{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector", "such as http://collector"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://collector:4317", ""},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://", ""},
	} {
		t.Run(c.address, func(t *testing.T) {
			t.Setenv(c.variable, c.address)
			told, err := run(t, core.Config{Asker: boss{}})
			want := fmt.Sprintf("telemetry: nothing is sent: %s is %q, and an address begins with http:// or https://", c.variable, c.address)
			if c.problem != "" {
				want += ", " + c.problem
			}
			if err != nil || told != want+"\n" || r.wire() != "" {
				t.Errorf("%v, reported %q, sent %q", err, told, r.wire())
			}
		})
	}
}

// TestSettings: a value that nobody understands is told, and the run goes on.
func TestSettings(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	t.Setenv("OTEL_TRACES_EXPORTER", "zipkin")
	t.Setenv("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "carrier pigeon")
	told, err := run(t, core.Config{Asker: boss{}})
	want := "telemetry: OTEL_TRACES_EXPORTER is \"zipkin\": it can be otlp or none\n" +
		"telemetry: OTEL_EXPORTER_OTLP_METRICS_PROTOCOL is \"carrier pigeon\": it can be http/protobuf, http/json or grpc\n"
	if err != nil || told != want || r.wire() != "" {
		t.Errorf("%v, told %q, sent %q", err, told, r.wire())
	}
}
