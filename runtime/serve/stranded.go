package serve

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// paused remembers which runs are paused, and which of them are stranded.
type paused struct {
	mu   sync.Mutex
	runs map[string]pausedRun
}

// pausedRun is what is known of a run as long as its journal has that stamp.
type pausedRun struct {
	id                   string
	stamp                stamp
	isPaused, isStranded bool
}

// mostReported is how many ids of stranded runs a line of the log, and a reply, has.
const mostReported = 100

// strandedRuns returns the ids of the paused runs that this program can resume only by force, because its shape has changed since.
func (s *Server) strandedRuns(ctx context.Context) (ids []string, err error) {
	runs, err := s.pausedRuns(ctx)
	for _, run := range runs {
		if run.isStranded {
			ids = append(ids, run.id)
		}
	}

	return ids, err
}

// pausedRuns returns the paused runs of the program. Of a journal only the beginning and the end of each process are decoded, and
// only if the journal has changed since the last call.
func (s *Server) pausedRuns(ctx context.Context) (runs []pausedRun, err error) {
	known := &s.paused
	known.mu.Lock()
	defer known.mu.Unlock()
	names, err := s.store.List(ctx, journal.Query{Program: s.program.Name, Statuses: []string{trace.Paused}})
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(known.runs, func(run string, _ pausedRun) bool {
		_, isThere := slices.BinarySearch(names, run)

		return !isThere
	})
	for _, run := range names {
		if of := s.pausedRun(ctx, run); of.isPaused {
			runs = append(runs, of)
		}
	}

	return runs, nil
}

// pausedRun finds out whether a run is paused. The caller holds the lock. A journal that cannot be read is not: lists show why.
func (s *Server) pausedRun(ctx context.Context, run string) pausedRun {
	known := &s.paused
	now, err := stampOf(ctx, s.store, run)
	if err != nil || known.runs[run].stamp == now {
		return known.runs[run]
	}
	outline, err := journal.Read(ctx, s.store, run, trace.Outline...)
	if err != nil {
		return pausedRun{}
	}
	t := trace.Of(outline.Records)
	isPaused := t.Status == trace.Paused && t.Program == s.program.Name
	if known.runs == nil {
		known.runs = map[string]pausedRun{}
	}
	known.runs[run] = pausedRun{run, now, isPaused, isPaused && t.Shape != s.program.Shape}

	return known.runs[run]
}

// reportStranded writes a line to the log if there are stranded runs.
func (s *Server) reportStranded(ctx context.Context) {
	runs, err := s.strandedRuns(ctx)
	if err != nil || len(runs) == 0 {
		return // an error is reported by the search for interrupted runs
	}
	s.log.Warn("paused runs need another version of the program: start that version, or resume them with force_shape",
		"count", len(runs), "runs", strings.Join(runs[:min(len(runs), mostReported)], " "))
}
