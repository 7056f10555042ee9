package runtime

import (
	"math"
	"time"
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
