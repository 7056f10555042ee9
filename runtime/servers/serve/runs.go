package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func (s *Server) serveRun(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")

	return s.answerWith(w, r, http.StatusOK, run, nil)
}

// answerWith answers with a run as it is now. problem is why it does not go on, if it was to.
func (s *Server) answerWith(w http.ResponseWriter, r *http.Request, status int, run string, problem error) error {
	hold := s.room.reserve
	if r.Method == http.MethodPost { // what was asked for has been done
		hold = s.room.holdAnyway
	}
	text, done, err := s.shownText(r.Context(), run, problem, hold)
	if err != nil {
		return err
	}
	defer done()
	if status == http.StatusCreated {
		w.Header().Set("Location", locationOf(r, run))
	}
	_, _ = (&body{w: w, status: status}).Write(text) // a client that has gone needs no error

	return nil
}

// shownRun is a run as it is shown, by what this server says of it beside the journal.
type shownRun struct {
	status client.Status
	text   []byte
}

// shownText is a run as it is shown, as JSON. All who are sent the same journal share it; done
// reports whether it was sent.
func (s *Server) shownText(ctx context.Context, run string, problem error, hold func(*history) error) (text []byte, done func(), err error) {
	j := s.jobOf(run) // before, as a run that ends meanwhile has ended in its journal
	err = s.histories.withHistory(ctx, s.store, run, func(h *history) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		status := client.Status("") // as the journal says
		if j != nil {
			status = j.status()
		}
		text = h.shown.text
		if text == nil || h.shown.status != status || problem != nil {
			t := trace.Of(h.journal.Records)
			shown := wire.RunOf(run, t, statusIn(t, j))
			wire.MarkStranded(shown, s.program.Name, s.program.Shape)
			if problem != nil {
				shown.Problem = problemOf(problem)
			}
			made, err := json.Marshal(shown)
			if err != nil {
				return err
			}
			text = append(made, '\n')
			if problem == nil {
				h.shown = shownRun{status, text}
			}
		}
		done = func() { s.room.release(h) }

		return hold(h)
	})

	return text, done, err
}

// locationOf is where a run is, relative to the path of a request: the handler may be mounted below a path that it does not know.
func locationOf(r *http.Request, run string) string {
	return strings.Repeat("../", strings.Count(r.URL.Path, "/")-1) + "runs/" + run
}

// readRun reads a run's journal and determines its status.
func (s *Server) readRun(ctx context.Context, run string) (t *trace.Trace, status client.Status, err error) {
	j := s.jobOf(run) // before, as a run that ends meanwhile has ended in its journal
	err = s.histories.withHistory(ctx, s.store, run, func(h *history) error {
		t = trace.Of(h.journal.Records)
		return nil
	})
	if err != nil {
		return nil, "", err
	}

	return t, statusIn(t, j), nil
}

// statusIn is where a run is that this server works on, if j is not nil.
func statusIn(t *trace.Trace, j *job) client.Status {
	switch {
	case j != nil:
		return j.status()
	case t.Status == trace.Open:
		return client.Interrupted
	}

	return client.Status(t.Status)
}

func (s *Server) showRun(ctx context.Context, run string) (*client.Run, error) {
	t, status, err := s.readRun(ctx, run)
	if err != nil {
		return nil, err
	}

	of := wire.RunOf(run, t, status)
	wire.MarkStranded(of, s.program.Name, s.program.Shape)

	return of, nil
}

// mostRuns and someRuns are how many runs a list has at most, and without a limit.
const mostRuns, someRuns = 1000, 100

func (s *Server) serveRuns(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	in := client.List{Status: client.Status(query.Get("status")), Agent: query.Get("agent"), Before: query.Get("before"), Search: query.Get("search")}
	var err error
	in.Limit, err = readNumber(r, "limit", 1, mostRuns, someRuns)
	if err != nil {
		return err
	}
	if since := query.Get("since"); since != "" {
		in.Since, err = time.Parse(time.RFC3339, since)
		if err != nil {
			return newRequestError(http.StatusBadRequest, "QueryError", "since is a time such as 2026-11-23T12:00:00Z, not %q", since)
		}
	}
	list, err := s.listRuns(r.Context(), callerOf(r), in)
	if err != nil {
		return err
	}
	if list.Next != "" {
		query.Set("before", list.Next)
		w.Header().Set("Link", "<?"+query.Encode()+`>; rel="next"`)
	}

	return writeJSON(w, http.StatusOK, list)
}

