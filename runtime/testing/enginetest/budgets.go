package enginetest

import (
	"errors"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// budgets: an engine that keeps budgets refuses the call that is one too many, within branches too,
// and lets a program spend again when the budget is over. Time is no matter of this suite: clocks
// are the engines' own.
func budgets(t T, make Make) {
	mustRunBody(t, make, Setup{Script: `{"*": [{"say": "a"}]}`}, func(fx runtime.Effects) error {
		outer := fx.Limit("outer", "", &runtime.Budget{Calls: 3, Time: 1000 * time.Hour})
		inner := fx.Limit("inner", "", &runtime.Budget{Calls: 1})
		_, err := fx.Model(newRequest(0))
		check(t, err == nil, "the first call: %v", err)
		_, err = fx.Model(newRequest(0))
		checkRefused(t, err, `agent "inner"`, 1)
		inner()
		_, err = fx.Model(newRequest(0))
		check(t, err == nil, "the second call: %v", err)
		err = fx.Parallel(2, 0, func(_ int, fx runtime.Effects) error {
			_, err := fx.Model(newRequest(0))

			return err
		})
		checkRefused(t, err, `agent "outer"`, 3)
		outer()
		_, err = fx.Model(newRequest(0))
		check(t, err == nil, "the call behind the budgets: %v", err)

		return nil
	})
}

// checkRefused checks the error of a call for which a budget has none left.
func checkRefused(t T, err error, who string, most int64) {
	t.Helper()
	var spent *runtime.BudgetError
	want := runtime.BudgetError{Where: who, Limit: wording.LimitCalls, Max: most, Spent: most}
	check(t, errors.As(err, &spent) && *spent == want, "a call too many: %v", err)
}
