package workflow

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// limitUsage lets the steps act under the limits of a policy, until end is called.
func (r *Run) limitUsage(p Policy) (end func()) {
	if p.Timeout == 0 && p.Tokens == 0 && p.USD == 0 {
		return endNothing
	}
	outer, spent := r.fx, endNothing
	if p.Tokens > 0 || p.USD > 0 {
		spent = outer.Limit(r.workflow, p.Step, &runtime.Budget{Tokens: p.Tokens, USD: p.USD})
	}
	if p.Timeout > 0 {
		r.fx = &timeout{Effects: outer, most: p.Timeout}
	}

	return func() {
		r.fx = outer
		spent()
	}
}

// endNothing is the end of no limits.
func endNothing() {}

// timeout are effects whose calls may take only so long.
type timeout struct {
	runtime.Effects
	most time.Duration
}

// Model asks a model.
func (t *timeout) Model(request model.Request) (model.Reply, error) {
	request.Timeout = shorterLimit(request.Timeout, t.most)

	return t.Effects.Model(request)
}

// Call calls a function.
func (t *timeout) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	call.Timeout = shorterLimit(call.Timeout, t.most)

	return t.Effects.Call(call)
}

// Parallel runs branches whose calls may take as long each.
func (t *timeout) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	return t.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		return branch(i, &timeout{Effects: fx, most: t.most})
	})
}

// shorterLimit returns the smaller of two limits, of which 0 is none.
func shorterLimit(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return a + b
	}

	return min(a, b)
}
