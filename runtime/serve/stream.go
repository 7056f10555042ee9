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
	if err != nil {
		return err
	}
	for _, e := range recorded {
		l.add(e)
	}
	s.follow(r.Context(), l, run, hub, &at)

	return nil
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

// follow sends what comes until there is nothing more, or nobody who reads it. hub is nil for a run that nobody works on here.
func (s *Server) follow(ctx context.Context, l *lines, run string, hub *hub, at *place) {
	alive := time.NewTicker(aliveTime)
	defer alive.Stop()
	for {
		var n news
		if hub == nil {
			n.over = true
		} else {
			n = hub.next(at)
		}
		for _, e := range n.events {
			l.add(e)
		}
		if len(l.buffer) > 0 && l.flush() != nil {
			return
		}
		var again <-chan time.Time
		if n.missed {
			events, err := s.recorded(ctx, run, at)
			if err != nil {
				return // the client sees that there is no end
			}
			for _, e := range events {
				l.add(e)
			}
			if len(events) > 0 {
				continue
			}
			again = time.After(againTime)
		} else if n.over {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-n.changed:
		case <-again:
		case <-alive.C:
			if l.alive() != nil {
				return
			}
		}
	}
}
