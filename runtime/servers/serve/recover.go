package serve

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Defaults for the recovery of interrupted runs.
const (
	// maxRecoveries is how often a run is recovered without progress before it is quarantined.
	maxRecoveries       = 5
	defaultRecoveryWait = 2 * time.Second
	defaultRescan       = 2 * time.Second
)

const (
	// longestWait bounds the wait before a recovery, which doubles each time.
	longestWait = 5 * time.Minute
	// doneAge is how long a run that is done is not looked at: it changes only if it is removed and
	// another one gets its name. It is also how long others are not, in a store that does not
	// report changes.
	doneAge = time.Minute
	// trialTime is how long a run that was recovered keeps suspects waiting if it neither makes progress nor ends.
	trialTime = time.Minute
)

// recovery is what a server remembers from one look at the store to the next.
type recovery struct {
	mu sync.Mutex // over what follows; it is held while the store is looked through
	// again reports whether the store has been looked through before.
	again bool
	// seen are the journals about which there is nothing to do for now.
	seen map[string]seen
	// trials are the runs that were recovered and have not made progress since, as far as is known.
	trials []trial
	// problem is why the store could not be listed the last time.
	problem string
}

// seen is a journal about which there is nothing to do as long as it has that stamp.
type seen struct {
	stamp stamp
	// until is when it is looked at again even without a change; zero: not before it changes.
	until time.Time
	// refused is how often the run could not be resumed, each time for a reason that may be gone later.
	refused int
	// isDone reports whether the run is done, and is not looked at before done.
	isDone bool
	done   time.Time
}

// trial is a run that was recovered.
type trial struct {
	job   *job
	begun time.Time
}

// interruptedRun is a run to recover.
type interruptedRun struct {
	run string
	seen
	// recoveries are those that did not help.
	recoveries []time.Time
}

// lastRecovery is when the run was last recovered; zero if it never was.
func (i *interruptedRun) lastRecovery() (last time.Time) {
	if n := len(i.recoveries); n > 0 {
		last = i.recoveries[n-1]
	}

	return last
}

// Watch recovers the interrupted runs of the program, now and whenever the process that executes one dies or ends,
// until ctx ends. First it logs which runs need another version of the program. It searches the store from time to time; a journal that has
// not changed is not read again.
func (s *Server) Watch(ctx context.Context) {
	s.reportStranded(ctx)
	for ctx.Err() == nil {
		s.Recover(ctx)
		s.waitForNextLook(ctx)
	}
}

// waitForNextLook waits until the store is to be searched again. Servers of one store do not search
// at the same moment.
func (s *Server) waitForNextLook(ctx context.Context) {
	wait := time.NewTimer(s.rescan/2 + rand.N(s.rescan))
	defer wait.Stop()
	select {
	case <-ctx.Done():
	case <-wait.C:
	case <-s.nextTrial():
	}
}

// Recover searches the store once. It resumes the runs of the program whose process has died, or whose server has
// ended, and those whose last answer was recorded but not used: the process that recorded it has had the time of a rescan to
// resume the run, except at the first search. It returns when each of them has one of the MaxRuns places.
//
// A run that was recovered and whose process died again before the run made progress is a suspect: it may be what
// ends the processes. Suspects wait, longer each time, and are resumed one at a time, after the runs recovered before
// have made progress, so that other runs are not interrupted each time. After MaxRecoveries recoveries without
// progress a suspect is quarantined.
func (s *Server) Recover(ctx context.Context) {
	r := &s.recovery
	r.mu.Lock()
	defer r.mu.Unlock()
	names, err := s.store.List(ctx, journal.Query{Program: s.program.Name, Statuses: interruptible})
	if err != nil {
		if text := err.Error(); text != r.problem && ctx.Err() == nil {
			r.problem = text
			s.log.Error("the store cannot be listed", "error", text)
		}

		return
	}
	r.problem = ""
	r.forgetRemoved(names)
	var due []*interruptedRun
	for _, run := range names {
		if ctx.Err() != nil || s.isClosing() {
			return
		}
		if i := s.findInterrupted(ctx, run); i != nil {
			due = append(due, i)
		}
	}
	slices.SortStableFunc(due, suspectsLast)
	for _, i := range due {
		if n := len(i.recoveries); n > 0 && n < s.maxRecoveries && !r.trialsOver() {
			continue // the next look finds it
		}
		s.takeUp(ctx, i)
	}
	r.again = true
}

// suspectsLast orders runs by how often they were recovered without progress. Of two with the same count the one that was resumed last
// before the process died is more likely to be the reason: it comes first, and so is ahead of the other from then on.
func suspectsLast(a, b *interruptedRun) int {
	return cmp.Or(cmp.Compare(len(a.recoveries), len(b.recoveries)), b.lastRecovery().Compare(a.lastRecovery()))
}

// forgetRemoved drops the runs that are not in the store any more, when the store has fewer than it
// knows. The runs of the store are sorted.
func (r *recovery) forgetRemoved(there []string) {
	if len(r.seen) <= len(there) {
		return
	}
	maps.DeleteFunc(r.seen, func(run string, _ seen) bool {
		_, found := slices.BinarySearch(there, run)

		return !found
	})
}

// trialsOver reports whether every run that was recovered has made progress since, or has ended, or
// takes too long to be waited for.
func (r *recovery) trialsOver() bool {
	r.trials = slices.DeleteFunc(r.trials, func(t trial) bool {
		select {
		case <-t.job.progress:
			return true
		case <-t.job.done:
			return true
		default:
			return time.Since(t.begun) > trialTime
		}
	})

	return len(r.trials) == 0
}

