package app

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/local"
)

// stop ends a run on an interrupt. The first one lets the effect that is under way finish: the next one is refused, and
// so the run ends between two effects. The second one ends the process.
type stop struct {
	cancel    context.CancelCauseFunc
	requested atomic.Bool
	asking    atomic.Bool
}

func newStop(cancel context.CancelCauseFunc) *stop { return &stop{cancel: cancel} }

var errInterrupted = &runtime.CancelledError{Reason: "interrupted"}

// exit is os.Exit; tests put something else here.
var exit = os.Exit

// listen waits for interrupts until the function that it returns is called.
func (s *stop) listen(c *cli.Call, p *progress) (end func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-signals:
				s.interrupt(c, p)
			}
		}
	}()

	return func() {
		signal.Stop(signals)
		close(done)
	}
}

func (s *stop) interrupt(c *cli.Call, p *progress) {
	again := s.requested.Swap(true)
	p.clear()
	// Reading from a terminal cannot be broken off: a question is left at once.
	if again || s.asking.Load() {
		c.Errorf(cli.Problem, "interrupted: stopped at once")
		exit(cli.Problem)
		return
	}
	c.Errorf(cli.Problem, "interrupted: stopping at the next safe point (interrupt again to stop at once)")
}

// guard returns p with agents whose effects are refused after an interrupt.
func (s *stop) guard(p *runtime.Program) *runtime.Program {
	guarded := *p
	guarded.Agents = append([]runtime.AgentInfo(nil), p.Agents...)
	for i := range guarded.Agents {
		inner := guarded.Agents[i].Run
		if inner == nil {
			continue
		}
		guarded.Agents[i].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
			fin, err := inner(&stoppable{fx, s}, input)
			if err != nil && s.requested.Load() {
				s.cancel(errInterrupted) // nothing is under way any more
			}
			return fin, err
		}
	}

	return &guarded
}

func (s *stop) asker(p *progress, inner local.Asker) local.Asker {
	return askerFunc(func(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
		p.clear()
		s.asking.Store(true)
		defer s.asking.Store(false)
		q.Prompt = cleanLines(q.Prompt)

		return inner.Ask(ctx, q)
	})
}

type askerFunc func(context.Context, runtime.Question) (runtime.Answer, error)

func (f askerFunc) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	return f(ctx, q)
}

// stoppable is a door that closes after an interrupt.
type stoppable struct {
	fx   runtime.Effects
	stop *stop
}

func (s *stoppable) closed() error {
	if s.stop.requested.Load() {
		return errInterrupted
	}

	return nil
}

func (s *stoppable) Model(r runtime.ModelRequest) (runtime.ModelReply, error) {
	if err := s.closed(); err != nil {
		return runtime.ModelReply{}, err
	}

	return s.fx.Model(r)
}

func (s *stoppable) Tool(c runtime.ToolCall) (runtime.ToolResult, error) {
	if err := s.closed(); err != nil {
		return runtime.ToolResult{}, err
	}

	return s.fx.Tool(c)
}

func (s *stoppable) Call(c runtime.FuncCall) (runtime.FuncResult, error) {
	if err := s.closed(); err != nil {
		return runtime.FuncResult{}, err
	}

	return s.fx.Call(c)
}

func (s *stoppable) Guard(c runtime.GuardCall) (runtime.Verdict, error) {
	if err := s.closed(); err != nil {
		return runtime.Verdict{}, err
	}

	return s.fx.Guard(c)
}

func (s *stoppable) Ask(q runtime.Question) (runtime.Answer, error) {
	if err := s.closed(); err != nil {
		return runtime.Answer{}, err
	}

	return s.fx.Ask(q)
}

func (s *stoppable) Sleep(d time.Duration) error {
	if err := s.closed(); err != nil {
		return err
	}

	return s.fx.Sleep(d)
}

func (s *stoppable) Now() time.Time { return s.fx.Now() }

func (s *stoppable) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	if err := s.closed(); err != nil {
		return err
	}

	return s.fx.Parallel(n, limit, func(i int, fx runtime.Effects) error { return branch(i, &stoppable{fx, s.stop}) })
}

func (s *stoppable) Note(e runtime.Event) { s.fx.Note(e) }

// Watched implements runtime.Watcher: there is always an observer here.
func (s *stoppable) Watched() bool { return true }
