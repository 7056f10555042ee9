package openai_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestTraceparent: a server learns where in a trace it is asked, and nothing where nobody traces.
func TestTraceparent(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	m := openAs(t, "ollama", "m", s.URL, openai.Options{Env: env()})
	for i, want := range []string{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", ""} {
		ctx := runtime.WithCall(t.Context(), func() runtime.CallInfo { return runtime.CallInfo{Traceparent: want} })
		if _, err := m.Chat(ctx, hello()); err != nil {
			t.Fatal(err)
		}
		h := s.Requests()[i].Header
		if _, sent := h["Traceparent"]; h.Get("Traceparent") != want || sent != (want != "") {
			t.Errorf("%q: %v", want, h)
		}
	}
}
