package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
)

// hosted runs programs on hosts that carry effects out at once, in this process.
type hosted struct {
	setup enginetest.Setup
	// every says that a host ends the run wherever it may, and goes on with it.
	every bool
}

func (h hosted) Run(ctx context.Context, p *compiled.Program, agent, input string) (runtime.Finish, error) {
	config := core.Config{Model: model.ProviderFunc(h.setup.Model), Observer: h.setup.Observer, RunID: func() string { return "hosted" }}
	bench, err := core.New(core.Config{Model: config.Model}).Bench(p)
	if err != nil {
		return runtime.Finish{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	on := core.Hosted{Program: p, Agent: agent, Input: input}
	for {
		run := &ending{}
		on.Host, on.Context = &direct{hosted: h, ctx: ctx, bench: bench}, silently{ctx, run}
		on.Cancel = func(cause error) { run.end(cause, cancel) }
		fin, left, err := core.New(config).RunOn(on)
		if !errors.Is(err, errLater) {
			return fin, err
		}
		on.Journal = left
	}
}

// errLater ends a run that goes on.
var errLater = errors.New("later")

// ending is why a run has been ended.
type ending struct{ cause atomic.Pointer[error] }

func (e *ending) end(cause error, cancel context.CancelCauseFunc) {
	if cause == nil {
		return
	}
	e.cause.CompareAndSwap(nil, &cause)
	if !errors.Is(cause, errLater) {
		cancel(cause)
	}
}

// silently is a context that nobody can wait for.
type silently struct {
	context.Context
	run *ending
}

func (s silently) Done() <-chan struct{} { return nil }
func (s silently) Value(any) any         { return nil }

func (s silently) Err() error {
	if cause := s.run.cause.Load(); cause != nil {
		return *cause
	}

	return context.Cause(s.Context)
}

// direct is a host that carries effects out itself.
type direct struct {
	hosted
	ctx   context.Context
	bench *core.Bench
}

func (d *direct) Model(
	_ context.Context, at runtime.CallInfo, r model.Request, retried func(core.Retried),
) (model.Reply, error) {
	for {
		reply, err := d.bench.Model(d.ctx, at, r)
		var failed *model.Error
		if !errors.As(err, &failed) || !failed.Retryable() {
			return reply, err
		}
		retried(core.Retried{Problem: err.Error()})
	}
}

func (d *direct) Tool(_ context.Context, at runtime.CallInfo, call runtime.ToolCall) (runtime.ToolResult, error) {
	return d.bench.Tool(d.ctx, at, call)
}

func (d *direct) Call(_ context.Context, at runtime.CallInfo, call runtime.FuncCall) (runtime.FuncResult, error) {
	return d.bench.Call(d.ctx, at, call)
}

func (d *direct) Guard(_ context.Context, at runtime.CallInfo, call runtime.GuardCall) (runtime.Verdict, error) {
	return d.bench.Guard(d.ctx, at, call)
}

func (d *direct) Ask(_ context.Context, _ runtime.CallInfo, q runtime.Question, _ func()) (runtime.Answer, error) {
	if d.setup.Ask == nil {
		return runtime.Answer{}, &runtime.PausedError{Question: q}
	}
	type reply struct {
		answer runtime.Answer
		err    error
	}
	said := make(chan reply, 1)
	go func() {
		var r reply
		defer func() {
			if value := recover(); value != nil {
				r.err = &runtime.PanicError{Where: "the person", Value: value}
			}
			said <- r
		}()
		r.answer, r.err = d.setup.Ask(d.ctx, q)
	}()
	select {
	case r := <-said:
		r.answer.Value, _ = q.Choose(r.answer.Value)

		return r.answer, r.err
	case <-d.ctx.Done():
		return runtime.Answer{}, context.Cause(d.ctx)
	}
}

func (d *direct) Sleep(_ context.Context, wait time.Duration) {
	select {
	case <-d.ctx.Done():
	case <-time.After(wait):
	}
}

func (d *direct) Alarm(after time.Duration, ring func()) (stop func()) {
	timer := time.AfterFunc(after, ring)

	return func() { timer.Stop() }
}

func (d *direct) Branches(n, limit int, branch func(int, core.Host)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(n, limit) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				branch(i, &direct{d.hosted, d.ctx, d.bench})
			}
		})
	}
	wait.Wait()
}

func (d *direct) Boundary() error {
	if d.every {
		return errLater
	}

	return nil
}

// TestHostConformance: whoever carries effects out, a run is the same.
func TestHostConformance(t *testing.T) {
	enginetest.Run(t, func(s enginetest.Setup) compiled.Engine { return hosted{setup: s} })
}

// doing is a program with effects in a row and in branches, which notes where its tool was.
func doing(done func(address string)) *compiled.Program {
	tool := &runtime.ToolSpec{Name: "do", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}
	do := func(fx runtime.Effects) error {
		_, err := fx.Tool(runtime.ToolCall{
			Agent: "main", ID: "1", Tool: tool, Args: json.RawMessage(`{}`),
			Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
				info, _ := runtime.CallFromContext(ctx)
				done(info.Address)

				return runtime.ToolResult{Text: info.Address}, nil
			},
		})

		return err
	}

	return &compiled.Program{Name: "p", Entry: "main", Agents: []compiled.Agent{{
		Name: "main", Pattern: "oneshot", Model: &model.Choice{Role: "worker"},
		Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			for range 3 {
				if err := do(fx); err != nil {
					return runtime.Finish{}, err
				}
			}
			if err := fx.Parallel(3, 0, func(_ int, fx runtime.Effects) error { return do(fx) }); err != nil {
				return runtime.Finish{}, err
			}
			if err := fx.Sleep(0); err != nil {
				return runtime.Finish{}, err
			}

			return runtime.Finish{Key: "done", Value: input}, do(fx)
		},
	}}}
}

// TestBoundaries: a run that is left before each effect that it may be left before, and gone on
// with from its journal, does everything once, and tells it once.
func TestBoundaries(t *testing.T) {
	var mu sync.Mutex
	done, told := map[string]int{}, map[string]int{}
	p := doing(func(address string) {
		mu.Lock()
		defer mu.Unlock()
		done[address]++
	})
	watch := observing(func(e event.Event) { told[fmt.Sprint(e.Kind, " ", e.Address)]++ })
	fin, err := hosted{every: true, setup: enginetest.Setup{Observer: watch}}.Run(t.Context(), p, "", "x")
	if err != nil || fin.Value != "x" {
		t.Fatalf("%+v, %v", fin, err)
	}
	if want := "map[1:1 2:1 3:1 4.0.1:1 4.1.1:1 4.2.1:1 6:1]"; fmt.Sprint(done) != want {
		t.Errorf("done: %v, want %s", done, want)
	}
	for event, times := range told {
		if times != 1 {
			t.Errorf("%s was told %d times", event, times)
		}
	}
	if told["end 6"] != 1 || told["run "] != 1 {
		t.Errorf("told: %v", told)
	}
}

type observing func(event.Event)

func (o observing) Observe(e event.Event) { o(e) }
