package usercode

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
)

// Code is code of the user, and what it returns beside its error.
type Code interface {
	Run(ctx context.Context) error
}

// worker is a goroutine that runs code of the user, one call after the other.
type worker struct {
	jobs     chan job
	outcomes chan outcome
}

// job is a call that a worker makes.
type job struct {
	ctx  context.Context
	name Name
	code Code
}

// outcome is how a call has ended.
type outcome struct {
	err error
	// hasEnded reports whether the worker has ended with the call, because its code has panicked or
	// has left the goroutine.
	hasEnded bool
}

// startWorker starts a goroutine. It ends when its jobs are closed.
func startWorker() *worker {
	// Both channels hold one element: neither side waits for the other to receive.
	w := &worker{jobs: make(chan job, 1), outcomes: make(chan outcome, 1)}
	go w.work()

	return w
}

func (w *worker) work() {
	name, isDone := Name{}, false
	defer func() {
		if isDone {
			return
		}
		value := recover()
		if value == nil {
			w.outcomes <- outcome{&runtime.PanicError{Where: name.String(), Value: ErrGoexit}, true}

			return
		}
		w.outcomes <- outcome{PanicError(name.String(), value), true}
	}()
	for j := range w.jobs {
		name = j.name
		w.outcomes <- outcome{err: j.code.Run(j.ctx)}
	}
	isDone = true
}
