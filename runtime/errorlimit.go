package runtime

import (
	"fmt"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// TimeoutError means that a call of a model or a function, an answer of a person, or a step of a workflow took longer than
// allowed.
type TimeoutError struct {
	// What names the call, such as "the model of agent writer" or "function pkg.mod:score".
	What string
	// After is the limit.
	After time.Duration
}

func (e *TimeoutError) Error() string { return fmt.Sprintf("%s took longer than %s", e.What, e.After) }

// ErrorType is the code of the error; see [ErrorType].
func (*TimeoutError) ErrorType() string { return "TimeoutError" }

// BudgetError means that a budget is used up. It ends the run.
type BudgetError struct {
	// Where names what has the budget: the run, an agent or a step.
	Where string
	// Limit is the name of the limit: tokens, usd, calls or time.
	Limit string
	// Max is the limit, and Spent what was used when the next effect was about to begin or time ran out, in tokens,
	// calls, millionths of a US dollar or nanoseconds.
	Max, Spent int64
}

func (e *BudgetError) Error() string {
	verb := "has spent"
	if e.Limit == wording.LimitTime {
		verb = "has worked"
	}

	return fmt.Sprintf("%s %s %s of at most %s", e.Where, verb, wording.Amount(e.Limit, e.Spent), wording.Amount(e.Limit, e.Max))
}

// ErrorType is the code of the error; see [ErrorType].
func (*BudgetError) ErrorType() string { return "BudgetError" }
