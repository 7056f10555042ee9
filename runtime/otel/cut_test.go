package otel_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// hangs is a model of which a turn of the writer takes until the run is over.
func hangs(begun func()) model.Provider {
	return model.ProviderFunc(func(ctx context.Context, q model.Request) (model.Reply, error) {
		if q.Agent == "writer" && q.Turn == 2 {
			begun()
			<-ctx.Done()

			return model.Reply{}, &model.Error{Class: model.Network, Message: "it was cut off"}
		}

		return llm(ctx, q)
	})
}

// TestCutOff: a turn of a model that a cancellation or a time has cut off has a span that says so, and so has a tool.
func TestCutOff(t *testing.T) {
	for _, c := range []struct {
		name, span, want string
		run              func(ctx context.Context, cancel context.CancelCauseFunc) error
	}{
		{"cancelled turn", "chat gpt-x", "CancelledError", func(ctx context.Context, cancel context.CancelCauseFunc) error {
			config := core.Config{Model: hangs(func() { cancel(&runtime.CancelledError{Reason: "enough"}) })}
			_, err := core.New(config).Run(ctx, desk(), "", "x")

			return err
		}},
		{"turn without time", "chat gpt-x", "BudgetError", func(ctx context.Context, _ context.CancelCauseFunc) error {
			p := desk()
			p.Budget = &runtime.Budget{Time: time.Minute}
			clock := clock.NewSkip(time.Now())
			config := core.Config{Clock: clock, Model: hangs(func() { clock.Sleep(ctx, time.Hour) })}
			_, err := core.New(config).Run(ctx, p, "", "x")

			return err
		}},
		{"cancelled tool", "execute_tool look", "CancelledError", func(ctx context.Context, cancel context.CancelCauseFunc) error {
			looking = func(ctx context.Context, _ json.RawMessage) {
				cancel(&runtime.CancelledError{Reason: "enough"})
				<-ctx.Done()
			}
			defer func() { looking = nil }()
			_, err := core.New(core.Config{Model: model.ProviderFunc(llm)}).Run(ctx, desk(), "", "x")

			return err
		}},
	} {
		r := newReceiver(t)
		export(t, r)
		ctx, cancel := context.WithCancelCause(context.Background())
		if err := c.run(ctx, cancel); err == nil {
			t.Errorf("%s: the run has ended well", c.name)
		}
		cancel(nil)
		closed()
		spans := r.named(c.span)
		if len(spans) == 0 {
			t.Errorf("%s: there is no span\n%s", c.name, r.tree())

			continue
		}
		if got := attributeOf(spans[len(spans)-1].Attributes, "error.type"); got != c.want {
			t.Errorf("%s: the last span has failed with %q\n%s", c.name, got, r.tree())
		}
	}
}

// TestAttempts: the span of a turn that has failed for good says what each attempt has failed with.
func TestAttempts(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	failures := []error{
		&model.Error{Class: model.Overloaded, Message: "a text that nobody may see"},
		&model.Error{Class: model.RateLimit, Message: "another"}, &model.Error{Class: model.Auth, Message: "a third"},
	}
	asked := 0
	config := core.Config{Retry: model.Retry{Attempts: 5, First: time.Nanosecond}}
	config.Model = model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		asked++

		return model.Reply{}, failures[asked-1]
	})
	if _, err := run(t, config); !errors.Is(err, failures[2]) {
		t.Fatal(err)
	}
	chat := r.span(t, "chat gpt-x")
	var told []string
	for _, e := range chat.Events {
		attempt, failed := attributeOf(e.Attributes, "agentc.retry.attempt"), attributeOf(e.Attributes, "error.type")
		told = append(told, e.Name+" "+attempt+" "+failed)
	}
	const want = "agentc.retry 1 overloaded, agentc.retry 2 rate-limit"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("the events are %s", got)
	}
	if got := attributeOf(chat.Attributes, "agentc.model.attempts") + attributeOf(chat.Attributes, "error.type"); got != "3auth" {
		t.Errorf("the turn has %s", got)
	}
}
