package temporal_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// short are options of runs that go on in a new execution after every few effects.
func brief(input string) temporal.StartOptions {
	return temporal.StartOptions{Input: input, Longest: 40}
}

// listener hears signals between its tools until it has as many as its input says, and finishes with their values.
func listener() *runtime.Program {
	rules := []runtime.SignalRule{{On: runtime.SignalUserMessage, Do: runtime.AnswerFire, Key: "heard"}}
	hear := func(fx runtime.Effects) (*runtime.Ruling, error) {
		verdict, err := fx.Guard(runtime.GuardCall{
			Machine: "m", State: "s", Name: runtime.SignalGuard, Signals: &runtime.SignalQuestion{Rules: rules},
			Run: func(context.Context) (runtime.Verdict, error) { return runtime.Verdict{}, nil },
		})

		return verdict.Signal, err
	}

	return solo("listener", "1e1e1e1e1e1e1e1e", []runtime.ToolInfo{counted}, func(fx runtime.Effects, input string) (runtime.Finish, error) {
		most, err := strconv.Atoi(input)
		if err != nil {
			return runtime.Finish{}, err
		}
		if door, ok := fx.(runtime.SignalDoor); ok {
			defer door.Listen("m", "s", rules)()
		}
		var heard []string
		for tries := 0; len(heard) < most && tries < 150; tries++ {
			if _, err := fx.Tool(calling(counted)); err != nil {
				return runtime.Finish{}, err
			}
			for {
				ruling, err := hear(fx)
				if err != nil {
					return runtime.Finish{}, err
				}
				if ruling == nil {
					break
				}
				heard = append(heard, ruling.Signal.Value)
			}
		}

		return runtime.Finish{Key: "done", Value: strings.Join(heard, " ")}, nil
	})
}

// TestSignalsWhileItGoesOn: a signal is heard once and in its turn, also when the run goes on in a new execution at that moment.
func TestSignalsWhileItGoesOn(t *testing.T) {
	const runs, signals = 10, 25
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	p, o := listener(), quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c, p, o) }()
	var all sync.WaitGroup
	for range runs {
		run, err := temporal.Start(ctx, c, p, o, brief(strconv.Itoa(signals)))
		if err != nil {
			t.Fatal(err)
		}
		first := run.GetRunID()
		all.Go(func() {
			var want []string
			for i := range signals {
				want = append(want, strconv.Itoa(i))
				if err := c.SignalWorkflow(ctx, run.GetID(), "", temporal.SignalName,
					runtime.Signal{Kind: runtime.SignalUserMessage, Value: want[i]}); err != nil {
					t.Error(err)
				}
				time.Sleep(rand.N(100 * time.Millisecond))
			}
			fin, err := temporal.Result(ctx, run)
			if err != nil || fin.Value != strings.Join(want, " ") {
				t.Errorf("it heard %q, %v", fin.Value, err)
			}
			wentOn(ctx, t, c, run.GetID(), first)
		})
	}
	all.Wait()
}

// wentOn holds that a run has gone on in other executions than its first.
func wentOn(ctx context.Context, t *testing.T, c client.Client, run, first string) {
	t.Helper()
	described, err := c.DescribeWorkflowExecution(ctx, run, "")
	if err != nil || described.WorkflowExecutionInfo.Execution.RunId == first {
		t.Errorf("run %s had one execution, %v", run, err)
	}
}

// patient uses a tool again and again.
func patient() *runtime.Program {
	return solo("patient", "9a9a9a9a9a9a9a9a", []runtime.ToolInfo{counted}, func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for i := range 150 {
			if _, err := fx.Tool(calling(counted)); err != nil {
				return runtime.Finish{}, err
			}
			if i%10 == 0 {
				if err := fx.Sleep(10 * time.Millisecond); err != nil {
					return runtime.Finish{}, err
				}
			}
		}

		return runtime.Finish{Key: "done"}, nil
	})
}

// TestCancelledWhileItGoesOn: a run that is cancelled while it goes on in a new execution is cancelled.
func TestCancelledWhileItGoesOn(t *testing.T) {
	const runs = 60
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	p, o := patient(), quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c, p, o) }()
	var all sync.WaitGroup
	for i := range runs {
		run, err := temporal.Start(ctx, c, p, o, brief("x"))
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			time.Sleep(time.Duration(i) * 40 * time.Millisecond)
			if err := cancelled(ctx, c, run); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
