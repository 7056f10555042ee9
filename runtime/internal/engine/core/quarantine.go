package core

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// quarantinedError is the error of a run that no server recovers any more: each process that
// recovered it has died, and the run has made no progress. at is when it was recovered, oldest
// first. [Engine.Resume] without a Recovery resumes it.
func quarantinedError(run string, at []time.Time) error {
	times := make([]string, len(at))
	for i, t := range at {
		times[i] = t.UTC().Format(time.RFC3339)
	}

	return &errs.Coded{Code: "QuarantinedError", Text: fmt.Sprintf("run %s is quarantined: it was recovered %d times without progress, and "+
		"each time the process ended (%s); when the cause is fixed, resume it", run, len(at), strings.Join(times, ", "))}
}

// checkRecovery returns why a server may not recover a run by itself. If it has done so too often,
// the run is recorded as quarantined.
func (e *Engine) checkRecovery(id string, h *replay.History, j *journal.Journal, w *journal.Writer, o *Recovery) error {
	if !o.Wanted(j) {
		return RunEndedError(id, h.Status())
	}
	at := j.Recoveries
	if len(at) < o.Max || h.IsClosed() {
		return nil
	}
	err := quarantinedError(id, at)
	times := make([]string, len(at))
	for i, t := range at {
		times[i] = t.UTC().Format(time.RFC3339Nano)
	}
	e.recordEnd(h, w, replay.StatusQuarantined, err, "recoveries", strings.Join(times, " "))

	return err
}
