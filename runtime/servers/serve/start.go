package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func (s *Server) serveStart(w http.ResponseWriter, r *http.Request) error {
	in, err := readBody[client.Start](w, r)
	if err != nil {
		return err
	}
	run, err := s.startRun(in, callerOf(r), traceOf(r))
	if err != nil {
		return err
	}

	return s.answerWith(w, r, http.StatusCreated, run, nil)
}

// startRun starts a run in the background and returns its id when the start is recorded. from is where in a distributed trace the caller is;
// "" if that is not known. Errors: *requestError if the server is full or closing, *access.RightError, journal.ErrRunExists, and those of
// [core.Engine.Run] before the run.
func (s *Server) startRun(in client.Start, who access.Caller, from string) (run string, err error) {
	if err := who.Check(access.Start, access.Target{Agent: cmp.Or(in.Agent, s.program.Entry)}); err != nil {
		return "", err
	}
	if in.Run == "" {
		in.Run = core.NewRunID(time.Now())
	}
	if err := journal.CheckRun(in.Run); err != nil {
		return "", newRequestError(http.StatusUnprocessableEntity, runtime.ErrorType(err), "%v", err)
	}
	p := s.program
	if len(in.Context) > 0 {
		p, err = p.WithContext(in.Agent, in.Context)
		if err != nil {
			return "", err
		}
	}
	j, err := s.newJob(in.Run, who.Name(), p, true)
	if errors.Is(err, journal.ErrRunLocked) {
		err = fmt.Errorf("run %s: %w", in.Run, journal.ErrRunExists)
	}
	if err != nil {
		return "", err
	}
	go s.runJob(j, func(ctx context.Context, j *job) (runtime.Finish, error) {
		return j.engine.Run(runtime.WithTraceparent(ctx, from), j.program, in.Agent, in.Input)
	})

	err = j.waitForBegin()
	if err != nil {
		s.log.Warn("run not started", "run", in.Run, "agent", in.Agent, "type", runtime.ErrorType(err), "error", err.Error())
	}

	return in.Run, err
}
