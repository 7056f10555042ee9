package serve

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// waiting remembers which runs are paused or were interrupted, and which of them need another version of the program.
type waiting struct {
	mu   sync.Mutex
	runs map[string]waitingRun
}

// waitingRun is what is known of a run as long as its journal has that stamp.
type waitingRun struct {
	id    string
	stamp stamp
	// isPaused reports whether it waits for people, isInterrupted whether only a process is
	// missing, as the journal suggests for a run at work, too.
	isPaused, isInterrupted bool
	// needsOther reports whether its program had another shape.
	needsOther bool
}

// mostReported is how many ids of stranded runs a line of the log, and a reply, has.
const mostReported = 100

// strandedRuns returns the ids of the runs that are paused or were interrupted, and that this program can resume only by force, because
// its shape has changed since.
func (s *Server) strandedRuns(ctx context.Context) (ids []string, err error) {
	runs, err := s.waitingRuns(ctx)
	for _, run := range runs {
		if s.isStranded(ctx, run) {
			ids = append(ids, run.id)
		}
	}

	return ids, err
}

// isStranded reports whether a run waits for another version of the program, and no process has it: one may be that version.
func (s *Server) isStranded(ctx context.Context, run waitingRun) bool {
	if !run.needsOther || run.isPaused {
		return run.needsOther
	}
	owned, err := s.store.Owned(ctx, run.id)

	return !owned && err == nil
}

// waitingRuns returns the runs of the program that are paused or were interrupted, as their journals say. Of a journal only the
// beginning and the end of each process are decoded, and only if the journal has changed since the last call.
func (s *Server) waitingRuns(ctx context.Context) (runs []waitingRun, err error) {
	known := &s.waiting
	known.mu.Lock()
	defer known.mu.Unlock()
	names, err := s.store.List(ctx, journal.Query{Program: s.program.Name, Statuses: interruptible})
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(known.runs, func(run string, _ waitingRun) bool {
		_, isThere := slices.BinarySearch(names, run)

		return !isThere
	})
	for _, run := range names {
		if s.jobOf(run) != nil {
			continue
		}
		if of := s.waitingRun(ctx, run); of.isPaused || of.isInterrupted {
			runs = append(runs, of)
		}
	}

	return runs, nil
}

// waitingRun finds out whether a run is paused or was interrupted. The caller holds the lock. A journal that cannot be read is neither:
// lists show why.
func (s *Server) waitingRun(ctx context.Context, run string) waitingRun {
	known := &s.waiting
	now, err := stampOf(ctx, s.store, run)
	if err != nil || known.runs[run].stamp == now {
		return known.runs[run]
	}
	outline, err := journal.Read(ctx, s.store, run, trace.Outline...)
	if err != nil {
		return waitingRun{}
	}
	t := trace.Of(outline.Records)
	of := waitingRun{id: run, stamp: now, needsOther: t.Shape != s.program.Shape}
	if t.Program == s.program.Name {
		of.isPaused = t.Status == trace.Paused
		of.isInterrupted = !of.isPaused && isInterrupted(t, statusIn(t, nil))
	}
	if known.runs == nil {
		known.runs = map[string]waitingRun{}
	}
	known.runs[run] = of

	return of
}

// reportStranded writes a line to the log if there are stranded runs.
func (s *Server) reportStranded(ctx context.Context) {
	runs, err := s.strandedRuns(ctx)
	if err != nil || len(runs) == 0 {
		return // an error is reported by the search for interrupted runs
	}
	s.log.Warn("runs need another version of the program: start that version, or resume them with force_shape",
		"count", len(runs), "runs", strings.Join(runs[:min(len(runs), mostReported)], " "))
}
