package workflow

import (
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// limits is a door with the limits of a step.
type limits struct {
	runtime.Effects
	where   string
	timeout time.Duration
	tokens  int
	// spent is what the models have used behind this door.
	spent int
}

// limited returns a door with the limits of a policy; fx itself if it has none.
func limited(fx runtime.Effects, p Policy, workflow string) runtime.Effects {
	if p.Timeout == 0 && p.Tokens == 0 {
		return fx
	}

	return &limits{
		Effects: fx, timeout: p.Timeout, tokens: p.Tokens,
		where: "step " + strconv.Quote(p.Step) + " of workflow " + strconv.Quote(workflow),
	}
}

// Watched reports whether somebody observes.
func (l *limits) Watched() bool { return watched(l.Effects) }

func watched(fx runtime.Effects) bool {
	w, ok := fx.(runtime.Watcher)

	return !ok || w.Watched()
}

// Model asks a model if there are tokens left.
func (l *limits) Model(request runtime.ModelRequest) (runtime.ModelReply, error) {
	if l.tokens > 0 && l.spent >= l.tokens {
		return runtime.ModelReply{}, &runtime.BudgetError{Where: l.where, Limit: "tokens", Max: int64(l.tokens), Spent: int64(l.spent)}
	}
	request.Timeout = tighter(request.Timeout, l.timeout)
	reply, err := l.Effects.Model(request)
	l.spent += reply.Usage.Input + reply.Usage.Output

	return reply, err
}

// Call calls a function.
func (l *limits) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	call.Timeout = tighter(call.Timeout, l.timeout)

	return l.Effects.Call(call)
}

// Parallel runs branches that each may spend what is left when they begin: what the others spend meanwhile depends on which is
// faster, and a run must not.
func (l *limits) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	doors := make([]*limits, n)
	err := l.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		door := *l
		door.Effects = fx
		doors[i] = &door

		return branch(i, &door)
	})
	before := l.spent
	for _, door := range doors {
		if door != nil {
			l.spent += door.spent - before
		}
	}

	return err
}

// tighter returns the smaller of two limits, of which 0 is none.
func tighter(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return a + b
	}

	return min(a, b)
}
