package workflow_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// priced is the door of an engine whose model answers with 50 tokens, for 25 cents, and counts its
// turns.
func priced(t *testing.T) (runtime.Effects, *atomic.Int64) {
	t.Helper()
	turns := &atomic.Int64{}
	says := func(context.Context, model.Request) (model.Reply, error) {
		turns.Add(1)

		return model.Reply{Text: "x", Usage: model.Usage{Input: 30, Output: 20}}, nil
	}
	fx, err := core.New(core.Config{
		Model: model.ProviderFunc(says),
		Price: func(string) (pricing.Price, bool) {
			return pricing.Price{Input: 5_000_000_000, Output: 5_000_000_000}, true
		},
	}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}

	return fx, turns
}

// TestLimits: the limits of a step are looked at before each call, count all tries, and end the
// run.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		policy workflow.Policy
		turns  int64
		want   runtime.BudgetError
	}{
		{workflow.Policy{Tokens: 101}, 3, runtime.BudgetError{Limit: wording.LimitTokens, Max: 101, Spent: 150}},
		{workflow.Policy{Tokens: 100, Timeout: time.Minute}, 2, runtime.BudgetError{Limit: wording.LimitTokens, Max: 100, Spent: 100}},
		{workflow.Policy{USD: 0.9}, 4, runtime.BudgetError{Limit: wording.LimitUSD, Max: 900_000, Spent: 1_000_000}},
		{workflow.Policy{USD: 0.2, Tokens: 60}, 1, runtime.BudgetError{Limit: wording.LimitUSD, Max: 200_000, Spent: 250_000}},
	} {
		fx, turns := priced(t)
		r := start(t, fx, "{}")
		c.policy.Step, c.policy.Retries = "s", 9
		c.want.Where = `step "s" of workflow "flow"`
		_, err := r.Try(c.policy, func() (workflow.Value, error) {
			if _, err := r.Agent(&writer, workflow.Text("go")); err != nil {
				return workflow.Value{}, err
			}

			return workflow.Value{}, errFault
		})
		var spent *runtime.BudgetError
		if !errors.As(err, &spent) || *spent != c.want || turns.Load() != c.turns {
			t.Errorf("%+v: %d turns, %v", c.policy, turns.Load(), err)
		}
		// Behind the step there is no limit.
		if _, err := r.Agent(&writer, workflow.Text("go")); err != nil {
			t.Error(err)
		}
	}
}

// TestLimitsOfBranches: branches spend what the step has around them, whoever comes first.
func TestLimitsOfBranches(t *testing.T) {
	fx, turns := priced(t)
	r := &nested{Run: start(t, fx, "{}")}
	asks := func(name string) workflow.Branch[nested] {
		return workflow.Branch[nested]{Name: name, Run: func(r *nested, _ workflow.Value) (workflow.Value, error) {
			return r.Agent(&writer, workflow.Text("go"))
		}}
	}
	_, err := r.Try(workflow.Policy{Step: "s", Tokens: 100}, func() (workflow.Value, error) {
		if _, err := workflow.Fork(r, workflow.Parallel{Step: "split"}, workflow.Value{}, asks("a"), asks("b")); err != nil {
			t.Errorf("the branches: %v", err)
		}

		return r.Agent(&writer, workflow.Text("go"))
	})
	var spent *runtime.BudgetError
	if !errors.As(err, &spent) || spent.Spent != 100 || turns.Load() != 2 {
		t.Errorf("%d turns, %v", turns.Load(), err)
	}
}