// nextTrial is closed when a run that was recovered makes progress; nil if there is none.
func (s *Server) nextTrial() <-chan struct{} {
	s.recovery.mu.Lock()
	defer s.recovery.mu.Unlock()
	if s.recovery.trialsOver() {
		return nil
	}

	return s.recovery.trials[0].job.progress
}

// findInterrupted returns the run if it is one to recover now. A damaged run is reported to those
// who list the runs.
func (s *Server) findInterrupted(ctx context.Context, run string) *interruptedRun {
	if s.jobOf(run) != nil {
		return nil
	}
	i := &interruptedRun{run: run}
	known, isKnown := s.recovery.seen[run]
	if time.Now().Before(known.done) {
		return nil
	}
	var err error
	i.stamp, err = stampOf(ctx, s.store, run)
	if err != nil {
		return nil
	}
	isUnchanged := isKnown && known.stamp == i.stamp
	if isUnchanged {
		i.seen = known
		if known.until.IsZero() || time.Now().Before(known.until) {
			s.postpone(i, known.until)
			return nil
		}
	}
	if owned, err := s.store.Owned(ctx, run); owned || err != nil {
		return nil
	}
	outline, err := journal.Read(ctx, s.store, run, trace.Outline...)
	if err != nil {
		s.postpone(i, time.Time{})
		return nil
	}
	t := trace.Of(outline.Records)
	if t.Status == trace.Paused {
		t, _, err = s.readRun(ctx, run) // it has the questions
	}
	if err != nil || !s.isRecoverable(t) {
		i.isDone = t != nil && t.Status == trace.Done
		s.postpone(i, wakeTime(t))
		return nil
	}
	if t.Status == trace.Paused && s.recovery.again && !isUnchanged {
		s.postpone(i, time.Now().Add(s.rescan)) // the process that recorded the answer is about to resume the run
		return nil
	}
	i.recoveries = outline.Recoveries
	if n := len(i.recoveries); n > 0 && n < s.maxRecoveries {
		if due := i.lastRecovery().Add(s.waitAfter(n)); time.Now().Before(due) {
			s.postpone(i, due)
			return nil
		}
	}

	return i
}

// wakeTime returns when a paused run goes on without an answer; zero if it does not.
func wakeTime(t *trace.Trace) time.Time {
	if t == nil || t.Status != trace.Paused || t.StaysPaused {
		return time.Time{}
	}

	return t.Due()
}

// isRecoverable reports whether a run is to be recovered, by its whole journal.
func (s *Server) isRecoverable(t *trace.Trace) bool {
	return t.Program == s.program.Name && isInterrupted(t, statusIn(t, nil))
}

// interruptible are the labels of the runs of which one may be interrupted.
var interruptible = []string{trace.Open, trace.Cancelled, trace.Paused}

// isInterrupted reports whether a run has stopped and lacks only a process: after a crash or a
// shutdown, because no process has used its answer, or because the time for which it waits has come.
func isInterrupted(t *trace.Trace, status client.Status) bool {
	switch status {
	case client.Interrupted:
		return true
	case client.Cancelled:
		return t.Type == wire.ShutdownType
	case client.Paused:
		isDue := !t.Due().IsZero() && !time.Now().Before(t.Due())

		return (len(t.Questions) == 0 || isDue) && !t.StaysPaused
	}

	return false
}

// waitAfter is how long a run waits after so many recoveries that did not help.
func (s *Server) waitAfter(times int) time.Duration {
	wait := s.recoveryWait
	for ; times > 1 && wait < longestWait; times-- {
		wait *= 2
	}

	return min(wait, longestWait)
}

// postpone leaves a run alone while its journal does not change, or until a time.
func (s *Server) postpone(i *interruptedRun, until time.Time) {
	r := &s.recovery
	if r.seen == nil {
		r.seen = map[string]seen{}
	}
	if i.isDone {
		i.done = time.Now().Add(doneAge)
	}
	i.until = until
	r.seen[i.run] = i.seen
}

// takeUp waits until fewer runs are worked on, and resumes a run. One that another process works on, or has worked on meanwhile, is left to it.
func (s *Server) takeUp(ctx context.Context, i *interruptedRun) {
	log := s.log.With("run", i.run)
	if n := len(i.recoveries); n < s.maxRecoveries {
		log.Info("resuming interrupted run", "attempt", n+1, "of", s.maxRecoveries)
	}
	end := s.lockRun(i.run)
	err := s.resumeInBackground(i.run, origin{}, core.ResumeOptions{Recovery: &core.Recovery{Max: s.maxRecoveries, Wanted: func(j *journal.Journal) bool {
		return s.isRecoverable(trace.Of(j.Records))
	}}})
	j := s.jobOf(i.run)
	end()
	switch {
	case err == nil:
	case errs.Has(err, "RunLockedError", "UnknownRunError", "ClosingError", "RunEndedError"):
		return
	case errs.Has(err, "QuarantinedError"):
		log.Error("run quarantined", "recoveries", len(i.recoveries), "error", err.Error())
		return
	default:
		log.Error("run cannot be resumed", "type", runtime.ErrorType(err), "error", err.Error())
		i.refused++
		until := time.Time{}
		if isTransient(err) {
			until = time.Now().Add(s.waitAfter(i.refused))
		}
		s.postpone(i, until)

		return
	}
	if j == nil {
		return
	}
	select {
	case <-j.running:
	case <-j.done:
	case <-ctx.Done():
	}
	s.recovery.trials = append(s.recovery.trials, trial{j, time.Now()})
}

// isTransient reports whether the reason why a run cannot be resumed may disappear without a change
// of the journal.
func isTransient(err error) bool {
	return !errs.Has(err, "NotBegunError", "ShapeError", "WrongProgramError", "DivergenceError", "DamagedError", "FormatError")
}