// listRuns lists the runs that a caller may see. Errors: *requestError.
func (s *Server) listRuns(ctx context.Context, who access.Caller, in client.List) (*client.Runs, error) {
	if in.Status != "" && !slices.Contains(statuses, string(in.Status)) {
		const text = "status is one of %s, not %q"
		return nil, newRequestError(http.StatusBadRequest, "QueryError", text, strings.Join(statuses, ", "), in.Status)
	}
	if in.Limit < 0 || in.Limit > mostRuns {
		return nil, newRequestError(http.StatusBadRequest, "QueryError", "limit is at most %d, not %d", mostRuns, in.Limit)
	}
	limit := cmp.Or(in.Limit, someRuns)
	names, err := s.store.List(ctx, journal.Query{Statuses: labelOf(in.Status), Agent: in.Agent, Since: in.Since})
	if err != nil {
		return nil, err
	}
	if in.Status == "" && in.Agent == "" && in.Since.IsZero() {
		s.histories.forgetRemoved(names)
	}
	if in.Before != "" {
		at, _ := slices.BinarySearch(names, in.Before)
		names = names[:at]
	}

	may, err := who.Grant()
	if err != nil {
		return nil, err
	}
	list := &client.Runs{Runs: []client.Run{}}
	for _, run := range slices.Backward(names) {
		of, err := s.listedRun(ctx, run)
		switch {
		case err != nil:
			return nil, err
		case of == nil || !may.CanSee(access.Target{By: of.By, Agent: of.Agent}) || !isListed(of, in):
			continue
		case len(list.Runs) == limit:
			list.Next = list.Runs[limit-1].ID
			return list, nil
		}
		list.Runs = append(list.Runs, *of)
	}

	return list, nil
}

// isListed reports whether a run belongs to a list.
func isListed(of *client.Run, in client.List) bool {
	if in.Status != "" && of.Status != in.Status || !hasText(of, strings.ToLower(in.Search)) {
		return false
	}

	return journal.Query{Agent: in.Agent, Since: in.Since}.Fits(journal.Labels{Agent: of.Agent, Begun: of.Begun})
}

// hasText reports whether a run as it is listed contains a text in lower case.
func hasText(run *client.Run, text string) bool {
	all := []string{run.ID, run.Agent, run.Input}
	for _, q := range run.Questions {
		all = append(all, q.ID, q.Prompt)
	}
	if run.Result != nil {
		all = append(all, run.Result.Key, run.Result.Value)
	}
	if run.Problem != nil {
		all = append(all, run.Problem.Message)
	}

	return slices.ContainsFunc(all, func(part string) bool { return strings.Contains(strings.ToLower(part), text) })
}

// labelOf returns the label that runs of a status have in the store; nil where they may have any.
func labelOf(status client.Status) []string {
	switch status {
	case "", client.Queued, client.Running, client.Damaged:
		return nil
	case client.Interrupted:
		return []string{trace.Open}
	}

	return []string{string(status)}
}

// listedRun returns a run as a list shows it; nil if it was removed meanwhile, or has not happened.
// A damaged run hides no others.
func (s *Server) listedRun(ctx context.Context, run string) (*client.Run, error) {
	j := s.jobOf(run) // before, as a run that ends meanwhile has ended in its journal
	h, err := s.histories.readHead(ctx, s.store, run)
	switch {
	case errors.Is(err, journal.ErrUnknownRun) || errors.Is(err, journal.ErrNotBegun):
		return nil, nil
	case errs.Is[*journal.DamagedError](err) || errs.Is[*journal.FormatError](err):
		return &client.Run{
			ID: run, Status: client.Damaged, Questions: []client.Question{}, Answers: []client.Answer{}, Problem: problemOf(err),
		}, nil
	case err != nil:
		return nil, err
	}
	of := h.run
	if j != nil {
		of.Status, of.Ended, of.Result, of.Problem = j.status(), time.Time{}, nil, nil
	}
	wire.MarkStranded(&of, s.program.Name, s.program.Shape)

	return &of, nil
}
