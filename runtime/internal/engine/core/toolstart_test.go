package core_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// slowShelf is a shelf of which the first openings wait until they are not wanted any more.
type slowShelf struct {
	shelf
	begun chan<- struct{}
	waits *int
}

func (s slowShelf) OpenTools(ctx context.Context, env func(string) (string, bool)) (compiled.BuiltinTools, func() error, error) {
	if *s.waits > 0 {
		*s.waits--
		s.note("wait")
		s.begun <- struct{}{}
		<-ctx.Done()

		return nil, nil, ctx.Err()
	}

	return s.shelf.OpenTools(ctx, env)
}

// slowCaller is a program that calls a tool whose source answers only after waits openings in vain.
func slowCaller(log *[]string, waits int) (*compiled.Program, <-chan struct{}) {
	begun := make(chan struct{}, waits)
	look := map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){"look": answers("seen")}
	p := caller(remote)
	p.Parts = []compiled.Part{shelf{name: "quick", log: log}, slowShelf{shelf{name: "slow", log: log, tools: look}, begun, &waits}}

	return p, begun
}

var errEnough = errors.New("enough")

// TestCancelledOpening: a run that is cancelled while tools are made ready ends at once, with the
// cause, and has not begun.
func TestCancelledOpening(t *testing.T) {
	var log []string
	p, begun := slowCaller(&log, 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-begun
		cancel(errEnough)
	}()
	store := journal.Memory()
	if _, err := core.New(core.Config{Env: variables{}.lookup, Store: store}).Run(ctx, p, "", ""); err != errEnough {
		t.Errorf("got %v", err)
	}
	if want := []string{"open quick", "wait slow", "close quick"}; !slices.Equal(log, want) {
		t.Errorf("it went: %q", log)
	}
	if runs, err := store.List(t.Context(), journal.Query{}); err != nil || len(runs) != 0 {
		t.Errorf("there is a journal of a run that did not begin: %v, %v", runs, err)
	}
}

// TestOverdueOpening: an effect that has no time left ends although its tools are not ready.
func TestOverdueOpening(t *testing.T) {
	var log []string
	p, _ := slowCaller(&log, 1)
	fx, err := core.New(core.Config{Env: variables{}.lookup}).Effects(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	end := fx.Limit("a", "", &runtime.Budget{Time: time.Millisecond})
	var spent *runtime.BudgetError
	if _, err := fx.Tool(runtime.ToolCall{Agent: "a", Tool: remote}); !errors.As(err, &spent) || spent.Limit != wording.LimitTime {
		t.Errorf("got %v", err)
	}
	end()
	if result, err := fx.Tool(runtime.ToolCall{Agent: "a", Tool: remote}); err != nil || result.Text != "seen" {
		t.Errorf("afterwards: %+v, %v", result, err)
	}
	if err := fx.End(); err != nil {
		t.Error(err)
	}
	want := []string{"open quick", "wait slow", "close quick", "open quick", "open slow", "close slow", "close quick"}
	if !slices.Equal(log, want) {
		t.Errorf("it went: %q", log)
	}
}

// TestOpeningOnBench: effects share what is opened, and one that is cancelled takes it from nobody,
// and waits for nobody.
func TestOpeningOnBench(t *testing.T) {
	var log []string
	p, begun := slowCaller(&log, 1)
	bench, err := core.New(core.Config{Env: variables{}.lookup}).Bench(p)
	if err != nil {
		t.Fatal(err)
	}
	look := func(ctx context.Context) (runtime.ToolResult, error) {
		return bench.Tool(ctx, runtime.CallInfo{Run: "r1", Address: "1"}, runtime.ToolCall{Agent: "a", Tool: remote})
	}
	first, cancelFirst := context.WithCancelCause(t.Context())
	second, cancelSecond := context.WithCancelCause(t.Context())
	ended := make(chan error)
	for _, ctx := range []context.Context{first, second} {
		go func() {
			_, err := look(ctx)
			ended <- err
		}()
		if ctx == first {
			<-begun
		}
	}
	cancelSecond(errEnough)
	if err := <-ended; err != errEnough {
		t.Errorf("who waits for an opening that is under way: %v", err)
	}
	cancelFirst(errEnough)
	if err := <-ended; err != errEnough {
		t.Errorf("who opens: %v", err)
	}
	if result, err := look(t.Context()); err != nil || result.Text != "seen" {
		t.Errorf("afterwards: %+v, %v", result, err)
	}
}

// TestCheckGivesToolsBack: a host that only asks what is missing leaves nothing open.
func TestCheckGivesToolsBack(t *testing.T) {
	var log []string
	p, _ := slowCaller(&log, 0)
	if err := core.New(core.Config{Env: variables{}.lookup}).Check(t.Context(), p, ""); err != nil {
		t.Fatal(err)
	}
	if want := []string{"open quick", "open slow", "close slow", "close quick"}; !slices.Equal(log, want) {
		t.Errorf("it went: %q", log)
	}
}
