package core_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/model"
)

// says is a model that answers with 30 and 20 tokens.
func says(context.Context, model.Request) (model.Reply, error) {
	return model.Reply{Text: "said", Usage: model.Usage{Input: 30, Output: 20}}, nil
}

// spender is a door of an engine whose models cost a cent a turn, with a clock that stands still.
func spender(t *testing.T, c core.Config) *core.Effects {
	t.Helper()
	if c.Model == nil {
		c.Model = model.ProviderFunc(says)
	}
	if c.Clock == nil {
		c.Clock = clock.NewSkip(time.Unix(0, 0))
	}
	c.Price = func(string) (pricing.Price, bool) {
		return pricing.Price{Input: 200_000_000, Output: 200_000_000}, true
	}
	fx, err := core.New(c).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}

	return fx
}

// ask asks a model, and fails the test unless the error is what it should be: "" for none.
func ask(t *testing.T, fx runtime.Effects, want string) {
	t.Helper()
	_, err := fx.Model(model.Request{Agent: "a"})
	wantError(t, err, want)
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if got := ""; err != nil {
		var spent *runtime.BudgetError
		if got = err.Error(); got != want || !errors.As(err, &spent) {
			t.Errorf("got %T %q, want %q", err, got, want)
		}
	} else if want != "" {
		t.Errorf("no error, want %q", want)
	}
}

// TestLimits: each limit refuses the turn after it is used up.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		budget runtime.Budget
		turns  int
		want   string
	}{
		{runtime.Budget{Calls: 1}, 1, `agent "x" has spent 1 call of at most 1 call`},
		{runtime.Budget{Calls: 3}, 3, `agent "x" has spent 3 calls of at most 3 calls`},
		{runtime.Budget{Tokens: 100}, 2, `agent "x" has spent 100 tokens of at most 100 tokens`},
		{runtime.Budget{Tokens: 101}, 3, `agent "x" has spent 150 tokens of at most 101 tokens`},
		{runtime.Budget{USD: 0.025}, 3, `agent "x" has spent $0.03 of at most $0.025`},
		{runtime.Budget{USD: 1e-9}, 1, `agent "x" has spent $0.01 of at most $0.000001`},
		{runtime.Budget{USD: 5, Tokens: 500, Calls: 2}, 2, `agent "x" has spent 2 calls of at most 2 calls`},
	} {
		fx := spender(t, core.Config{})
		end := fx.Limit("x", "", &c.budget)
		for range c.turns {
			ask(t, fx, "")
		}
		ask(t, fx, c.want)
		if err := fx.Sleep(time.Second); err != nil {
			t.Errorf("what spends nothing was refused: %v", err)
		}
		end()
		ask(t, fx, "")
	}
}

// TestNested: what is spent inside is spent outside, and a budget that is over is not spent from
// any more.
func TestNested(t *testing.T) {
	fx := spender(t, core.Config{})
	outer := fx.Limit("outer", "", &runtime.Budget{Calls: 3})
	inner := fx.Limit("flow", "inner", &runtime.Budget{Tokens: 60})
	ask(t, fx, "")
	ask(t, fx, "")
	ask(t, fx, `step "inner" of workflow "flow" has spent 100 tokens of at most 60 tokens`)
	inner()
	inner = fx.Limit("again", "", &runtime.Budget{Tokens: 60})
	ask(t, fx, "")
	ask(t, fx, `agent "outer" has spent 3 calls of at most 3 calls`)
	inner()
	outer()
	ask(t, fx, "")
}
