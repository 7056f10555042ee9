package budget_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

var start = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// newScope returns the scope of a run with a budget, and its clock.
func newScope(t *testing.T, limit *runtime.Budget) (budget.Scope, clock.Clock) {
	t.Helper()
	c := clock.NewSkip(start)

	return budget.NewScope(t.Context(), c, nil, limit), c
}

// checkRefused reports an error that is not the one of a limit.
func checkRefused(t *testing.T, err error, limit, where string) {
	t.Helper()
	var spent *runtime.BudgetError
	if !errors.As(err, &spent) || spent.Limit != limit || spent.Where != where {
		t.Errorf("got %v, want the end of the %s of %s", err, limit, where)
	}
}

func TestNoBudget(t *testing.T) {
	s, _ := newScope(t, nil)
	if s.IsLimited() || s.StartCall() != nil || s.StopEffect(nil) || s.TakeWarnings() != nil || s.TakeRemarks() != nil {
		t.Error("without a budget something is limited")
	}
}

// TestInnermostBudgetIsNamed: what is spent in a budget is spent in those around it, and the error
// names the innermost one that is used up.
func TestInnermostBudgetIsNamed(t *testing.T) {
	s, _ := newScope(t, &runtime.Budget{Calls: 3})
	end := s.Limit("desk", "", &runtime.Budget{Calls: 2})
	for range 2 {
		if err := s.StartCall(); err != nil {
			t.Fatal(err)
		}
	}
	checkRefused(t, s.StartCall(), wording.LimitCalls, wording.Spender("desk", ""))
	if err := s.StartEffect(); err != nil {
		t.Errorf("an effect that spends no calls is refused: %v", err)
	}
	end()
	if err := s.StartCall(); err != nil {
		t.Errorf("the third call of the run is refused: %v", err)
	}
	checkRefused(t, s.StartCall(), wording.LimitCalls, wording.Spender("", ""))
}

// TestTokensAndMoney: a turn that has begun is charged in full, and the next one is refused.
func TestTokensAndMoney(t *testing.T) {
	s, _ := newScope(t, &runtime.Budget{Tokens: 100})
	s.Spend(budget.Outlay{Tokens: 60}, budget.Outlay{Tokens: 60})
	checkRefused(t, s.StartCall(), wording.LimitTokens, wording.Spender("", ""))
	s, _ = newScope(t, &runtime.Budget{USD: 1})
	if !s.LimitsMoney() {
		t.Error("money is not limited")
	}
	s.Spend(budget.Outlay{Micro: 1_000_000})
	checkRefused(t, s.StartCall(), wording.LimitUSD, wording.Spender("", ""))
}

// TestTimeEndsEffect: an alarm ends the effect that is under way when no time is left.
func TestTimeEndsEffect(t *testing.T) {
	s, c := newScope(t, &runtime.Budget{Time: time.Minute})
	if err := s.StartEffect(); err != nil {
		t.Fatal(err)
	}
	c.Sleep(s.EffectContext(), time.Hour)
	if got := c.Now().Sub(start); got != time.Minute {
		t.Errorf("the effect ended after %s", got)
	}
	err := s.Stopped()
	checkRefused(t, err, wording.LimitTime, wording.Spender("", ""))
	if !s.StopEffect(err) || !s.IsOverdue() {
		t.Error("the outcome of the effect is known")
	}
	checkRefused(t, s.CheckTime(), wording.LimitTime, wording.Spender("", ""))
}

// TestDeadline: of several deadlines the next one counts, and the outermost of those that are the
// same. Its error is an outcome.
func TestDeadline(t *testing.T) {
	s, c := newScope(t, nil)
	limit := func(step string, within time.Duration) (end func()) {
		return s.Limit("w", step, &runtime.Budget{Deadline: start.Add(within), Within: within})
	}
	limit("outer", time.Hour)
	end := limit("middle", time.Minute)
	limit("inner", time.Minute)
	if at, _ := s.Deadline(); !at.Equal(start.Add(time.Minute)) {
		t.Errorf("the deadline is %v", at)
	}
	if err := s.StartEffect(); err != nil {
		t.Fatal(err)
	}
	c.Sleep(s.EffectContext(), 2*time.Hour)
	var late *errs.OvertimeError
	err := s.Stopped()
	if !errors.As(err, &late) || late.Step != "middle" || c.Now().Sub(start) != time.Minute {
		t.Errorf("after %s it is stopped by %v", c.Now().Sub(start), err)
	}
	if !s.StopEffect(err) || s.IsOverdue() {
		t.Error("the outcome of the effect is not known")
	}
	if !errors.As(s.CheckTime(), &late) {
		t.Error("an effect after the deadline is admitted")
	}
	end()
	if err := s.CheckTime(); err != nil {
		t.Errorf("after the step: %v", err)
	}
}

// TestParallelTimeCountsOnce: effects at the same time count once, and so do those of earlier
// processes.
func TestParallelTimeCountsOnce(t *testing.T) {
	s, c := newScope(t, &runtime.Budget{Time: 10 * time.Second})
	other := s.InBranch(nil)
	if s.StartEffect() != nil || other.StartEffect() != nil {
		t.Fatal("an effect is refused")
	}
	c.Sleep(t.Context(), 4*time.Second)
	s.StopEffect(nil)
	other.StopEffect(nil)
	earlier := budget.Span{From: start.Add(-time.Hour), To: start.Add(-time.Hour + 5*time.Second)}
	s.Spend(budget.Outlay{Under: earlier}, budget.Outlay{Under: earlier})
	if err := s.CheckTime(); err != nil {
		t.Errorf("after nine seconds of ten: %v", err)
	}
	s.Spend(budget.Outlay{Under: budget.Span{From: start.Add(time.Hour), To: start.Add(time.Hour + time.Second)}})
	checkRefused(t, s.CheckTime(), wording.LimitTime, wording.Spender("", ""))
}

// TestWarnings: each budget warns once, and the next conversation is told once.
func TestWarnings(t *testing.T) {
	s, _ := newScope(t, &runtime.Budget{Tokens: 100})
	s.Spend(budget.Outlay{Tokens: 79})
	if got := s.TakeWarnings(); got != nil {
		t.Errorf("79 percent warn: %v", got)
	}
	s.Spend(budget.Outlay{Tokens: 1})
	if got := s.TakeWarnings(); len(got) != 1 || got[0].Agent != "" {
		t.Errorf("the warnings are %v", got)
	}
	if got := s.TakeWarnings(); got != nil {
		t.Errorf("it warns again: %v", got)
	}
	if first, second := s.TakeRemarks(), s.TakeRemarks(); len(first) != 1 || second != nil {
		t.Errorf("the remarks are %q and %q", first, second)
	}
}

// TestBranchesShareBudget: calls of branches are never more than the budget has.
func TestBranchesShareBudget(t *testing.T) {
	s := budget.NewScope(context.Background(), clock.System{}, nil, &runtime.Budget{Calls: 100})
	var mu sync.Mutex
	var wait sync.WaitGroup
	admitted := 0
	for range 8 {
		branch := s.InBranch(nil)
		wait.Go(func() {
			for range 50 {
				if branch.StartCall() == nil {
					mu.Lock()
					admitted++
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	if admitted != 100 {
		t.Errorf("%d calls were admitted", admitted)
	}
}
