package runtime

import (
	"fmt"
	"time"
)

// TimeoutError is a call of a model or a function that took longer than it may.
type TimeoutError struct {
	// What took so long, such as "the model of agent writer" or "function pkg.mod:score".
	What string
	// After is the limit.
	After time.Duration
}

func (e *TimeoutError) Error() string { return fmt.Sprintf("%s took longer than %s", e.What, e.After) }

// BudgetError is a limit on what may be spent that is used up. It ends the run.
type BudgetError struct {
	// Where names the agent or step that has the limit.
	Where string
	// Limit is what is limited: tokens.
	Limit string
	// Max is the limit, Spent what has been used when the next call was about to begin.
	Max, Spent int
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("%s has spent %d of at most %d %s", e.Where, e.Spent, e.Max, e.Limit)
}
