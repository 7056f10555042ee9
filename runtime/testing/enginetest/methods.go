package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// allMethods drives each of the nine once, and looks at what it gives back.
func allMethods(t T, make Make) {
	observed := &log{}
	s := Setup{Script: `{"main":[{"say":"hello"}]}`, Observer: observed, Ask: answerYes}
	where := &probe{}
	mustRunBody(t, make, s, func(fx runtime.Effects) error {
		reply, err := fx.Model(newRequest(0))
		check(t, err == nil && reply.Text == "hello", "Model: %+v, %v", reply, err)
		result, err := fx.Tool(newToolCall(func(ctx context.Context) (runtime.ToolResult, error) {
			return runtime.ToolResult{Text: `{"at":"` + where.recordCall(ctx) + `"}`, JSON: true}, nil
		}))
		check(t, err == nil && result == runtime.ToolResult{Text: `{"at":"2"}`, JSON: true}, "Tool: %+v, %v", result, err)
		value, err := fx.Call(funcCall(func(ctx context.Context) (json.RawMessage, error) {
			return json.RawMessage(`"` + where.recordCall(ctx) + `"`), nil
		}))
		check(t, err == nil && string(value.Value) == `"3"`, "Call: %s, %v", value.Value, err)
		verdict, err := fx.Guard(guardCall(func(ctx context.Context) runtime.Verdict {
			return runtime.Verdict{Reason: where.recordCall(ctx)}
		}))
		check(t, err == nil && verdict == runtime.Verdict{Reason: "4"}, "Guard: %+v, %v", verdict, err)
		answer, err := fx.Ask(question)
		check(t, err == nil && answer.Value == "yes", "Ask: %+v, %v", answer, err)
		before := fx.Now()
		check(t, fx.Sleep(time.Microsecond) == nil, "Sleep fails")
		after := fx.Now()
		check(t, after.Sub(before) >= time.Microsecond, "Sleep: from %v to %v", before, after)
		fx.Note(event.Event{Kind: event.Repair, Agent: "main", Problem: "none"})
		ran := 0
		err = fx.Parallel(1, 0, func(i int, inner runtime.Effects) error {
			ran += 1 + i
			_, err := where.callTool(inner)

			return err
		})
		check(t, err == nil && ran == 1, "Parallel: ran %d, %v", ran, err)

		return nil
	})
	want := []string{"2", "3", "4", "9.0.1"}
	check(t, slices.Equal(where.sortedAddresses(), want), "addresses: got %q, want %q", where.sortedAddresses(), want)
	check(t, len(observed.eventsOf(event.Repair)) == 1, "Note: the observer received %+v", observed.events)
}

// methodErrors: an error of each method comes back as what it is, and the run goes on.
func methodErrors(t T, make Make) {
	broken := errors.New("broken")
	s := Setup{
		Script: `{"main":[{"error":{"status":400,"message":"too long"}}]}`,
		Ask:    func(context.Context, runtime.Question) (runtime.Answer, error) { return runtime.Answer{}, broken },
	}
	err := runBody(make, s, func(fx runtime.Effects) error {
		_, err := fx.Model(newRequest(0))
		var failed *model.Error
		check(t, errors.As(err, &failed) && failed.Status == 400 && failed.Message == "too long", "Model: %v", err)
		result, err := fx.Tool(newToolCall(func(context.Context) (runtime.ToolResult, error) { return runtime.ToolResult{}, broken }))
		check(t, err == nil && result.Problem == "broken", "Tool: %+v, %v", result, err)
		_, err = fx.Tool(newToolCall(func(context.Context) (runtime.ToolResult, error) {
			return runtime.ToolResult{}, runtime.ErrNotImplemented
		}))
		check(t, errors.Is(err, runtime.ErrNotImplemented), "a tool that is not implemented: %v", err)
		_, err = fx.Call(funcCall(func(context.Context) (json.RawMessage, error) { return nil, broken }))
		check(t, errors.Is(err, broken), "Call: %v", err)
		verdict, err := fx.Guard(guardCall(func(context.Context) runtime.Verdict { return runtime.Verdict{Reason: "no"} }))
		check(t, err == nil && !verdict.OK && verdict.Reason == "no", "Guard: %+v, %v", verdict, err)
		_, err = fx.Ask(question)
		check(t, errors.Is(err, broken), "Ask: %v", err)
		err = fx.Parallel(1, 1, func(int, runtime.Effects) error { return broken })
		check(t, errors.Is(err, broken), "Parallel: %v", err)

		return broken
	})
	check(t, errors.Is(err, broken), "the run: %v", err)
}

