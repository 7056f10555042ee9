package serve

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Client returns a client of the server in the same process, such as of the service that the server is a part of. It
// may do what the caller may do; the zero Caller and those of [access.Named] may do everything. A run that it starts
// outlives the context of the call, and is traced as a part of what [runtime.WithTraceparent] says of the context.
func (s *Server) Client(who access.Caller) client.Client { return &local{s, who} }

// local is a client in this process.
type local struct {
	server *Server
	who    access.Caller
}

// Start implements client.Client.
func (c *local) Start(ctx context.Context, in client.Start) (*client.Run, error) {
	run, err := c.server.startRun(in, c.who, runtime.TraceparentFrom(ctx))
	if err != nil {
		return nil, err
	}

	return c.showRun(ctx, run)
}

// showRun returns the present state of a run. The call has been carried out, so a caller who leaves
// now gets no error that would suggest the opposite.
func (c *local) showRun(ctx context.Context, run string) (*client.Run, error) {
	return c.server.showRun(context.WithoutCancel(ctx), run)
}

// List implements client.Client.
func (c *local) List(ctx context.Context, in client.List) (*client.Runs, error) {
	return c.server.listRuns(ctx, c.who, in)
}

// Get implements client.Client.
func (c *local) Get(ctx context.Context, run string) (*client.Run, error) {
	if err := c.checkVisible(ctx, run); err != nil {
		return nil, err
	}

	return c.server.showRun(ctx, run)
}

// Answer implements client.Client.
func (c *local) Answer(ctx context.Context, in client.Reply) (*client.Run, error) {
	if err := c.checkVisible(ctx, in.Run); err != nil {
		return nil, err
	}
	problem, err := c.server.answerQuestion(ctx, c.who, runtime.TraceparentFrom(ctx), in)
	if err != nil {
		return nil, err
	}
	shown, err := c.showRun(ctx, in.Run)
	if err == nil && problem != nil {
		shown.Problem = problemOf(problem)
	}

	return shown, err
}

// Cancel implements client.Client.
func (c *local) Cancel(ctx context.Context, run string) (*client.Run, error) {
	if err := c.checkVisible(ctx, run); err != nil {
		return nil, err
	}
	if err := c.server.cancelRun(ctx, c.who, run); err != nil {
		return nil, err
	}

	return c.showRun(ctx, run)
}

// checkVisible returns an error if the caller may not see a run.
func (c *local) checkVisible(ctx context.Context, run string) error {
	if journal.CheckRun(run) != nil {
		return unknownRun(run)
	}

	return c.server.permitRun(ctx, c.who, run, "")
}

// Watch implements client.Client.
func (c *local) Watch(ctx context.Context, in client.Watch) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		err := c.checkVisible(ctx, in.Run)
		if err == nil {
			w := &watching{server: c.server, run: in.Run, from: max(in.From, 1), yield: yield}
			err = w.sendEvents(ctx)
		}
		if err != nil {
			yield(event.Event{}, err)
		}
	}
}

// watching is a client that watches a run.
type watching struct {
	server *Server
	run    string
	from   int
	yield  func(event.Event, error) bool
}

// sendEvents passes on the recorded events of the run and those that follow, until no server works
// on the run or the client wants no more.
func (w *watching) sendEvents(ctx context.Context) error {
	j, at := w.server.jobOf(w.run), place{seq: w.from} // the job before the journal is read, or events in between were missed
	if j != nil {
		at = j.hub.placeAt(w.from)
	}
	if _, goesOn, err := w.sendRecorded(ctx, &at); !goesOn || err != nil {
		return err
	}
	for j != nil {
		n := j.hub.next(&at)
		for _, sent := range n.events {
			var e event.Event
			if err := json.Unmarshal(sent.line, &e); err != nil {
				return err
			}
			if !w.yield(e, nil) {
				return nil
			}
		}
		found := false
		if n.missed {
			var goesOn bool
			var err error
			found, goesOn, err = w.sendRecorded(ctx, &at)
			if !goesOn || err != nil {
				return err
			}
		}
		switch {
		case found:
		case n.over:
			return nil
		default:
			if err := n.waitForMore(ctx); err != nil {
				return err
			}
		}
	}

	return nil
}

// mostWatched is how many recorded events are decoded at a time.
const mostWatched = 256

// sendRecorded passes on the recorded events from a place on, and moves the place behind them.
// found reports whether there were any, goesOn whether the client wants more.
func (w *watching) sendRecorded(ctx context.Context, at *place) (found, goesOn bool, err error) {
	for {
		var events []event.Event
		err := w.server.histories.withHistory(ctx, w.server.store, w.run, func(h *history) error {
			for _, e := range h.eventsFrom(at.seq) {
				if len(events) == mostWatched {
					break
				}
				events = append(events, eventOf(w.run, &h.journal.Records[e.record]))
				at.seq = e.seq + 1
			}

			return nil
		})
		if err != nil || len(events) == 0 {
			return found, true, err
		}
		found = true
		for _, e := range events {
			if !w.yield(e, nil) {
				return true, false, nil
			}
		}
	}
}

// waitForMore waits until there may be more.
func (n news) waitForMore(ctx context.Context) error {
	var again <-chan time.Time
	if n.missed { // it is reported, and about to be recorded
		again = time.After(againTime)
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-n.changed:
	case <-again:
	}

	return nil
}

// checkBy returns why a caller may not answer in the name of another, and who answers.
func checkBy(who access.Caller, by string) (string, error) {
	name := who.Name()
	if by != "" && name != "" && by != name {
		return "", newRequestError(http.StatusForbidden, "IdentityError", "the token belongs to %s, and cannot answer for %s", name, by)
	}
	if by == "" {
		by = name
	}

	return by, nil
}
