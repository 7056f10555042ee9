package serve

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/access"
	"github.com/agentc-dev/agentc/runtime/client"
	"github.com/agentc-dev/agentc/runtime/internal/errs"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
)

func (s *Server) showRun(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")

	return s.answerWith(w, r, http.StatusOK, run, nil)
}

// answerWith answers with a run as it is now. problem is why it does not go on, if it was to.
func (s *Server) answerWith(w http.ResponseWriter, r *http.Request, status int, run string, problem error) error {
	done, err := s.roomFor(r.Context(), run)
	if err != nil {
		return err
	}
	defer done()
	shown, err := s.show(r.Context(), run)
	if err != nil {
		return err
	}
	if problem != nil {
		shown.Problem = problemOf(problem)
	}
	if status == http.StatusCreated {
		w.Header().Set("Location", locationOf(r, run))
	}

	return write(w, status, shown)
}

// locationOf is where a run is, relative to the path of a request: the handler may be mounted below a path that it does not know.
func locationOf(r *http.Request, run string) string {
	return strings.Repeat("../", strings.Count(r.URL.Path, "/")-1) + "runs/" + run
}

// roomFor waits until a run can be shown: what is shown of a large one is in memory until the client has read it, so only a few are
// shown at the same time.
func (s *Server) roomFor(ctx context.Context, run string) (done func(), err error) {
	size, _, err := s.store.Stamp(ctx, run)
	if err != nil || size < largeJournal {
		return func() {}, err
	}

	return take(ctx, s.large)
}

// read reads a run's journal, and finds out where it is.
func (s *Server) read(ctx context.Context, run string) (t *trace.Trace, status client.Status, err error) {
	j := s.job(run) // before, as a run that ends meanwhile has ended in its journal
	err = s.histories.with(ctx, s.store, run, func(h *history) error {
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

func (s *Server) show(ctx context.Context, run string) (*client.Run, error) {
	t, status, err := s.read(ctx, run)
	if err != nil {
		return nil, err
	}

	of := wire.RunOf(run, t, status)
	wire.MarkStranded(of, s.program.Name, s.program.Shape)

	return of, nil
}

// mostRuns and someRuns are how many runs a list has at most, and without a limit.
const mostRuns, someRuns = 1000, 100

func (s *Server) listRuns(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	limit, err := number(r, "limit", 1, mostRuns, someRuns)
	if err != nil {
		return err
	}
	wanted := query.Get("status")
	if wanted != "" && !slices.Contains(statuses, wanted) {
		return refuse(http.StatusBadRequest, "QueryError", "status is one of %s, not %q", strings.Join(statuses, ", "), wanted)
	}
	q := journal.Query{Agent: query.Get("agent")}
	if since := query.Get("since"); since != "" {
		if q.Since, err = time.Parse(time.RFC3339, since); err != nil {
			return refuse(http.StatusBadRequest, "QueryError", "since is a time such as 2026-11-23T12:00:00Z, not %q", since)
		}
	}
	names, err := s.store.List(r.Context(), journal.Query{Statuses: labelOf(client.Status(wanted)), Agent: q.Agent, Since: q.Since})
	if err != nil {
		return err
	}
	if wanted == "" && q.Agent == "" && q.Since.IsZero() {
		s.histories.forget(names)
	}
	if before := query.Get("before"); before != "" {
		at, _ := slices.BinarySearch(names, before)
		names = names[:at]
	}

	who := callerOf(r)
	list := client.Runs{Runs: []client.Run{}}
	for _, run := range slices.Backward(names) {
		of, err := s.listed(r.Context(), run)
		switch {
		case err != nil:
			return err
		case of == nil || !who.CanSee(access.Target{By: of.By, Agent: of.Agent}):
			continue
		case wanted != "" && string(of.Status) != wanted || !q.Fits(journal.Labels{Agent: of.Agent, Begun: of.Begun}):
			continue
		case len(list.Runs) == limit:
			list.Next = list.Runs[limit-1].ID
			query.Set("before", list.Next)
			w.Header().Set("Link", "<?"+query.Encode()+`>; rel="next"`)
			return write(w, http.StatusOK, list)
		}
		list.Runs = append(list.Runs, *of)
	}

	return write(w, http.StatusOK, list)
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

// listed is a run as a list has it: nil if it was removed meanwhile, or has not happened. One that is damaged hides no others.
func (s *Server) listed(ctx context.Context, run string) (*client.Run, error) {
	j := s.job(run) // before, as a run that ends meanwhile has ended in its journal
	h, err := s.histories.head(ctx, s.store, run)
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
