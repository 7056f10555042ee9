package serve

import (
	"log/slog"
	"sync"

	"github.com/agentc-dev/agentc/runtime/client"
	"github.com/agentc-dev/agentc/runtime/event"
)

// watcher receives what happens in a run that is worked on: it hands it on to the readers of its events, writes the log, and notes
// when the run has made progress.
type watcher struct {
	hub *hub
	log *slog.Logger
	// progressed notes that something has a result.
	progressed func()
	// problem is the newest error.
	problem event.Event
	// estimated says that the log has a line about estimates.
	estimated bool
}

// newWatcher returns the watcher of a run, and a channel that is closed when the run makes progress.
func newWatcher(hub *hub, log *slog.Logger, run string) (*watcher, <-chan struct{}) {
	progress := make(chan struct{})

	return &watcher{hub: hub, log: log.With("run", run), progressed: sync.OnceFunc(func() { close(progress) })}, progress
}

// Observe implements event.Observer. What people, models and tools have said is not in the log; errors are, without secrets.
func (w *watcher) Observe(e event.Event) {
	w.hub.Observe(e)
	switch e.Kind {
	case event.Run:
		w.log.Info("run started", "agent", e.Agent)
	case event.Resume:
		w.log.Info("run resumed", "agent", e.Agent)
	case event.Retry:
		w.log.Warn("attempt failed", "agent", e.Agent, "attempt", e.Count, "wait", e.Wait.String(), "error", e.Problem)
	case event.Pause:
		w.log.Info("run waits for an answer", "agent", e.Agent, "question", e.Name, "channel", e.Channel)
	case event.Error:
		w.problem = e
	case event.Model:
		w.reportEstimate(e)
		w.progressed()
	case event.Tool, event.Step, event.Transition, event.Finish, event.Answer:
		w.progressed()
	case event.End:
		w.end(e)
		w.progressed()
	}
}

// reportEstimate writes, once, that the tokens of the run are estimates.
func (w *watcher) reportEstimate(e event.Event) {
	if e.Usage.Estimated && !w.estimated {
		w.estimated = true
		w.log.Warn("the server reports no usage: tokens and cost are estimated", "model", e.Name)
	}
}

// end writes how a process leaves the run.
func (w *watcher) end(e event.Event) {
	switch client.Status(e.Status) {
	case client.Failed:
		w.log.Error("run failed", "type", w.problem.Type, "error", w.problem.Problem)
	case client.Cancelled:
		w.log.Warn("run cancelled", "type", w.problem.Type, "error", w.problem.Problem)
	case client.Paused:
		w.log.Info("run paused")
	default:
		w.log.Info("run ended", "status", e.Status, "key", e.Key, "steps", e.Count, "tokens_in", e.Usage.Input, "tokens_out", e.Usage.Output,
			"tokens_estimated", e.Usage.Estimated)
	}
}
