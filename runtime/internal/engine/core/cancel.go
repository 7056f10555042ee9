package core

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Cancel ends a run. A run that is under way ends by the signal stop where a machine has a rule for
// it, else by Config.Stop or with the effect that is under way. A run of this engine knows of the
// request when Cancel returns, and may not have ended. Another engine or process finds it when it
// reads its messages: see readMessagesNow and pollMessages. A run that no process executes is
// recorded as cancelled. It can be resumed. by is the name of the caller; "" if it is not known. Without a program (p is nil)
// the run may be one of any program.
//
// Errors: ErrNoStore, RunEndedError, WrongProgramError, journal.ErrUnknownRun and others of package
// journal.
func (e *Engine) Cancel(ctx context.Context, p *compiled.Program, run, by string) error {
	if r := e.runningHere(run); r != nil {
		r.requestEnd(by)

		return nil
	}
	j, w, err := e.openJournal(ctx, run)
	if errors.Is(err, journal.ErrRunLocked) {
		text, err := json.Marshal(message{Cancel: cancelRequest, By: by})
		if err != nil {
			return err
		}

		return e.config.Store.Post(ctx, run, text)
	}
	if err != nil {
		return err
	}

	return joinErrors(e.cancelIdle(p, run, by, replay.ReadResumable(j), w), w.Close())
}

// cancelIdle records a run that no process executes as cancelled.
func (e *Engine) cancelIdle(p *compiled.Program, id, by string, h *replay.History, w *journal.Writer) error {
	if program := h.Begin.Value("program"); p != nil && program != p.Name {
		return wrongProgramError(id, program, p.Name)
	}
	if h.IsClosed() && h.End.Name != replay.StatusPaused && h.End.Name != replay.StatusQuarantined {
		return RunEndedError(id, h.End.Name)
	}
	e.recordEnd(h, w, replay.StatusCancelled, &runtime.CancelledError{By: by})

	return nil
}

// recordEnd records the end of a run that no process executes, with fields as names and values.
func (e *Engine) recordEnd(h *replay.History, w *journal.Writer, status string, err error, fields ...string) {
	now := e.config.Clock.Now()
	w.Append(eventRecord(&event.Event{Kind: event.End, Status: status, Seq: h.Seq + 1, Time: now}))
	w.Append(journal.Record{
		Type: journal.End, Time: now.UTC(), Name: status,
		Fields: field.Optional(append([]string{"error_type", runtime.ErrorType(err), "error", err.Error()}, fields...)...),
	})
}

// message is what another process leaves for the owner of a run.
type message struct {
	// Cancel asks for the end of the run if it is not empty; By is the name of the caller, if it is
	// known.
	Cancel string `json:"cancel"`
	By     string `json:"by,omitempty"`
}

// cancelRequest is the text of Cancel. Older runtimes show it as the reason.
const cancelRequest = "a caller requested it"

// pollMessages looks for messages regularly, because an effect may take long, until end is called.
func (r *run) pollMessages() (end func()) {
	stop := make(chan struct{})
	var ended sync.WaitGroup
	ended.Add(1)
	go func() {
		defer ended.Done()
		ticker := time.NewTicker(r.engine.poll)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				r.readMessagesNow(0)
			}
		}
	}()

	return func() {
		close(stop)
		ended.Wait()
	}
}

// messageGap is how long the effects of a run do not ask the store for messages after it was asked: a
// question of a database takes as long as the record of an effect.
const messageGap = 50 * time.Millisecond

// readMessagesNow reads the messages that were left for the run, unless that was done less than gap
// ago.
func (r *run) readMessagesNow(gap time.Duration) {
	now := max(int64(time.Since(r.journal.opened)), 1)
	last := r.journal.asked.Load()
	isRecent := last != 0 && time.Duration(now-last) < gap
	if !isRecent && r.journal.asked.CompareAndSwap(last, now) {
		r.readMessages()
	}
}

// readMessages carries out the messages that were left for the run. If the store cannot report
// them, the run continues as if there were none; if the store cannot record either, the run ends by
// that.
func (r *run) readMessages() {
	messages, _ := r.journal.w.Messages()
	for _, text := range messages {
		var m message
		if json.Unmarshal(text, &m) == nil && m.Cancel != "" {
			r.requestEnd(m.By)
		}
	}
}

// requestEnd ends the run for a caller: by the signal stop where a machine that runs has a rule for
// it, else by Config.Stop, else at once.
func (r *run) requestEnd(by string) {
	if s := r.signalSource(); s != nil && s.Offer(&signaling.Sent{Signal: signals.Signal{Kind: "stop"}, Run: &r.signals}) {
		return
	}
	cause := &runtime.CancelledError{By: by}
	if stop := r.engine.config.Stop; stop != nil {
		stop(r.id, cause)

		return
	}
	r.cancel(cause)
}
