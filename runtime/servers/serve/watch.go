package serve

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// watcher receives what happens in a run that is worked on: it hands it on to the readers of its events, writes the log, and notes
// when the run has made progress.
type watcher struct {
	hub     *hub
	log     *slog.Logger
	metrics *metrics
	// agent is the one that was started; by is who starts or resumes the run here, "" if that is not known.
	agent, by string
	// progressed notes that something has a result.
	progressed func()
	// problem is the newest error.
	problem event.Event
	// left is the end of the run, or its pause, that the log does not have yet; nil if there is none.
	left *event.Event
	// estimated reports whether the log has a line about estimates.
	estimated bool
}

// newWatcher returns the watcher of a run, and a channel that is closed when the run makes progress.
func (s *Server) newWatcher(hub *hub, run, by string) (*watcher, <-chan struct{}) {
	progress := make(chan struct{})

	return &watcher{
		hub: hub, log: s.log.With("run", run), metrics: s.metrics, by: by, progressed: sync.OnceFunc(func() { close(progress) }),
	}, progress
}

// Observe implements event.Observer. What people, models and tools have said is not in the log; errors are, without secrets.
func (w *watcher) Observe(e event.Event) {
	w.hub.Observe(e)
	if e.Kind == event.Run && w.agent != "" { // a program of another shape repeats the event of the start
		return
	}
	if report := reports.Of(e.Kind); report != nil {
		report(w, e)
	}
	if kind := eventkind.Of(string(e.Kind)); kind != nil && kind.IsProgress {
		w.progressed()
	}
	w.metrics.countEvent(w.agent, e)
}

// reports are the functions that write the log, for the kinds of events whose row says so.
var reports = eventkind.Functions[event.Kind, func(*watcher, event.Event)]{
	{Kind: event.Run, Call: func(w *watcher, e event.Event) { w.reportBegin("run started", e) }},
	{Kind: event.Resume, Call: func(w *watcher, e event.Event) { w.reportBegin("run resumed", e) }},
	{Kind: event.Retry, Call: func(w *watcher, e event.Event) {
		w.log.Warn("attempt failed", "agent", e.Agent, "attempt", e.Count, "wait", e.Wait.String(), "error", e.Problem)
	}},
	{Kind: event.Pause, Call: func(w *watcher, e event.Event) {
		w.log.Info("run waits for an answer", "agent", e.Agent, "question", e.Name, "channel", e.Channel)
	}},
	{Kind: event.Error, Call: func(w *watcher, e event.Event) { w.problem = e }},
	{Kind: event.Model, Call: (*watcher).reportEstimate},
	{Kind: event.End, Call: func(w *watcher, e event.Event) { w.left = &e }},
}

// reportBegin writes that this process has begun to work on the run.
func (w *watcher) reportBegin(message string, e event.Event) {
	w.agent = e.Agent
	w.log.Info(message, logFields("agent", e.Agent, "by", w.by)...)
}

// logFields returns names and values for the log without the empty ones.
func logFields(pairs ...string) (args []any) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			args = append(args, pairs[i], pairs[i+1])
		}
	}

	return args
}

// reportEstimate writes, once, that the tokens of the run are estimates.
func (w *watcher) reportEstimate(e event.Event) {
	if e.Usage.Estimated && !w.estimated {
		w.estimated = true
		w.log.Warn("the server reports no usage: tokens and cost are estimated", "model", e.Name)
	}
}

// usageFields returns names and values for the log of the usage of a run.
func usageFields(of *client.Run) (args []any) {
	args = append(args, "tokens_in", of.Tokens.Input, "tokens_out", of.Tokens.Output)
	if of.Tokens.Estimated {
		args = append(args, "tokens_estimated", true)
	}
	if of.Cost != nil {
		args = append(args, "cost_usd", of.Cost.USD)
	}

	return args
}

// reportCancelled writes and counts that a run was cancelled that no process worked on: so no watcher has seen its end. One that another
// process has taken up meanwhile is reported there.
func (s *Server) reportCancelled(ctx context.Context, run, by string) {
	h, err := s.histories.readHead(context.WithoutCancel(ctx), s.store, run)
	if err != nil || h.run.Status != client.Cancelled {
		return
	}
	of := h.run
	args := append(logFields("run", run, "agent", of.Agent, "by", by), "duration_ms", of.DurationMS)
	args = append(args, usageFields(&of)...)
	if of.Problem != nil {
		args = append(args, logFields("type", of.Problem.Type, "error", of.Problem.Message)...)
	}
	s.log.Warn("run cancelled", args...)
	s.metrics.countEvent(of.Agent, event.Event{Kind: event.End, Status: string(client.Cancelled)})
}

// logEnd writes how this process leaves a run, with what the run has used in all, if it has left it since the last call.
func (s *Server) logEnd(j *job) {
	w := j.watcher
	e := w.left
	if e == nil {
		return
	}
	w.left = nil
	args := logFields("agent", w.agent)
	var cancelled *runtime.CancelledError
	if errors.As(j.err, &cancelled) {
		args = append(args, logFields("by", cancelled.By)...)
	}
	var of client.Run
	if h, err := s.histories.readHead(context.WithoutCancel(s.ctx), s.store, j.run); err == nil { // else the log has less
		of = h.run
		args = append(args, "duration_ms", of.DurationMS)
	}
	of.Tokens = client.Tokens{Input: e.Usage.Input, Output: e.Usage.Output, Estimated: e.Usage.Estimated}
	args = append(args, usageFields(&of)...)
	problem := logFields("type", w.problem.Type, "error", w.problem.Problem)
	switch client.Status(e.Status) {
	case client.Failed:
		w.log.Error("run failed", append(args, problem...)...)
	case client.Cancelled:
		w.log.Warn("run cancelled", append(args, problem...)...)
	case client.Paused:
		w.log.Info("run paused", args...)
	default:
		w.log.Info("run ended", append(args, "status", e.Status, "key", e.Key, "steps", e.Count)...)
	}
}
