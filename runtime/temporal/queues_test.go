package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// marked is a program whose tool says who has run it.
func marked(by string, calls *atomic.Int64) *compiled.Program {
	tool := ownTool{
		Spec: &runtime.ToolSpec{Name: "mark", Description: "Marks.", Input: `{"type":"object"}`, Effect: runtime.EffectRead},
		Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
			calls.Add(1)

			return runtime.ToolResult{Text: by}, nil
		},
	}

	return solo("marked", "6767676767676767", []ownTool{tool},
		func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			result, err := fx.Tool(calling(tool))

			return runtime.Finish{Key: "done", Value: result.Text}, err
		})
}

// TestToolQueue: the calls of a tool go to the workers of its queue, and the rest stays with the others.
func TestToolQueue(t *testing.T) {
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var here, there atomic.Int64
	o := quick(temporal.Files(t.TempDir()))
	o.Queue, o.ToolQueues = t.Name(), map[string]string{"mark": t.Name() + "-marks"}
	p := marked("the office", &here)
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c) }()
	near := o
	near.Queue, near.ToolQueues = t.Name()+"-marks", nil
	go func() {
		_ = work(ctx, temporal.Client{Client: c.Client, Program: marked("the branch", &there), Options: near})
	}()

	run, err := c.Start(ctx, temporal.StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fin, err := c.Result(ctx, run)
	if err != nil || fin.Value != "the branch" || here.Load() != 0 || there.Load() != 1 {
		t.Errorf("finished with %+v, %v: %d calls here, %d there", fin, err, here.Load(), there.Load())
	}
}

// TestBudgetOfTime: an effect that is under way ends when the time of its run is used up, by a timer.
func TestBudgetOfTime(t *testing.T) {
	s := serve(t)
	t.Setenv(folderVariable, t.TempDir())
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	p := doer()
	p.Budget = &runtime.Budget{Time: 2 * time.Second}
	c, run := begin(ctx, t, s, p, "x")
	_, err := c.Result(ctx, run)
	var spent *runtime.BudgetError
	if !errors.As(err, &spent) || spent.Limit != wording.LimitTime {
		t.Errorf("ended with %v", err)
	}
}
