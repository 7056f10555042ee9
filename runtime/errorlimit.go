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

// SizeError is what a model, a tool or a function gave back that is larger than the engine can keep. The effect has happened, and is not
// tried again.
type SizeError struct {
	// What gave it, such as "the model of agent writer" or "tool search".
	What string
	// Size and Max are in bytes.
	Size, Max int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s gave back %d bytes, more than the %d that the engine keeps", e.What, e.Size, e.Max)
}

// ErrorType is the code of the error; see [ErrorType].
func (*SizeError) ErrorType() string { return "SizeError" }

// BudgetError is a budget that is used up. It ends the run.
type BudgetError struct {
	// Where says who has the budget, as [Spender] does.
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

	return fmt.Sprintf("%s %s %s of at most %s", e.Where, verb, BudgetAmount(e.Limit, e.Spent), BudgetAmount(e.Limit, e.Max))
}

// ErrorType is the code of the error; see [ErrorType].
func (*BudgetError) ErrorType() string { return "BudgetError" }

// MissingPriceError is a model whose price nobody knows, under a budget of money. It is found before a run starts, or at the
// latest before the model is called.
type MissingPriceError struct {
	// Model is provider:model; "" if the engine does not know which model will answer.
	Model string
	// Agents are those that want it, sorted.
	Agents []string
}

func (e *MissingPriceError) Error() string {
	model := "the model"
	if e.Model != "" {
		model = "model " + wording.Quote(e.Model)
	}

	return fmt.Sprintf("a budget in usd cannot be kept: the price of %s is not known (wanted by %s): "+
		"add it to prices.yaml, or to the file that AGENTC_PRICES names", model, wording.Agents(e.Agents))
}

// ErrorType is the code of the error; see [ErrorType].
func (*MissingPriceError) ErrorType() string { return "MissingPriceError" }
