package runtime

import (
	"math"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Budget limits what an agent, a step or a run may spend, including everything that it starts. A field that is 0 sets
// no limit.
type Budget struct {
	// Tokens limits the tokens of models, input and output together.
	Tokens int
	// USD limits what models may cost, in US dollars.
	USD float64
	// Calls limits the calls of models; a call that the engine repeats because it failed counts once.
	Calls int
	// Time limits working time: waiting for a person does not count, nor does time in which no process executes the
	// run.
	Time time.Duration
	// Deadline is when a step of a workflow has to be done, which has Within for that; zero: at any time. Unlike Time, it
	// passes while a person is waited for, and while no process executes the run. It is known before the budget begins, so
	// that a resumed run has the same.
	Deadline time.Time
	Within   time.Duration
}

// Of returns the limit with the given name, in the unit in which it is counted: tokens, calls, millionths of a US
// dollar or nanoseconds. 0 is no limit; an amount of money below a millionth of a dollar counts as one.
func (b *Budget) Of(limit string) int64 {
	switch limit {
	case wording.LimitTokens:
		return int64(b.Tokens)
	case wording.LimitCalls:
		return int64(b.Calls)
	case wording.LimitTime:
		return int64(b.Time)
	case wording.LimitUSD:
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
