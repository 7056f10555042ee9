package runtime

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// Budget is what may be spent at most, by an agent, a step or a run and by all that it starts. What is 0 has no limit.
type Budget struct {
	// Tokens of models, input and output together.
	Tokens int
	// USD is what models may cost, in US dollars.
	USD float64
	// Calls of models; what an engine repeats because it failed is one call.
	Calls int
	// Time is time at work: that in which a person is waited for does not count, nor that in which no process has the run.
	Time time.Duration
}

// The limits of a budget, as errors and events name them.
const (
	LimitTokens = "tokens"
	LimitUSD    = "usd"
	LimitCalls  = "calls"
	LimitTime   = "time"
)

// Of returns how much of a limit there is, in the unit in which it is counted: tokens, calls, millionths of a US dollar,
// nanoseconds. 0 is no limit; money that is less than a millionth of a dollar counts as one.
func (b *Budget) Of(limit string) int64 {
	switch limit {
	case LimitTokens:
		return int64(b.Tokens)
	case LimitCalls:
		return int64(b.Calls)
	case LimitTime:
		return int64(b.Time)
	case LimitUSD:
		return microUSD(b.USD)
	}

	return 0
}

func microUSD(dollars float64) int64 {
	switch micro := math.Round(dollars * 1e6); {
	case !(dollars > 0):
		return 0
	case micro >= math.MaxInt64:
		return math.MaxInt64
	default:
		return max(int64(micro), 1)
	}
}

// BudgetDoor is what an [Effects] may also be: one that keeps budgets. Budgets nest: what is spent in an inner one is spent of
// those around it, too. The branches of a parallel group spend what the branch has that began it.
type BudgetDoor interface {
	// Limit says that what this branch does from now on, until end is called, is done under a budget: that of an agent, or if
	// step is not "" of a step of a workflow.
	Limit(agent, step string, b *Budget) (end func())
}

// Limit begins what an agent may spend and returns what ends it. It panics if the door keeps no budgets: to go on without the
// limits that somebody has set could cost any amount.
func Limit(fx Effects, agent string, b *Budget) (end func()) { return LimitStep(fx, agent, "", b) }

// LimitStep is [Limit] for a step of a workflow.
func LimitStep(fx Effects, workflow, step string, b *Budget) (end func()) {
	door, keeps := fx.(BudgetDoor)
	if !keeps {
		panic(fmt.Errorf("%s has a budget, and this engine keeps none: %w", Spender(workflow, step), ErrNotAvailable))
	}

	return door.Limit(workflow, step, b)
}

// Spender says who has a budget: an agent, a step of a workflow, or if there is no name the run.
func Spender(agent, step string) string {
	switch {
	case agent == "":
		return "the run"
	case step == "":
		return "agent " + wording.Quote(agent)
	}

	return "step " + wording.Quote(step) + " of workflow " + wording.Quote(agent)
}

// BudgetAmount is an amount of a limit for people: 3 calls, 1200 tokens, $0.25, 1m30s.
func BudgetAmount(limit string, amount int64) string {
	switch limit {
	case LimitUSD:
		return dollars(amount)
	case LimitTime:
		return time.Duration(amount).String()
	}
	if amount == 1 {
		return "1 " + strings.TrimSuffix(limit, "s")
	}

	return strconv.FormatInt(amount, 10) + " " + limit
}

// dollars writes millionths of a dollar, with as many digits as they need, but at least cents.
func dollars(micro int64) string {
	text := fmt.Sprintf("$%d.%06d", micro/1e6, micro%1e6)

	return text[:len(text)-4] + strings.TrimRight(text[len(text)-4:], "0")
}
