package sqlstoretest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// Disturb has runs of a server work while their database is disturbed, so many times. Each request is served, each run ends without a
// question to anyone, and each effect takes place once.
func (k Kind) Disturb(t *testing.T, address string, times int, disturb func()) {
	done := &counts{of: map[string]int{}}
	watched := serve.New(serve.Options{Program: onceProgram(done), Store: k.open(t, address), Rescan: 100 * time.Millisecond})
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watching.Go(func() { watched.Watch(ctx) })
	listening := httptest.NewServer(watched.Handler())
	t.Cleanup(func() {
		listening.Close()
		stop()
		watching.Wait()
	})
	s := &server{address: listening.URL}
	var runs []string
	for i := range times {
		for part := range 2 {
			run := fmt.Sprintf("run-%d-%d", i, part)
			runs = append(runs, run)
			if !s.start(run, "work") {
				t.Errorf("run %s was not started", run)
			}
		}
		time.Sleep(time.Duration(i%4) * 10 * time.Millisecond)
		disturb()
	}
	for _, run := range runs {
		if got := strings.Fields(s.wait(t, run)); len(got) != effects {
			t.Errorf("run %s has the effects %q", run, got)
		}
	}
	if len(done.of) != len(runs)*effects {
		t.Errorf("%d runs have %d effects", len(runs), len(done.of))
	}
	for key, times := range done.of {
		if times != 1 {
			t.Errorf("effect %s took place %d times", key, times)
		}
	}
}

// counts counts effects by their keys.
type counts struct {
	mu sync.Mutex
	of map[string]int
}

func (c *counts) add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[key]++
}

// onceProgram has an agent with effects of which none may take place twice: if it is not known whether one did, a person is asked.
func onceProgram(done *counts) *compiled.Program {
	spec := &runtime.ToolSpec{Name: "pay", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}
	pay := func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
		time.Sleep(20 * time.Millisecond)
		call, _ := runtime.CallFromContext(ctx)
		done.add(call.IdempotencyKey())

		return runtime.ToolResult{Text: call.IdempotencyKey()}, nil
	}
	work := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		var keys []string
		for range effects {
			result, err := fx.Tool(runtime.ToolCall{Agent: "work", ID: "1", Tool: spec, Args: json.RawMessage(`{}`), Run: pay})
			if err != nil {
				return runtime.Finish{}, err
			}
			keys = append(keys, result.Text)
		}
		return runtime.Finish{Key: "done", Value: strings.Join(keys, " ")}, nil
	}

	return &compiled.Program{Name: "payments", Entry: "work", Shape: "s1", Text: "t1", Agents: []compiled.Agent{
		{Name: "work", Pattern: "oneshot", Run: work},
	}}
}
