package serve_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// waiting is a program that asks with a limit, and counts how often it goes on behind that.
func waiting(limit time.Duration, isTimer bool, wentOn *atomic.Int32) *compiled.Program {
	run := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		answer, err := fx.Ask(runtime.Question{ID: "approve", Agent: "waits", Prompt: "Well?", Timeout: limit, IsTimer: isTimer})
		var late *runtime.TimeoutError
		if err != nil && !errors.As(err, &late) {
			return runtime.Finish{}, err
		}
		wentOn.Add(1)
		if err != nil {
			return runtime.Finish{Key: "done", Value: "late"}, nil
		}

		return runtime.Finish{Key: "done", Value: "answer " + answer.Value}, nil
	}

	return &compiled.Program{Name: "desk", Entry: "waits", Shape: "s1", Text: "t1", Agents: []compiled.Agent{
		{Name: "waits", Description: "It waits.", Pattern: "oneshot", Run: run, Questions: []string{"approve"}},
	}}
}

// watch has a server look through its store until the test ends.
func watch(t *testing.T, c *visitor) {
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { c.server.Watch(ctx) })
	t.Cleanup(func() {
		stop()
		watching.Wait()
	})
}

// A run whose time has come is woken by one of two servers, and the time is shown before.
func TestDueRunIsWokenOnce(t *testing.T) {
	for isTimer, want := range map[bool]string{false: "late", true: "answer "} {
		var wentOn atomic.Int32
		p, store := waiting(300*time.Millisecond, isTimer, &wentOn), journal.Memory()
		c := servedProgram(t, newDesk(), p, serve.Options{Store: store, Rescan: time.Millisecond})
		other := servedProgram(t, newDesk(), p, serve.Options{Store: store, Rescan: time.Millisecond})
		run := c.start("waits", "x")
		shown := c.wait(run, client.Paused)
		question := shown["questions"].([]any)[0].(map[string]any)
		if due, err := time.Parse(time.RFC3339, question["due"].(string)); err != nil || time.Until(due) > 300*time.Millisecond {
			t.Errorf("the question is %v", question)
		}
		if isShown, _ := question["timer"].(bool); isShown != isTimer {
			t.Errorf("timer is %v, want %v", question["timer"], isTimer)
		}
		watch(t, c)
		watch(t, other)
		result := c.wait(run, client.Done)["result"].(map[string]any)
		if result["value"] != want || wentOn.Load() != 1 {
			t.Errorf("it ends with %v, and went on %d times", result, wentOn.Load())
		}
	}
}

// A run that was answered in time is not woken for its timeout, and one whose time has not come is
// left alone.
func TestRunThatIsNotDue(t *testing.T) {
	var wentOn atomic.Int32
	c := servedProgram(t, newDesk(), waiting(time.Hour, false, &wentOn), serve.Options{Rescan: time.Millisecond})
	run := c.start("waits", "x")
	c.wait(run, client.Paused)
	watch(t, c)
	time.Sleep(100 * time.Millisecond)
	if shown := c.wait(run, client.Paused); wentOn.Load() != 0 {
		t.Errorf("it went on an hour too early: %v", shown)
	}
	c.want(200, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	result := c.wait(run, client.Done)["result"].(map[string]any)
	if result["value"] != "answer yes" || wentOn.Load() != 1 {
		t.Errorf("it ends with %v, and went on %d times", result, wentOn.Load())
	}
}
