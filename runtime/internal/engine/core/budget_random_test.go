package core_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestRandomBudgets: programs that open and close budgets at random and spend in between are
// refused exactly when a plain reference says so, which keeps a list of all that was spent and adds
// up for each budget what lies behind its beginning.
func TestRandomBudgets(t *testing.T) {
	refused := 0
	for seed := range int64(400) {
		refused += randomBudgets(t, rand.New(rand.NewSource(seed)))
	}
	if refused < 1000 {
		t.Errorf("only %d effects were refused", refused)
	}
}

// opened is a budget of the reference: what was spent from the place where it began counts.
type opened struct {
	max   runtime.Budget
	where string
	from  int
	end   func()
}

// spent is an effect of the reference.
type spentOn struct {
	tokens, micro, calls int64
	time                 time.Duration
}

func randomBudgets(t *testing.T, random *rand.Rand) (refused int) {
	t.Helper()
	tokens := 0
	clock := clock.NewSkip(time.Unix(0, 0))
	fx := spender(t, core.Config{Clock: clock, Model: model.ProviderFunc(
		func(ctx context.Context, _ model.Request) (model.Reply, error) {
			return model.Reply{Usage: model.Usage{Input: tokens}}, nil
		})})
	var scopes []opened
	var list []spentOn
	for step := range 60 {
		switch random.Intn(6) {
		case 0:
			b := runtime.Budget{}
			if random.Intn(2) == 0 {
				b.Calls = 1 + random.Intn(8)
			}
			if random.Intn(3) == 0 {
				b.Tokens = 1 + random.Intn(400)
			}
			if random.Intn(3) == 0 {
				b.USD = float64(1+random.Intn(50)) / 1000
			}
			if random.Intn(3) == 0 {
				b.Time = time.Duration(1+random.Intn(20)) * time.Second
			}
			name := fmt.Sprint("s", step)
			scopes = append(scopes, opened{b, wording.Spender(name, ""), len(list), fx.Limit(name, "", &b)})
		case 1:
			if n := len(scopes); n > 0 {
				scopes[n-1].end()
				scopes = scopes[:n-1]
			}
		case 2:
			wait := time.Duration(random.Intn(5)) * time.Second
			want, ends := expected(scopes, list, false, wait)
			err := fx.Sleep(wait)
			if !sameRefusal(err, want) {
				t.Fatalf("step %d: a sleep of %s: %v, want %v", step, wait, err, want)
			}
			list = append(list, spentOn{time: ends})
			if want != nil {
				refused++
			}
		default:
			tokens = random.Intn(100)
			want, _ := expected(scopes, list, true, 0)
			_, err := fx.Model(model.Request{Agent: "a"})
			if !sameRefusal(err, want) {
				t.Fatalf("step %d: %v, want %v", step, err, want)
			}
			if want == nil {
				list = append(list, spentOn{tokens: int64(tokens), micro: int64(tokens) * 200, calls: 1})
			} else {
				refused++
			}
		}
	}

	return refused
}

// expected is the refusal of an effect, nil if there is none, and how long one takes that waits.
func expected(scopes []opened, list []spentOn, model bool, wait time.Duration) (*runtime.BudgetError, time.Duration) {
	for i := len(scopes) - 1; i >= 0; i-- {
		s := scopes[i]
		var sum spentOn
		for _, o := range list[s.from:] {
			sum.tokens, sum.micro, sum.calls, sum.time = sum.tokens+o.tokens, sum.micro+o.micro, sum.calls+o.calls, sum.time+o.time
		}
		for _, l := range []struct {
			name       string
			max, spent int64
			looks      bool
		}{
			{wording.LimitCalls, int64(s.max.Calls), sum.calls, model},
			{wording.LimitTokens, int64(s.max.Tokens), sum.tokens, model},
			{wording.LimitUSD, int64(s.max.USD*1e6 + 0.5), sum.micro, model},
			{wording.LimitTime, int64(s.max.Time), int64(sum.time), true},
		} {
			if l.looks && l.max > 0 && l.spent >= l.max {
				return &runtime.BudgetError{Where: s.where, Limit: l.name, Max: l.max, Spent: l.spent}, 0
			}
		}
	}
	// The budget with the least time left ends a wait, of two the inner one. A wait that lasts as
	// long as there is time is ended too.
	var ending *runtime.BudgetError
	for i := len(scopes) - 1; i >= 0; i-- {
		s := scopes[i]
		left := s.max.Time
		for _, o := range list[s.from:] {
			left -= o.time
		}
		if s.max.Time > 0 && wait > 0 && (left < wait || left == wait && ending == nil) {
			wait = left
			ending = &runtime.BudgetError{Where: s.where, Limit: wording.LimitTime, Max: int64(s.max.Time), Spent: int64(s.max.Time)}
		}
	}

	return ending, wait
}

func sameRefusal(err error, want *runtime.BudgetError) bool {
	var got *runtime.BudgetError
	if errors.As(err, &got) != (want != nil) {
		return false
	}

	return want == nil && err == nil || want != nil && *got == *want
}

// TestBranchesShare: branches that all draw from one budget make exactly the calls that it has, and
// no other branch is disturbed.
func TestBranchesShare(t *testing.T) {
	var turns atomic.Int64
	fx := spender(t, core.Config{Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		turns.Add(1)

		return model.Reply{Usage: model.Usage{Input: 1}}, nil
	})})
	end := fx.Limit("all", "", &runtime.Budget{Calls: 100, Tokens: 1e6, Time: time.Hour})
	var refused, own atomic.Int64
	err := fx.Parallel(16, 0, func(i int, fx runtime.Effects) error {
		defer fx.Limit("own", "", &runtime.Budget{Calls: 7, Time: time.Minute})()

		return fx.Parallel(2, 0, func(_ int, fx runtime.Effects) error {
			for range 5 {
				var spent *runtime.BudgetError
				if _, err := fx.Model(model.Request{Agent: "a"}); errors.As(err, &spent) {
					refused.Add(1)
					if spent.Where == `agent "own"` {
						own.Add(1)
					}
				} else if err != nil {
					return err
				}
			}

			return nil
		})
	})
	if err != nil || turns.Load() != 100 || refused.Load() != 60 {
		t.Errorf("%d turns, %d refused, %v", turns.Load(), refused.Load(), err)
	}
	end()
	ask(t, fx, "")
}

// TestNoBudgetNoCost: without budgets an effect allocates what it always did, and with one a turn
// of a model nothing more.
func TestNoBudgetNoCost(t *testing.T) {
	fx, err := core.New(core.Config{Model: model.ProviderFunc(says)}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	request := model.Request{Agent: "a"}
	turn := func() { _, _ = fx.Model(request) }
	if n := testing.AllocsPerRun(100, turn); n != 0 {
		t.Errorf("a turn without budgets allocates %v times", n)
	}
	defer fx.Limit("x", "", &runtime.Budget{Calls: 1e9, Tokens: 1e9})()
	if n := testing.AllocsPerRun(100, turn); n != 0 {
		t.Errorf("a turn under a budget allocates %v times", n)
	}
}
