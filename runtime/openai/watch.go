package openai

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// watch ends a call that takes too long, as a whole or between two parts of its reply.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	whole  *time.Timer
	// idle runs once a reply has begun, and anew with each part.
	idle  *time.Timer
	pause time.Duration
}

func watchCall(parent context.Context, timeout time.Duration) *watch {
	w := &watch{}
	w.ctx, w.cancel = context.WithCancelCause(parent)
	w.whole = time.AfterFunc(timeout, func() { w.cancel(slow("the call took longer than " + timeout.String())) })

	return w
}

func slow(message string) *brokenError { return broken(runtime.ModelTimeout, message) }

// begin bounds from now on how long nothing may come.
func (w *watch) begin(pause time.Duration) {
	w.pause = pause
	w.idle = time.AfterFunc(pause, func() { w.cancel(slow("the server sent nothing for " + pause.String())) })
}

// hurry shortens the wait: what counts has come.
func (w *watch) hurry(pause time.Duration) {
	w.pause = min(w.pause, pause)
	w.idle.Reset(w.pause)
}

// end gives everything back.
func (w *watch) end() {
	w.whole.Stop()
	if w.idle != nil {
		w.idle.Stop()
	}
	w.cancel(nil)
}

// late is err, or that the time was up if that is why.
func (w *watch) late(err error) error {
	var late *brokenError
	if errors.As(context.Cause(w.ctx), &late) {
		return late
	}

	return err
}

// watch returns a reader whose every part starts the pause anew.
func (w *watch) watch(r io.Reader) io.Reader { return &watched{r: r, watch: w} }

type watched struct {
	r     io.Reader
	watch *watch
}

func (r *watched) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 {
		r.watch.idle.Reset(r.watch.pause)
	}

	return n, err
}
