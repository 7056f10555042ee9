package workflow

import (
	"errors"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
)

// limitUsage replaces the effects of the run with ones that have the limits of a policy, until end
// is called.
func (r *Run) limitUsage(p Policy) (end func()) {
	isLimited := p.Tokens > 0 || p.USD > 0 || p.Within > 0
	if p.Timeout == 0 && !isLimited {
		return endNothing
	}
	outer, spent := r.fx, endNothing
	if isLimited {
		limit := &runtime.Budget{Tokens: p.Tokens, USD: p.USD, Within: p.Within}
		if p.Within > 0 {
			limit.Deadline = outer.Now().Add(p.Within)
		}
		spent = outer.Limit(r.workflow, p.Step, limit)
	}
	if p.Timeout > 0 {
		r.fx = &timedEffects{Effects: outer, limit: p.Timeout}
	}

	return func() {
		r.fx = outer
		spent()
	}
}

// endNothing ends limits that were never set.
func endNothing() {}

// isOvertime reports whether the time of a step is over.
func isOvertime(err error, workflow, step string) bool {
	var late *errs.OvertimeError

	return errors.As(err, &late) && late.Workflow == workflow && late.Step == step
}

// timeOut returns the output of a step whose time is over, or its error.
func (p *Policy) timeOut() (Value, error) {
	if p.OnTimeout != nil {
		return p.OnTimeout(), nil
	}

	return Value{}, &runtime.TimeoutError{What: "step " + strconv.Quote(p.Step), After: p.Within}
}

// timedEffects are effects whose calls of models and functions have a timeout.
type timedEffects struct {
	runtime.Effects
	limit time.Duration
}

// Model calls a model, with limit as its longest timeout.
func (t *timedEffects) Model(request model.Request) (model.Reply, error) {
	request.Timeout = shorterLimit(request.Timeout, t.limit)

	return t.Effects.Model(request)
}

// Call calls a function, with limit as its longest timeout.
func (t *timedEffects) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	call.Timeout = shorterLimit(call.Timeout, t.limit)

	return t.Effects.Call(call)
}

// Parallel runs branches whose calls have the same limit.
func (t *timedEffects) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	return t.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		return branch(i, &timedEffects{Effects: fx, limit: t.limit})
	})
}

// shorterLimit returns the smaller of two limits, of which 0 is no limit.
func shorterLimit(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return a + b
	}

	return min(a, b)
}
