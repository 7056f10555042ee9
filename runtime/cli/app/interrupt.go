package app

import (
	"context"
	"errors"
	"os"
	"os/signal"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/safepoint"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// stop ends a run on an interrupt. The first one is offered as a signal to the machines that run.
// Where none has a rule for it, the effects that are under way end and are recorded, and no other
// begins. The second one interrupts what is under way; the third one, or a while, ends the process.
type stop struct {
	*safepoint.Stop
	signals    *signaling.Signals
	interrupts atomic.Int32
	// by is the signal that came first; 0 as long as none has.
	by     atomic.Int32
	asking atomic.Int32 // questions that branches are asking
	// left reports whether a question was left open, because its terminal is gone or the person has
	// ended the input. gone is closed when the terminal is.
	left    atomic.Bool
	gone    chan struct{}
	hangups sync.Once
	// patience is how long a run may take to end once it is interrupted; over reports whether it
	// has ended.
	patience time.Duration
	over     chan struct{}
	// leave is done before the process ends although the run has not.
	leave func()
}

// newStop returns the context in which a run has to be started, and what ends it.
func newStop(parent context.Context) (context.Context, *stop) {
	ctx, inner := safepoint.New(parent)

	return ctx, &stop{Stop: inner, signals: &signaling.Signals{}, patience: 2 * time.Second, over: make(chan struct{}), gone: make(chan struct{}), leave: func() {}}
}

var errInterrupted = &runtime.CancelledError{Reason: "interrupted"}

// exit is os.Exit; tests put something else here.
var exit = os.Exit

// listenForSignals handles interrupts until the function that it returns is called, when the run is
// over.
func (s *stop) listenForSignals(c *cli.Call, p *progress.Progress) (end func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	// nohup ignores SIGHUP. WASI has no signals, and Ignored panics there.
	if goruntime.GOOS != "wasip1" && !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	// A reader of stdout that is gone does not end the process before the run has said how to
	// resume it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		for {
			select {
			case <-s.over:
				return
			case sig := <-signals:
				if sig == syscall.SIGHUP { // a terminal that is closed interrupts once, though the shell and the system may both say so
					s.hangups.Do(func() { s.hangUp(c, p) })
					continue
				}
				s.recordSignal(sig)
				s.interruptRun(c, p)
			}
		}
	}()

	return func() {
		signal.Stop(signals)
		s.finish()
	}
}

// finish records that the run is over.
func (s *stop) finish() {
	close(s.over)
	s.Now(nil)
}

// recordSignal records the first signal.
func (s *stop) recordSignal(sig os.Signal) {
	if number, ok := sig.(syscall.Signal); ok {
		s.by.CompareAndSwap(0, int32(number))
	}
}

// hangUp leaves the questions open that are being asked: the run pauses when its other branches are
// done. Without a question it is an interrupt.
func (s *stop) hangUp(c *cli.Call, p *progress.Progress) {
	asks := s.asking.Load() > 0
	close(s.gone)
	if asks || s.left.Load() {
		return
	}
	s.recordSignal(syscall.SIGHUP)
	s.interruptRun(c, p)
}

// exitCode returns the exit code of a run that a signal has ended, as shells define it.
func (s *stop) exitCode() int {
	if by := s.by.Load(); by != 0 {
		return 128 + int(by)
	}

	return cli.Problem
}

func (s *stop) interruptRun(c *cli.Call, p *progress.Progress) {
	times := s.interrupts.Add(1)
	defer p.Hush()()
	switch {
	case times > 2:
		exit(s.exitCode())
	case times == 2:
		c.Sayf("interrupted: stopped at once")
		s.Now(errInterrupted)
		go s.endProcess(p)
	// The safe point of a machine that asks a person comes after the answer, for which a caller who
	// interrupts does not want to wait.
	case s.asking.Load() == 0 && s.signals.Send(signals.Signal{Kind: "stop"}):
		c.Sayf("interrupted: the machine that runs has a rule for that (interrupt again to stop at once)")
	default:
		s.Request(errInterrupted)
		c.Sayf("interrupted: stopping at the next safe point (interrupt again to stop at once)")
	}
}

// endProcess ends the process unless the run ends by itself: the user's own code may not notice
// that it is interrupted.
func (s *stop) endProcess(p *progress.Progress) {
	select {
	case <-s.over:
	case <-time.After(s.patience):
		p.Close()
		s.leave()
		exit(s.exitCode())
	}
}

func (s *stop) wrapAsker(p *progress.Progress, inner core.Asker) core.Asker {
	return askerFunc(func(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
		defer p.Hush()()
		s.asking.Add(1)
		defer s.asking.Add(-1)
		shown := q
		shown.Prompt, shown.Channel = cells.CleanLines(q.Prompt), cells.Clean(q.Channel)
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		go func() {
			select {
			case <-s.gone:
				cancel(errHungUp)
			case <-ctx.Done():
			}
		}()
		answer, err := inner.Ask(ctx, shown)
		if errors.Is(err, errHungUp) || errs.Is[*runtime.PausedError](err) {
			s.left.Store(true)
			err = &runtime.PausedError{Question: q}
		}

		return answer, err
	})
}

// errHungUp ends a question whose terminal is closed.
var errHungUp = errors.New("the terminal was closed")

type askerFunc func(context.Context, runtime.Question) (runtime.Answer, error)

func (f askerFunc) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	return f(ctx, q)
}
