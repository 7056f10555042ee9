package serve

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"
)

// againTime is when a reader looks into the journal again for events that it has missed and that are not there yet.
const againTime = 20 * time.Millisecond

func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	from, err := firstEvent(r)
	if err != nil {
		return err
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return newRequestError(http.StatusTooManyRequests, "TooManyStreamsError", "%d clients read events, and no more are allowed", mostStreams)
	}
	j := s.jobOf(run) // before the journal is read, or events in between were missed
	var hub *hub
	at := place{seq: from}
	if j != nil {
		hub = j.hub
		at = hub.placeAt(from)
	}
	l, err := newLines(w, r)
	if err != nil {
		return err
	}
	more, err := s.bufferRecorded(r.Context(), l, run, &at)
	hasNothing := l.events && len(l.buffer) == 0 && j == nil
	switch {
	case err != nil:
		return err
	case hasNothing && connectsAgain(r) && s.isOver(r.Context(), run):
		w.WriteHeader(http.StatusNoContent) // with anything else a browser would ask for ever

		return nil
	}
	l.writeHeader()
	if r.Method == http.MethodHead {
		return nil // there is nothing to wait for
	}
	err = l.controller.Flush() // a client that waits for the first event is not to wait for the header too
	for more && err == nil {
		err = l.flushEvents()
		if err == nil {
			more, err = s.bufferRecorded(r.Context(), l, run, &at)
		}
	}
	if err == nil {
		err = l.flushEvents()
	}
	if err == nil && hub != nil {
		target, _ := s.targetOf(r.Context(), run) // of a run that cannot be read nothing is known
		sees := func() bool { return callerOf(r).CanSee(target) }
		s.sendNews(r.Context(), l, run, hub, &at, sees)
	}

	return nil // the reply has begun: a client sees that it has no end
}

// connectsAgain reports whether a client has read the stream before.
func connectsAgain(r *http.Request) bool {
	last, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))

	return err == nil && last > 0
}

// isOver reports whether a run has ended and is continued only if a caller asks for that.
func (s *Server) isOver(ctx context.Context, run string) bool {
	h, err := s.histories.readHead(ctx, s.store, run)

	return err == nil && s.jobOf(run) == nil && !h.run.Ended.IsZero() && !h.interrupted
}

// firstEvent is the number of the first event that a client asks for: the query's, or that after the last that it has.
func firstEvent(r *http.Request) (int, error) {
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil && last > 0 && last < math.MaxInt32 {
		return last + 1, nil
	}

	return readNumber(r, "from", 0, math.MaxInt32, 1)
}

// bufferRecorded puts the next piece of the recorded events into the buffer, and moves the place
// behind it. more reports whether there may be another piece.
func (s *Server) bufferRecorded(ctx context.Context, l *lines, run string, at *place) (more bool, err error) {
	err = s.histories.withHistory(ctx, s.store, run, func(h *history) error {
		for _, e := range h.eventsFrom(at.seq) {
			if len(l.buffer) >= pieceBytes {
				more = true
				break
			}
			at.seq = e.seq
			more = !l.addPiece(h.lineOf(e), &at.sent)
			if more {
				break
			}
			at.seq++
		}

		return nil
	})

	return more, err
}

// sendNews sends the events that happen until there are no more, the client leaves, or the reader
// may not see the run any more.
func (s *Server) sendNews(ctx context.Context, l *lines, run string, hub *hub, at *place, sees func() bool) {
	alive := time.NewTicker(aliveTime)
	defer alive.Stop()
	for sees() {
		n := hub.next(at)
		more, err := s.sendNext(ctx, l, run, n, at)
		switch {
		case err != nil:
			return // a client that is still there sees that there is no end
		case more:
			continue
		case n.over || !l.waitForMore(ctx, n, alive.C):
			return
		}
	}
}

// sendNext sends news, and from the journal what was missed. more reports whether there may be more
// at once.
func (s *Server) sendNext(ctx context.Context, l *lines, run string, n news, at *place) (more bool, err error) {
	for _, e := range n.events {
		if err := l.addEvent(e); err != nil {
			return false, err
		}
	}
	if err := l.flushEvents(); err != nil {
		return false, err
	}
	if !n.missed {
		return false, nil
	}
	for again := true; again; {
		again, err = s.bufferRecorded(ctx, l, run, at)
		if err != nil {
			return false, err
		}
		more = more || len(l.buffer) > 0
		if err := l.flushEvents(); err != nil {
			return false, err
		}
	}

	return more, nil
}

// waitForMore waits until there may be more, and reports whether a client still reads.
func (l *lines) waitForMore(ctx context.Context, n news, alive <-chan time.Time) bool {
	var again <-chan time.Time
	if n.missed { // it is reported, and about to be recorded
		again = time.After(againTime)
	}
	select {
	case <-ctx.Done():
		return false
	case <-n.changed:
	case <-again:
	case <-alive:
		return l.sendKeepAlive() == nil
	}

	return true
}
