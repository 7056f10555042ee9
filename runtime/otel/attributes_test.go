package otel_test

import (
	"runtime/debug"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/otel"
)

// attributes are those of a span, a line each, but for the address, which is another of each effect.
func attributes(s *tracepb.Span) string {
	var b strings.Builder
	b.WriteString(strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_") + "\n")
	for _, a := range s.Attributes {
		b.WriteString(a.Key + " = " + valueOf(a.Value) + "\n")
	}

	return b.String()
}

// TestAttributes: spans have the names of the GenAI conventions.
func TestAttributes(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	if _, err := run(t, core.Config{Asker: boss{}, RunID: func() string { return "r1" }}); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range []*tracepb.Span{
		r.span(t, "invoke_agent desk"), r.span(t, "invoke_agent writer"), r.named("chat gpt-x")[0], r.named("execute_tool look")[0],
		r.span(t, "ask boss"),
	} {
		b.WriteString(s.Name + ": " + attributes(s) + "\n")
	}
	compare(t, "attributes.txt", b.String())
	if len(r.services) == 0 || r.services[0] != "desk" {
		t.Errorf("the services are %q", r.services)
	}
}

// TestService: the variables count more than the program's name.
func TestService(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	t.Setenv("OTEL_SERVICE_NAME", "front desk")
	if _, err := run(t, core.Config{Asker: boss{}}); err != nil {
		t.Fatal(err)
	}
	if r.services[0] != "front desk" {
		t.Errorf("the services are %q", r.services)
	}
}

// TestServiceVersion: it is the version of the module, or the revision that was built.
func TestServiceVersion(t *testing.T) {
	revision := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123abcd"}}
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", revision, "v1.2.3"}, {"(devel)", revision, "0123abcd"}, {"", revision, "0123abcd"}, {"(devel)", nil, ""},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := otel.ServiceVersion(info); got != c.want {
			t.Errorf("%q with %v: got %q, want %q", c.version, c.settings, got, c.want)
		}
	}
}

// TestErrors: an error is told by its kind, on the span of what has failed and on those that end with it.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		err               error
		chat, agent, base string
	}{
		{&model.Error{Class: model.Auth, Status: 401}, "auth", "ModelError", "ModelError"},
		{&runtime.BudgetError{Limit: "calls"}, "BudgetError", "BudgetError", "BudgetError"},
	} {
		r := newReceiver(t)
		export(t, r)
		if _, err := run(t, core.Config{Model: failingWith(test.err)}); err == nil {
			t.Fatal("the run did not fail")
		}
		for name, want := range map[string]string{
			"chat gpt-x": test.chat, "invoke_agent writer": test.agent, "invoke_agent desk": test.base,
		} {
			s := r.span(t, name)
			if got := attributeOf(s.Attributes, "error.type"); got != want || s.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR ||
				s.Status.Message != want {
				t.Errorf("%s: %s, %v, want %s", name, got, s.Status, want)
			}
		}
	}
}
