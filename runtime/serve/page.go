package serve

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/agentc-dev/agentc/runtime/app"
	"github.com/agentc-dev/agentc/runtime/page"
)

// shell serves the page. It has no data: that its script asks for, with the token of the person before it. So it is served to all who reach
// the server, by links of other sites, too.
func (s *Server) shell(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	if err := (&page.Page{Title: s.program.Name, Served: true}).Write(&text); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text.Bytes()) // a client that has gone needs no error
}

// mostHas is more than the characters in which a page says what it has.
const mostHas = 64

// showPage answers with a run as the page reads it. What models were asked is not in it while the run is at work: it takes the program's
// whole run again to find out.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	has := r.URL.Query().Get("has")
	if len(has) > mostHas {
		return refuse(http.StatusBadRequest, "QueryError", "has is none of this server's: it has more than %d characters", mostHas)
	}
	done, err := s.roomFor(r.Context(), run)
	if err != nil {
		return err
	}
	defer done()
	live, err := s.pageOf(r.Context(), run)
	if err == nil {
		_ = live(&body{w: w, status: http.StatusOK}, has) // a client that has gone needs no error
	}

	return err
}

// pageOf is a run as the page reads it. That of a run at work is kept with its journal, for all pages that follow it.
func (s *Server) pageOf(ctx context.Context, run string) (live func(w io.Writer, has string) error, err error) {
	at := s.job(run)
	err = s.histories.with(ctx, s.store, run, func(h *history) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		if at != nil && h.live != nil {
			live = h.live
			return nil
		}
		program := *s.program
		if at != nil {
			program.Text = "at work" // so that its hash is that of no run
		}
		shown, err := app.RunsCall{Program: &program}.Page(s.store, h.journal)
		if err != nil {
			s.log.Warn("not all of the run is on its page", "run", run, "error", err)
		}
		if live, err = shown.Live(); at != nil {
			h.live = live
		}

		return err
	})

	return live, err
}
