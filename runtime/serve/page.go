package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/agentc-dev/agentc/runtime/app"
	"github.com/agentc-dev/agentc/runtime/journal"
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

// showPage answers with a run as the page reads it. What models were asked is not in it while the run is at work: it takes the program's
// whole run anew to find out.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request) error {
	run, err := runOf(r)
	if err != nil {
		return err
	}
	done, err := s.roomFor(r.Context(), run)
	if err != nil {
		return err
	}
	defer done()
	text, err := s.pageOf(r.Context(), run)
	if err != nil {
		return err
	}

	return write(w, http.StatusOK, json.RawMessage(text))
}

// pageOf is a run as the page reads it.
func (s *Server) pageOf(ctx context.Context, run string) (text []byte, err error) {
	at := s.job(run)
	var j *journal.Journal
	err = s.histories.with(ctx, s.store, run, func(h *history) error {
		j = h.journal
		return nil
	})
	if err != nil {
		return nil, err
	}
	program := *s.program
	if at != nil {
		program.Text = "" // as that of no run
	}
	shown, err := app.PageRun(&program, s.store, j)
	if err != nil {
		s.log.Warn("not all of the run is on its page", "run", run, "error", err)
	}

	return shown.JSON()
}
