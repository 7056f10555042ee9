package enginetest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// Permute wraps an engine so that the branches of every parallel group run one after another, in an
// order that depends on the seed. The results of a program, and the addresses of its effects, must
// not depend on it. If the engine is already permuted, its order is replaced, because two orders
// would wait for each other. The engine must start all branches of a group without a limit at once.
func Permute(engine compiled.Engine, seed int64) compiled.Engine {
	if inner, ok := engine.(permuting); ok {
		engine, seed = inner.engine, inner.seed*31+seed
	}

	return permuting{engine, seed}
}

type permuting struct {
	engine compiled.Engine
	seed   int64
}

// Run runs the agent with effects that permute its groups.
func (p permuting) Run(ctx context.Context, program *compiled.Program, agent, input string) (runtime.Finish, error) {
	if known := program.Agent(cmp.Or(agent, program.Entry)); known != nil && known.Run != nil {
		permuted := *known
		permuted.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return known.Run(&shuffled{Effects: fx, ctx: ctx, seed: p.seed}, input)
		}
		program = program.WithAgent(&permuted)
	}

	return p.engine.Run(ctx, program, agent, input)
}

// shuffled are effects whose groups run in another order.
type shuffled struct {
	runtime.Effects
	ctx  context.Context
	seed int64
}

// Parallel lets the engine begin all branches, and each of them wait for the one before it in the
// order.
func (s *shuffled) Parallel(n, limit int, branch func(int, runtime.Effects) error) error {
	inner := s.shuffleWithin(branch)
	if n < 2 {
		return s.Effects.Parallel(n, limit, inner)
	}
	s.seed++
	line := newQueue(rand.New(rand.NewSource(s.seed)).Perm(n))

	return s.Effects.Parallel(n, 0, func(i int, fx runtime.Effects) error {
		defer close(line.done[i])
		if err := line.awaitTurn(s.ctx, i); err != nil {
			return err
		}

		return inner(i, fx)
	})
}

// queue lets branches through one after another.
type queue struct {
	// before is the branch before each, -1 for the first in the order.
	before []int
	done   []chan struct{}
	// missing counts the branches that have not begun; all is closed when none is missing.
	missing atomic.Int64
	all     chan struct{}
}

func newQueue(order []int) *queue {
	q := &queue{before: make([]int, len(order)), done: make([]chan struct{}, len(order)), all: make(chan struct{})}
	q.missing.Store(int64(len(order)))
	last := -1
	for _, branch := range order {
		q.before[branch], last = last, branch
		q.done[branch] = make(chan struct{})
	}

	return q
}

// awaitTurn returns when it is the branch's turn. A branch that has waited has not begun yet: after
// cancellation it does not.
func (q *queue) awaitTurn(ctx context.Context, branch int) error {
	if q.missing.Add(-1) == 0 {
		close(q.all)
	}
	select {
	case <-q.all:
	case <-ctx.Done():
	case <-time.After(patience):
		return fmt.Errorf("%d branches have not begun: this engine cannot be permuted", q.missing.Load())
	}

	if before := q.before[branch]; before >= 0 {
		select {
		case <-q.done[before]:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}

	return nil
}

func (s *shuffled) shuffleWithin(branch func(int, runtime.Effects) error) func(int, runtime.Effects) error {
	return func(i int, fx runtime.Effects) error {
		return branch(i, &shuffled{Effects: fx, ctx: s.ctx, seed: s.seed*31 + int64(i)})
	}
}

// Trace returns the part of events that does not depend on the order of branches, sorted: one line
// for each event, without run, number and time.
func Trace(events []event.Event) string {
	lines := make([]string, len(events))
	for i, e := range events {
		e.Run, e.Seq, e.Time = "", 0, time.Time{}
		lines[i] = fmt.Sprintf("%s %s", e.Address, e.AppendJSON(nil))
	}
	slices.Sort(lines)

	return strings.Join(lines, "\n")
}
