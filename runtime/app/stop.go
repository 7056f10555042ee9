package app

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/local"
)

// stop ends a run on an interrupt. The first one is offered as a signal to the machines that run. Where none has a rule for it,
// it lets the effect that is under way finish: the next one is refused, and so the run ends between two effects. The second one
// ends the process.
type stop struct {
	cancel      context.CancelCauseFunc
	signals     local.Signals
	interrupted atomic.Bool
	requested   atomic.Bool  // that the door closes
	asking      atomic.Int32 // questions that branches are asking
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
	again := s.interrupted.Swap(true)
	p.clear()
	// Reading from a terminal cannot be broken off: a question is left at once.
	if again || s.asking.Load() > 0 {
		c.Errorf(cli.Problem, "interrupted: stopped at once")
		exit(cli.Problem)
		return
	}
	if s.signals.Send(runtime.Signal{Kind: runtime.SignalStop}) {
		c.Errorf(cli.Problem, "interrupted: the machine that runs has a rule for that (interrupt again to stop at once)")
		return
	}
	s.requested.Store(true)
	c.Errorf(cli.Problem, "interrupted: stopping at the next safe point (interrupt again to stop at once)")
}

// guard returns p with agents that work through a door: after an interrupt it is closed, and shown knows who works.
func (s *stop) guard(p *runtime.Program, shown *progress) *runtime.Program {
	guarded := *p
	guarded.Agents = append([]runtime.AgentInfo(nil), p.Agents...)
	for i := range guarded.Agents {
		inner := guarded.Agents[i].Run
		if inner == nil {
			continue
		}
		guarded.Agents[i].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
			fin, err := inner(&door{fx: fx, stop: s, shown: shown}, input)
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
		defer p.hush()()
		s.asking.Add(1)
		defer s.asking.Add(-1)
		q.Prompt, q.Channel = cleanLines(q.Prompt), clean(q.Channel)

		return inner.Ask(ctx, q)
	})
}

type askerFunc func(context.Context, runtime.Question) (runtime.Answer, error)

func (f askerFunc) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	return f(ctx, q)
}
