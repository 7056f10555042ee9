package serve

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/local"
)

// GoOn goes on with the runs of the program that a crash or a shutdown has interrupted, and with those whose questions are all
// answered; as many at once as there are places. It returns when all of them have a place.
func (s *Server) GoOn(ctx context.Context) {
	names, err := s.store.List(ctx)
	if err != nil {
		s.log(err.Error())
		return
	}
	count := 0
	for _, run := range names {
		if !s.waits(ctx, run) {
			continue
		}
		count++
		if err := s.goOnWith(ctx, run); err != nil {
			s.log(fmt.Sprintf("run %s does not go on: %v", run, err))
		}
	}
	if count > 0 {
		s.log(fmt.Sprintf("runs that were interrupted: %d", count))
	}
}

// waits says whether a run is one to go on with. What is damaged is shown to those who list the runs.
func (s *Server) waits(ctx context.Context, run string) bool {
	t, status, err := s.outline(ctx, run)
	if err == nil && status == Paused {
		t, status, err = s.read(ctx, run) // it has the questions
	}

	return err == nil && t.Program == s.program.Name && interrupted(t, status)
}

// interrupted says that nobody but a crash or a shutdown is why the run does not go on.
func interrupted(t *trace.Trace, status Status) bool {
	switch status {
	case BrokenOff:
		return true
	case Cancelled:
		return t.Type == shutdownType
	case Paused:
		return len(t.Questions) == 0
	}

	return false
}

// goOnWith waits for a place and goes on with a run. One that another process works on is left to it.
func (s *Server) goOnWith(ctx context.Context, run string) error {
	end := s.turn(run)
	err := s.resume(run, "", local.ResumeOptions{})
	j := s.job(run)
	end()
	if errors.Is(err, journal.ErrRunLocked) || errors.Is(err, errClosing) {
		return nil
	}
	if j == nil {
		return err
	}
	select {
	case <-j.running:
	case <-j.done:
	case <-ctx.Done():
	}

	return err
}
