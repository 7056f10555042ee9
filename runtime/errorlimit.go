package runtime

import (
	"fmt"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// TimeoutError is a call of a model or a function that took longer than it may.
type TimeoutError struct {
	// What took so long, such as "the model of agent writer" or "function pkg.mod:score".
	What string
	// After is the limit.
	After time.Duration
}

func (e *TimeoutError) Error() string { return fmt.Sprintf("%s took longer than %s", e.What, e.After) }

// ErrorType is the code of the error; see [ErrorType].
func (*TimeoutError) ErrorType() string { return "TimeoutError" }

// BudgetError is a budget that is used up. It ends the run.
type BudgetError struct {
	// Where says who has the budget, as [wording.Spender] does.
	Where string
	// Limit is what is limited: one of LimitTokens, LimitUSD, LimitCalls and LimitTime.
	Limit string
	// Max is the limit, Spent what has been used when the next effect was about to begin, or time ran out: tokens, calls,
	// millionths of a US dollar or nanoseconds.
	Max, Spent int64
}

func (e *BudgetError) Error() string {
	verb := "has spent"
	if e.Limit == LimitTime {
		verb = "has worked"
	}

	return fmt.Sprintf("%s %s %s of at most %s", e.Where, verb, wording.Amount(e.Limit, e.Spent), wording.Amount(e.Limit, e.Max))
}

// ErrorType is the code of the error; see [ErrorType].
func (*BudgetError) ErrorType() string { return "BudgetError" }
