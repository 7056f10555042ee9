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
	"github.com/agentc-dev/agentc/runtime/internal/safepoint"
	"github.com/agentc-dev/agentc/runtime/local"
)

// stop ends a run on an interrupt. The first one is offered as a signal to the machines that run. Where none has a rule for it,
// the effects that are under way end and are recorded, and no other begins. The second one breaks off what is under way; the third
// one, or a while, ends the process.
type stop struct {
	*safepoint.Stop
	signals    local.Signals
	interrupts atomic.Int32
	asking     atomic.Int32 // questions that branches are asking
	// patience is how long a run may take to end once it is broken off; over says that it has ended.
	patience time.Duration
	over     chan struct{}
	// leave is done before the process ends although the run has not.
	leave func()
}

// newStop returns the context in which a run has to be started, and what ends it.
func newStop(parent context.Context) (context.Context, *stop) {
	ctx, inner := safepoint.New(parent)

	return ctx, &stop{Stop: inner, patience: 2 * time.Second, over: make(chan struct{}), leave: func() {}}
}

var errInterrupted = &runtime.CancelledError{Reason: "interrupted"}

// exit is os.Exit; tests put something else here.
var exit = os.Exit

// listen waits for interrupts until the function that it returns is called, when the run is over.
func (s *stop) listen(c *cli.Call, p *progress) (end func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for {
			select {
			case <-s.over:
				return
			case <-signals:
				s.interrupt(c, p)
			}
		}
	}()

	return func() {
		signal.Stop(signals)
		s.ended()
	}
}

// ended says that the run is over.
func (s *stop) ended() {
	close(s.over)
	s.Now(nil)
}

func (s *stop) interrupt(c *cli.Call, p *progress) {
	times := s.interrupts.Add(1)
	defer p.hush()()
	switch {
	case times > 2:
		exit(cli.Problem)
	case times == 2:
		c.Errorf(cli.Problem, "interrupted: stopped at once")
		s.Now(errInterrupted)
		go s.endProcess(p)
	// The safe point of a machine that asks a person comes after the answer, for which somebody who interrupts does not want to wait.
	case s.asking.Load() == 0 && s.signals.Send(runtime.Signal{Kind: runtime.SignalStop}):
		c.Errorf(cli.Problem, "interrupted: the machine that runs has a rule for that (interrupt again to stop at once)")
	default:
		s.Request(errInterrupted)
		c.Errorf(cli.Problem, "interrupted: stopping at the next safe point (interrupt again to stop at once)")
	}
}

// endProcess ends the process unless the run ends by itself: the user's own code may not hear that it is broken off.
func (s *stop) endProcess(p *progress) {
	select {
	case <-s.over:
	case <-time.After(s.patience):
		p.close()
		s.leave()
		exit(cli.Problem)
	}
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
