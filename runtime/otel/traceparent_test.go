package otel_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

const (
	caller   = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	callerID = "0af7651916cd43dd8448eb211c80319c"
	somebody = "00-11111111111111111111111111111111-2222222222222222-01"
)

// asked keeps what models and tools learn of the trace.
type asked struct {
	mu      sync.Mutex
	headers map[string]string
}

func (a *asked) see(ctx context.Context, what string) {
	info, _ := runtime.CallFromContext(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.headers == nil {
		a.headers = map[string]string{}
	}
	a.headers[what+" "+info.Address] = info.Traceparent
}

func (a *asked) chat(ctx context.Context, r model.Request) (model.Reply, error) {
	a.see(ctx, "chat")

	return llm(ctx, r)
}

// TestTraceparent: a run lies in the trace of whoever has started it, and models and tools learn of their spans there.
func TestTraceparent(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	var a asked
	looking = func(ctx context.Context, args json.RawMessage) { a.see(ctx, "tool") }
	t.Cleanup(func() { looking = nil })
	ctx := runtime.WithTraceparent(context.Background(), caller)
	store := journal.Memory()
	config := core.Config{Model: model.ProviderFunc(a.chat), Store: store, RunID: func() string { return "r1" }}
	if _, err := core.New(config).Run(ctx, desk(), "", "x"); core.Questions(err) == nil {
		t.Fatal(err)
	}
	closed()
	root := r.span(t, "invoke_agent desk")
	if hex.EncodeToString(root.TraceId) != callerID || hex.EncodeToString(root.ParentSpanId) != "b7ad6b7169203331" {
		t.Errorf("the run's span is %v", root)
	}
	found := 0
	for _, s := range r.spans {
		address := attributeOf(s.Attributes, "agentc.effect.address")
		for _, what := range []string{"chat", "tool"} {
			if got, asked := a.headers[what+" "+address]; asked {
				found++
				if want := "00-" + callerID + "-" + hex.EncodeToString(s.SpanId) + "-01"; got != want {
					t.Errorf("%s at %s learns of %q, its span is %s", what, address, got, want)
				}
			}
		}
	}
	if found != 7 || found != len(a.headers) {
		t.Errorf("%d spans for %v", found, a.headers)
	}

	// Whoever has a run go on is linked; the trace stays that in which the run was begun.
	config.Asker = boss{}
	ctx = runtime.WithTraceparent(context.Background(), somebody)
	if _, err := core.New(config).Resume(ctx, desk(), "r1", core.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	closed()
	again := r.named("invoke_agent desk")[1]
	if hex.EncodeToString(again.TraceId) != callerID || len(again.Links) != 2 ||
		hex.EncodeToString(again.Links[1].SpanId) != "2222222222222222" {
		t.Errorf("the process that goes on has %v", again)
	}
}

// TestTraceparentOfNobody: a header that is none begins a trace of the run's own, and so does one where traces end here.
func TestTraceparentOfNobody(t *testing.T) {
	for propagators, header := range map[string]string{"": "00-nonsense-01", "none": caller} {
		r := newReceiver(t)
		export(t, r)
		t.Setenv("OTEL_PROPAGATORS", propagators)
		var a asked
		config := core.Config{Model: model.ProviderFunc(a.chat), Asker: boss{}}
		if _, err := core.New(config).Run(runtime.WithTraceparent(context.Background(), header), desk(), "", "x"); err != nil {
			t.Fatal(err)
		}
		closed()
		root := r.span(t, "invoke_agent desk")
		if len(root.ParentSpanId) != 0 || hex.EncodeToString(root.TraceId) == callerID {
			t.Errorf("%q: the run's span is %v", propagators, root)
		}
		if got := a.headers["chat 1"]; (got == "") != (propagators == "none") {
			t.Errorf("%q: a model learns of %q", propagators, got)
		}
	}
}

// TestNotSampled: what the caller does not sample is not sent, and who is asked next is told so.
func TestNotSampled(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	t.Setenv("OTEL_METRICS_EXPORTER", "none")
	var a asked
	config := core.Config{Model: model.ProviderFunc(a.chat), Asker: boss{}}
	ctx := runtime.WithTraceparent(context.Background(), caller[:len(caller)-1]+"0")
	if _, err := core.New(config).Run(ctx, desk(), "", "x"); err != nil {
		t.Fatal(err)
	}
	if told := closed(); told != "" || r.wire() != "" {
		t.Errorf("told %q, sent %q", told, r.wire())
	}
	if got := a.headers["chat 1"]; got == "" || got[len(got)-2:] != "00" {
		t.Errorf("a model learns of %q", got)
	}
}
