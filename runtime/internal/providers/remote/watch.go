package remote

import (
	"context"
	"errors"
	"time"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Watch ends a call that takes too long, as a whole or between two parts of its reply.
type Watch struct {
	// Ctx ends when the time is up.
	Ctx    context.Context
	cancel context.CancelCauseFunc
	whole  *time.Timer
	// idle runs once a reply has begun, and again with each part.
	idle  *time.Timer
	pause time.Duration
}

// WatchCall begins the time of a call.
func WatchCall(parent context.Context, timeout time.Duration) *Watch {
	w := &Watch{}
	w.Ctx, w.cancel = context.WithCancelCause(parent)
	w.whole = time.AfterFunc(timeout, func() { w.cancel(slow("the call took longer than " + timeout.String())) })

	return w
}

func slow(message string) *Broken { return NewBroken(model.Timeout, message) }

// Begin bounds from now on how long nothing may come.
func (w *Watch) Begin(pause time.Duration) {
	w.pause = pause
	w.idle = time.AfterFunc(pause, func() { w.cancel(slow("the server sent nothing for " + pause.String())) })
}

// Hurry shortens the wait: what counts has come.
func (w *Watch) Hurry(pause time.Duration) {
	w.pause = min(w.pause, pause)
	w.idle.Reset(w.pause)
}

// End gives everything back.
func (w *Watch) End() {
	w.whole.Stop()
	if w.idle != nil {
		w.idle.Stop()
	}
	w.cancel(nil)
}

// Late is err, or that the time was up if that is why.
func (w *Watch) Late(err error) error {
	var late *Broken
	if errors.As(context.Cause(w.Ctx), &late) {
		return late
	}

	return err
}
