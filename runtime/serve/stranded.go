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

// stranded remembers which runs are stranded.
type stranded struct {
	mu   sync.Mutex
	runs map[string]strandedRun
}

// strandedRun says whether a run is stranded as long as its journal has that stamp.
type strandedRun struct {
	stamp      stamp
	isStranded bool
}

// mostReported is how many ids of stranded runs a line of the log, and a reply, has.
const mostReported = 100

// strandedRuns returns the ids of the paused runs that this program can resume only by force, because its shape has changed since.
// Of a journal only the beginning and the end of each process are decoded, and only if the journal has changed since the last call.
func (s *Server) strandedRuns(ctx context.Context) (runs []string, err error) {
	known := &s.stranded
	known.mu.Lock()
	defer known.mu.Unlock()
	names, err := s.store.List(ctx, journal.Query{Program: s.program.Name, Statuses: []string{trace.Paused}})
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(known.runs, func(run string, _ strandedRun) bool {
		_, isThere := slices.BinarySearch(names, run)

		return !isThere
	})
	for _, run := range names {
		if s.isStranded(ctx, run) {
			runs = append(runs, run)
		}
	}

	return runs, nil
}

// isStranded reports whether a run is stranded. The caller holds the lock. A journal that cannot be read is not: lists show why.
func (s *Server) isStranded(ctx context.Context, run string) bool {
	known := &s.stranded
	now, err := stampOf(ctx, s.store, run)
	if err != nil || known.runs[run].stamp == now {
		return err == nil && known.runs[run].isStranded
	}
	outline, err := journal.Read(ctx, s.store, run, trace.Outline...)
	if err != nil {
		return false
	}
	t := trace.Of(outline.Records)
	isPaused := t.Status == trace.Paused && t.Program == s.program.Name
	if known.runs == nil {
		known.runs = map[string]strandedRun{}
	}
	known.runs[run] = strandedRun{now, isPaused && t.Shape != s.program.Shape}

	return known.runs[run].isStranded
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
