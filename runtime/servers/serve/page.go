package serve

import (
	"bytes"
	"context"
	"net/http"

	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// servePage serves the page. It has no data: that its script asks for, with the token of the person before it. So it is served to all who reach
// the server, by links of other sites, too.
func (s *Server) servePage(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	if err := (&page.Page{Title: s.program.Name, Served: true}).Write(&text); err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text.Bytes()) // a client that has gone needs no error
}

// mostHas is more than the characters with which a page describes what it has.
const mostHas = 64

// conditionOf finds out who works on a run.
func (s *Server) conditionOf(ctx context.Context, run string) (c condition, err error) {
	if s.jobOf(run) != nil {
		return condition{atWork: true}, nil
	}
	c.owned, err = s.store.Owned(ctx, run)

	return c, err
}

// showPage answers with a run as the page reads it. What models were asked is not in it while the run is at work: it takes the program's
// whole run again to find out. A page that has all of it gets an answer that says so, without a look into the journal.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	has := r.URL.Query().Get("has")
	if len(has) > mostHas {
		return newRequestError(http.StatusBadRequest, "QueryError", "has is none of this server's: it has more than %d characters", mostHas)
	}
	now, err := s.conditionOf(r.Context(), run)
	if err != nil {
		return err
	}
	kept, err := s.histories.readCached(r.Context(), s.store, run)
	if err != nil {
		return err
	}
	reply := &body{w: w, status: http.StatusOK}
	if has != "" && kept.has == (hasPage{now, has}) {
		_ = page.WriteSame(reply, has) // a client that has gone needs no error
		return nil
	}
	live, done, err := s.pageOf(r.Context(), run, now)
	if err != nil {
		return err
	}
	defer done()
	_ = live.Write(reply, has)

	return nil
}

// pageOf is a run as the page reads it in a condition. It is kept with its journal, for all pages
// that follow it; done reports whether it was sent to one.
func (s *Server) pageOf(ctx context.Context, run string, now condition) (live *page.Live, done func(), err error) {
	err = s.histories.withHistory(ctx, s.store, run, func(h *history) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.live.Live == nil || h.live.condition != now {
			made, err := s.makePage(h.journal, now)
			if err != nil {
				return err
			}
			h.live = livePage{now, made}
			s.histories.noteHas(run, h, hasPage{now, made.Has()})
		}
		live, done = h.live.Live, func() { s.room.release(h) }

		return s.room.reserve(h)
	})

	return live, done, err
}

// makePage makes the page of a run.
func (s *Server) makePage(j *journal.Journal, now condition) (*page.Live, error) {
	program := *s.program
	if now.atWork {
		program.Text = "at work" // so that its hash is different from the hash of any run
	}
	shown, err := app.RunsCall{Program: &program}.Page(s.store, j)
	if err != nil {
		s.log.Warn("not all of the run is on its page", "run", j.Run, "error", err)
	}
	shown.AtWork = now.atWork
	shown.Status = string(client.Interrupted)
	if now.atWork || now.owned {
		shown.Status = string(client.Running)
	}

	return shown.Live()
}
