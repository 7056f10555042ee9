package rt

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// remindAt is the how-many-eth identical turn is pointed out to the model.
const remindAt = 3

// stuckness watches for turns that repeat the one before: the same calls, in the same order, with
// the same results. What a model repeats within one turn counts once, since it has not seen a
// result in between.
type stuckness struct {
	limit   int
	calls   []model.ToolCall
	results []result
	times   int
}

// checkTurn counts a turn. It adds a reminder to the turn's last result the third time, and returns
// the error the limit-th time.
func (s *stuckness) checkTurn(agent string, calls []model.ToolCall, results []result) error {
	if s.limit <= 0 {
		return nil
	}
	if s.isRepeated(calls, results) {
		s.times++
	} else {
		s.calls, s.times = calls, 1
		s.results = append(s.results[:0], results...)
	}

	if s.times > 1 && s.times >= s.limit {
		return &runtime.StuckError{Agent: agent, Tool: calls[0].Name, Args: calls[0].Args, Times: s.times}
	}
	if s.times == remindAt {
		results[len(results)-1].remark = fmt.Sprintf("You have now made the same call %d times and got the same result. "+
			"Do something else, or finish.", s.times)
	}

	return nil
}

func (s *stuckness) isRepeated(calls []model.ToolCall, results []result) bool {
	if len(calls) != len(s.calls) {
		return false
	}
	for i, call := range calls {
		before := s.calls[i]
		if call.Name != before.Name || call.Args != before.Args || results[i] != s.results[i] {
			return false
		}
	}

	return true
}

// reset forgets the turns so far.
func (s *stuckness) reset() { *s = stuckness{limit: s.limit} }
