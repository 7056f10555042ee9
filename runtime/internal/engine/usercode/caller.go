package usercode

import (
	"context"
	"sync"
	"time"
)

// Caller calls the code of the user for one branch of a run, one call after the other. The zero
// value can be used.
type Caller struct {
	// Owner is notified of promises that are broken.
	Owner Owner
	// worker runs code that makes no promise; nil before its first call, and after a call that was
	// abandoned.
	worker *worker

	mu sync.Mutex
	// promised is the promise of the code that runs in this goroutine; nil while none does.
	promised *Promise
	// ctx is the context of that code, and calls counts its calls.
	ctx   context.Context
	calls int
	// ended is the channel that ends the newest context that was watched, and stop stops that.
	ended <-chan struct{}
	stop  func() bool
	// timer waits for code that should have returned.
	timer *time.Timer
}

// Owner is what a [Caller] works for.
type Owner interface {
	// ReportBrokenPromise is called when code has not returned within [Grace] of the end of its
	// context. The code still runs, and the owner waits for it.
	ReportBrokenPromise(name Name)
}

// Call runs code of the user, for at most limit if that is not 0. A panic is a
// *runtime.PanicError, and what takes longer a *runtime.TimeoutError.
//
// Code with a promise, and code whose context never ends, runs in this goroutine. Other code runs
// in a goroutine of its own, which the next calls share. When ctx ends it is abandoned, because it
// must not hold the run, and the error is the cause. It then continues by itself: hasReturned is
// false, and the code must neither be read nor used again.
func (c *Caller) Call(ctx context.Context, limit time.Duration, name Name, p *Promise, code Code) (hasReturned bool, err error) {
	limited, cancel := WithLimit(ctx, limit, name)
	defer cancel()
	if limited.Done() == nil || p.isKept() {
		return true, LimitError(limited, limit, c.callHere(limited, name, p, code))
	}

	if c.worker == nil {
		c.worker = startWorker()
	}
	c.worker.jobs <- job{limited, name, code}
	select {
	case o := <-c.worker.outcomes:
		if o.hasEnded {
			c.worker = nil
		}

		return true, LimitError(limited, limit, o.err)
	case <-limited.Done():
		c.endWorker()

		return false, LimitError(limited, limit, context.Cause(limited))
	}
}

// Close ends the goroutine of the caller, and stops watching. Code that was abandoned continues.
func (c *Caller) Close() {
	c.endWorker()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopWatching()
}

// endWorker ends the worker after its call.
func (c *Caller) endWorker() {
	if c.worker != nil {
		close(c.worker.jobs)
		c.worker = nil
	}
}

// callHere runs code in this goroutine.
func (c *Caller) callHere(ctx context.Context, name Name, p *Promise, code Code) (err error) {
	defer Recover(name, &err)
	if ctx.Done() == nil {
		return code.Run(ctx)
	}
	c.beginPromised(ctx, p)
	defer c.endPromised()
	if cause := Cause(ctx); cause != nil {
		return cause
	}

	return code.Run(ctx)
}

// beginPromised watches the context of code that is about to run in this goroutine. Most contexts of
// a branch end together with the run, and are watched once.
func (c *Caller) beginPromised(ctx context.Context, p *Promise) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.promised, c.ctx = p, ctx
	c.calls++
	if ended := ctx.Done(); c.ended != ended {
		c.stopWatching()
		c.ended, c.stop = ended, context.AfterFunc(ctx, c.startTimer)
	}
}

func (c *Caller) endPromised() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.promised, c.ctx = nil, nil
}

// stopWatching stops watching the newest context. The caller has the lock.
func (c *Caller) stopWatching() {
	if c.stop != nil {
		c.stop()
		c.ended, c.stop = nil, nil
	}
	if c.timer != nil {
		c.timer.Stop()
	}
}

// startTimer is called when a context has ended.
func (c *Caller) startTimer() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.promised == nil {
		return
	}
	call := c.calls
	c.timer = time.AfterFunc(Grace, func() { c.checkPromise(call) })
}

// checkPromise reports a call that still runs although its context has ended. Its end waits until
// that is reported.
func (c *Caller) checkPromise(call int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.promised == nil || c.calls != call || c.ctx.Err() == nil {
		return
	}
	c.promised.isBroken.Store(true)
	c.Owner.ReportBrokenPromise(c.promised.Name)
}
