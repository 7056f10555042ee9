package workflow

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/size"
)

// Wait waits, without a process if the run can be resumed, and returns its input.
func (r *Run) Wait(step string, wait time.Duration, input Value) (Value, error) {
	_, err := r.fx.Ask(runtime.Question{
		ID: step, Agent: r.workflow, Timeout: wait, IsTimer: true, Choices: []string{endsWait},
	})
	if err != nil {
		r.reportError(err)

		return Value{}, reportedError{err}
	}

	return input, nil
}

// endsWait is the answer with which a person ends a wait early.
const endsWait = "continue"

// WaitFor is Wait for a text: see [ParseWait]. A time that is over is not waited for.
func (r *Run) WaitFor(step, wait string, input Value) (Value, error) {
	until, length, err := ParseWait(wait)
	if err != nil {
		return Value{}, err
	}
	if !until.IsZero() {
		length = until.Sub(r.fx.Now())
	}
	if length <= 0 {
		return input, nil
	}

	return r.Wait(step, length, input)
}

// ParseWait reads how long a step waits: a duration such as 2h or 3 days, or a time in the form of RFC
// 3339, such as 2026-05-01T08:00:00Z.
func ParseWait(text string) (until time.Time, length time.Duration, err error) {
	text = strings.TrimSpace(text)
	until, err = time.Parse(time.RFC3339, text)
	if err == nil {
		return until, 0, nil
	}
	length, err = size.Duration(text)
	if err == nil {
		return time.Time{}, length, nil
	}
	problem := err.Error()
	if length == 0 {
		problem += ", nor a time such as 2026-05-01T08:00:00Z"
	}

	return time.Time{}, 0, &errs.Coded{Code: "WaitError", Text: fmt.Sprintf("the wait %q %s", text, problem)}
}
