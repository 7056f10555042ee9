package core

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/journal"
)

// QuarantinedError is a run that no server recovers any more: each process that took it up has died, and the run has made no
// progress. [Engine.Resume] without a Recovery resumes it.
type QuarantinedError struct {
	Run string
	// At is when it was recovered, oldest first.
	At []time.Time
}

func (e *QuarantinedError) Error() string {
	times := make([]string, len(e.At))
	for i, at := range e.At {
		times[i] = at.UTC().Format(time.RFC3339)
	}

	return fmt.Sprintf("run %s is quarantined: it was recovered %d times without progress, and each time the process ended (%s); "+
		"when the cause is fixed, resume it", e.Run, len(e.At), strings.Join(times, ", "))
}

// ErrorType is the type under which the end of the run is recorded.
func (*QuarantinedError) ErrorType() string { return "QuarantinedError" }

// recoverable returns why a server may not take a run up by itself. If that is because it has done so too often, the run is left as
// quarantined.
func (e *Engine) recoverable(id string, h *history, j *journal.Journal, w *journal.Writer, o *Recovery) error {
	if !o.Wanted(j) {
		return &RunEndedError{Run: id, Status: h.status()}
	}
	at := j.Recoveries
	if len(at) < o.Max || h.ended() {
		return nil
	}
	err := &QuarantinedError{Run: id, At: at}
	times := make([]string, len(at))
	for i, t := range at {
		times[i] = t.UTC().Format(time.RFC3339Nano)
	}
	e.leave(h, w, statusQuarantined, err, "recoveries", strings.Join(times, " "))

	return err
}
