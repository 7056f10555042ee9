package serve

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/journal"
)

// againTime is when a reader looks into the journal again for events that it has missed and that are not there yet.
const againTime = 20 * time.Millisecond

func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request) error {
	run, err := runOf(r)
	if err != nil {
		return err
	}
	from, err := firstEvent(r)
	if err != nil {
		return err
	}
	j := s.job(run) // before the journal is read, or events in between were missed
	var hub *hub
	at := place{seq: from}
	if j != nil {
		hub = j.hub
		at = hub.enter(from)
	}
	recorded, err := s.recorded(r.Context(), run, &at)
	if err != nil {
		return err
	}
	l, err := newLines(w, r)
	switch {
	case err != nil:
		return err
	case l.events && len(recorded) == 0 && j == nil && connectsAgain(r) && s.isOver(r.Context(), run):
		w.Header().Del("Content-Type")
		w.WriteHeader(http.StatusNoContent) // with anything else a browser would ask for ever

		return nil
	case r.Method == http.MethodHead:
		return nil // there is nothing to wait for
	}
	for _, e := range recorded {
		l.add(e)
	}
	if l.flush() == nil && hub != nil {
		s.follow(r.Context(), l, run, hub, &at)
	}

	return nil // whatever came of it: the reply has begun
}

// connectsAgain says that a client has read the stream before.
func connectsAgain(r *http.Request) bool {
	last, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))

	return err == nil && last > 0
}

// isOver says that a run has ended, and that nobody goes on with it unless somebody asks for that.
func (s *Server) isOver(ctx context.Context, run string) bool {
	t, status, err := s.outline(ctx, run)

	return err == nil && (status == Done || status == Failed || status == Cancelled && !interrupted(t, status))
}

// firstEvent is the number of the first event that a client asks for: the query's, or that after the last that it has.
func firstEvent(r *http.Request) (int, error) {
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil && last > 0 && last < math.MaxInt32 {
		return last + 1, nil
	}

	return number(r, "from", 0, math.MaxInt32, 1)
}

// recorded reads the events of a journal from a place on, and moves the place behind them.
func (s *Server) recorded(ctx context.Context, run string, at *place) ([]told, error) {
	read, err := journal.Read(ctx, s.store, run)
	if err != nil {
		return nil, err
	}
	var events []told
	for i := range read.Records {
		record := &read.Records[i]
		if record.Type != journal.Event {
			continue
		}
		if e := eventOf(run, record); e.seq >= at.seq {
			events = append(events, e)
			at.seq = e.seq + 1
		}
	}

	return events, nil
}

// follow sends what comes until there is nothing more, or nobody who reads it.
func (s *Server) follow(ctx context.Context, l *lines, run string, hub *hub, at *place) {
	alive := time.NewTicker(aliveTime)
	defer alive.Stop()
	for {
		n := hub.next(at)
		more, err := s.send(ctx, l, run, n, at)
		switch {
		case err != nil:
			return // a client that is still there sees that there is no end
		case more:
			continue
		case n.over || !l.wait(ctx, n, alive.C):
			return
		}
	}
}

// send sends news, and what was missed if the journal has it. more says that there may be more at once.
func (s *Server) send(ctx context.Context, l *lines, run string, n news, at *place) (more bool, err error) {
	for _, e := range n.events {
		l.add(e)
	}
	if n.missed {
		events, err := s.recorded(ctx, run, at)
		if err != nil {
			return false, err
		}
		for _, e := range events {
			l.add(e)
		}
		more = len(events) > 0
	}
	if len(l.buffer) == 0 {
		return more, nil
	}

	return more, l.flush()
}

// wait waits until there may be more, and says whether somebody still reads.
func (l *lines) wait(ctx context.Context, n news, alive <-chan time.Time) bool {
	var again <-chan time.Time
	if n.missed { // it is told, and about to be recorded
		again = time.After(againTime)
	}
	select {
	case <-ctx.Done():
		return false
	case <-n.changed:
	case <-again:
	case <-alive:
		return l.alive() == nil
	}

	return true
}
