package serve

import (
	"context"
	"net/http"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/safepoint"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// job is a run that is worked on here, or queued.
type job struct {
	run     string
	engine  *core.Engine
	signals *signaling.Signals
	ctx     context.Context
	stop    *safepoint.Stop
	program *compiled.Program
	hub     *hub
	watcher *watcher
	// running is closed when the run has a place, done when nothing is done any more; err is then how it ended.
	running, done chan struct{}
	err           error
	// progress is closed when something in the run has a result.
	progress <-chan struct{}

	mu sync.Mutex
	// again reports whether a question was answered meanwhile: when the run pauses, it is
	// continued. closed reports whether it is too late to continue.
	again, closed bool
	// origin is where the last such answer comes from.
	origin origin
}

// origin is where a request for a run comes from.
type origin struct {
	// by is the caller's name, and trace the caller's position in a distributed trace; both may be "".
	by, trace string
}

// work is what a job does: it starts a run or continues one.
type work func(ctx context.Context, j *job) (runtime.Finish, error)

// newJob registers a run as one that is worked on. by starts or resumes it; placed reports whether
// it has to have a place at once.
func (s *Server) newJob(run, by string, p *compiled.Program, placed bool) (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return nil, errClosing
	case s.jobs[run] != nil:
		return nil, &busyError{run}
	}
	j := &job{run: run, hub: newHub(), running: make(chan struct{}), done: make(chan struct{})}
	select {
	case s.slots <- struct{}{}:
		close(j.running)
	default:
		if placed {
			const text = "%d runs are at work, and no more are allowed"
			return nil, newRequestError(http.StatusTooManyRequests, "TooManyRunsError", text, cap(s.slots))
		}
	}
	j.ctx, j.stop = safepoint.New(s.ctx)
	j.program = j.stop.Guard(p)
	j.watcher, j.progress = s.newWatcher(j.hub, run, by)
	config := s.config
	config.Observe(j.watcher)
	if config.Signals == nil {
		config.Signals = &signaling.Signals{}
	}
	config.RunID, config.By = func() string { return run }, by
	notify := config.Stop
	config.Stop = func(run string, cause error) {
		j.stop.Request(cause)
		if notify != nil {
			notify(run, cause)
		}
	}
	j.engine, j.signals = core.New(config), config.Signals
	s.jobs[run] = j
	s.working.Add(1)

	return j, nil
}

// runJob carries out the work, as soon as there is a place.
func (s *Server) runJob(j *job, work work) {
	defer s.working.Done()
	defer close(j.done)
	defer j.hub.close()
	defer s.removeJob(j)
	defer j.stop.Now(nil)
	if !j.hasPlace() {
		select {
		case <-j.ctx.Done():
			j.err = context.Cause(j.ctx)
			return
		case s.slots <- struct{}{}:
			close(j.running)
		}
	}
	defer func() { <-s.slots }()
	_, j.err = work(j.ctx, j)
	s.logEnd(j)
	for core.Questions(j.err) != nil {
		from, news := j.takeNews()
		if !news {
			break
		}
		j.watcher.by = from.by
		_, j.err = goOn(from, core.ResumeOptions{})(j.ctx, j)
		s.logEnd(j)
	}
	if errs.Is[*journal.StoreError](j.err) {
		s.log.Error("run cannot be recorded", "run", j.run, "error", j.err.Error())
	}
}

// removeJob removes a job. Later requests find the run in its journal.
func (s *Server) removeJob(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.jobs, j.run)
}

// hasPlace reports whether the run has a place.
func (j *job) hasPlace() bool {
	select {
	case <-j.running:
		return true
	default:
		return false
	}
}

// waitForBegin waits until the start or the continuation of the run is recorded, or until the run
// has ended without that: then err is the reason. It does not wait for a run that is queued.
// A client that leaves does not change what the run does.
func (j *job) waitForBegin() error {
	if !j.hasPlace() {
		return nil
	}
	select {
	case <-j.hub.begun:
		return nil
	case <-j.done:
	}
	select {
	case <-j.hub.begun:
		return nil
	default:
	}
	if core.Questions(j.err) != nil {
		return nil
	}

	return j.err
}

// status is where the run is as far as this server works on it.
func (j *job) status() client.Status {
	if j.hasPlace() {
		return client.Running
	}

	return client.Queued
}

// goOn takes a run up where it is, on behalf of from.
func goOn(from origin, o core.ResumeOptions) work {
	o.By = from.by

	return func(ctx context.Context, j *job) (runtime.Finish, error) {
		return j.engine.Resume(runtime.WithTraceparent(ctx, from.trace), j.program, j.run, o)
	}
}

// goOnAgain has the run go on when it pauses, on behalf of from. It is false if it is too late for that.
func (j *job) goOnAgain(from origin) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.again, j.origin = true, from

	return !j.closed
}

// takeNews reports whether a paused run continues, and on whose behalf. If not, it is too late to
// continue it.
func (j *job) takeNews() (from origin, news bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	from, news = j.origin, j.again
	j.again, j.closed = false, !news

	return from, news
}