// retriesAreNoEffects: a call that is repeated has the address of one.
func retriesAreNoEffects(t T, make Make) {
	observed := &log{}
	s := Setup{Script: `{"main":[{"error":{"status":503}},{"error":{"status":429}},{"say":"at last"}]}`, Observer: observed}
	where := &probe{}
	mustRunBody(t, make, s, func(fx runtime.Effects) error {
		reply, err := fx.Model(newRequest(0))
		check(t, err == nil && reply.Text == "at last", "Model: %+v, %v", reply, err)
		_, err = where.callTool(fx)

		return err
	})
	check(t, slices.Equal(where.sortedAddresses(), []string{"2"}), "the next effect is at %q", where.sortedAddresses())
	retries := observed.eventsOf(event.Retry)
	check(t, len(retries) == 2 && retries[0].Count == 1 && retries[1].Count == 2 && retries[1].Address == "1", "retries: %+v", retries)
}

// backoffIsOneEffect: a wait before another attempt is an effect, and a retry event of the one before.
func backoffIsOneEffect(t T, make Make) {
	observed, where := &log{}, &probe{}
	mustRunBody(t, make, Setup{Observer: observed}, func(fx runtime.Effects) error {
		if _, err := where.callTool(fx); err != nil {
			return err
		}
		err := fx.Backoff("main", 1, errors.New("busy"), model.Retry{First: time.Microsecond})
		check(t, err == nil, "Backoff: %v", err)
		_, err = where.callTool(fx)

		return err
	})
	check(t, slices.Equal(where.sortedAddresses(), []string{"1", "3"}), "the tools are at %q", where.sortedAddresses())
	retries := observed.eventsOf(event.Retry)
	isOne := len(retries) == 1 && retries[0].Agent == "main" && retries[0].Count == 1 && retries[0].Problem == "busy"
	check(t, isOne && retries[0].Address == "1" && retries[0].Wait <= time.Microsecond, "retries: %+v", retries)
}

// notesAreNoEffects: a note changes neither addresses nor anything else.
func notesAreNoEffects(t T, make Make) {
	observed, where := &log{}, &probe{}
	mustRunBody(t, make, Setup{Observer: observed}, func(fx runtime.Effects) error {
		for range 3 {
			fx.Note(event.Event{Kind: event.Enter, Machine: "m", State: "s", Visit: 1})
		}
		_, err := where.callTool(fx)
		fx.Note(event.Event{Kind: event.Enter, Machine: "m", State: "s", Visit: 2})

		return err
	})
	check(t, slices.Equal(where.sortedAddresses(), []string{"1"}), "the tool is at %q", where.sortedAddresses())
	entered := observed.eventsOf(event.Enter)
	check(t, len(entered) == 4 && entered[2].Address == "" && entered[3].Address == "1", "notes: %+v", entered)
}

// events: they are gapless, of one run, begin with run and end with end; the run's error is
// reported once.
func events(t T, make Make) {
	broken := errors.New("broken")
	observed := &log{}
	err := runBody(make, Setup{Observer: observed}, func(fx runtime.Effects) error {
		return fx.Parallel(20, 0, func(_ int, fx runtime.Effects) error {
			fx.Note(event.Event{Kind: event.Enter, Machine: "m", State: "s", Visit: 1})

			return broken
		})
	})
	check(t, errors.Is(err, broken), "the run: %v", err)

	all := observed.events
	if len(all) < 22 {
		t.Fatalf("only %d events", len(all))
	}
	for i, e := range all {
		check(t, e.Seq == i+1 && e.Run == all[0].Run && e.Run != "" && !e.Time.IsZero(), "event %d: %+v", i, e)
	}
	first, last := all[0], all[len(all)-1]
	check(t, first.Kind == event.Run && first.Name == "suite" && first.Value == "input", "first: %+v", first)
	check(t, last.Kind == event.End && last.Status == "failed" && last.Count == 20, "last: %+v", last)
	check(t, len(observed.eventsOf(event.Error)) == 1, "errors: %+v", observed.eventsOf(event.Error))
}

func check(t T, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Errorf(format, args...)
	}
}
