package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/access"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
)

func (s *Server) startRun(w http.ResponseWriter, r *http.Request) error {
	in, err := read[wire.Start](w, r)
	if err != nil {
		return err
	}
	run, _, err := s.Start(in, callerOf(r), traceOf(r))
	if err != nil {
		return err
	}

	return s.answerWith(w, r, http.StatusCreated, run, nil)
}

// Start starts a run in the background and returns its id when the start is recorded. who is the
// caller, and from its position in a distributed trace; "" if that is not known. wait is [Server.Wait] for the
// run and misses no event of its beginning. Errors: *requestError if the server is full or closing,
// *access.RightError,
// journal.ErrRunExists, and those of [core.Engine.Run] before the run.
func (s *Server) Start(in wire.Start, who access.Caller, from string) (run string, wait func(context.Context, func(line []byte)) error, err error) {
	if err := who.Check(access.Start, access.Target{Agent: cmp.Or(in.Agent, s.program.Entry)}); err != nil {
		return "", nil, err
	}
	if in.Run == "" {
		in.Run = core.NewRunID(time.Now())
	}
	if err := journal.CheckRun(in.Run); err != nil {
		return "", nil, refuse(http.StatusUnprocessableEntity, runtime.ErrorType(err), "%v", err)
	}
	p := s.program
	if len(in.Context) > 0 {
		if p, err = p.WithContext(in.Agent, in.Context); err != nil {
			return "", nil, err
		}
	}
	j, err := s.newJob(in.Run, who.Name(), p, true)
	if errors.Is(err, journal.ErrRunLocked) {
		err = fmt.Errorf("run %s: %w", in.Run, journal.ErrRunExists)
	}
	if err != nil {
		return "", nil, err
	}
	go s.do(j, func(ctx context.Context, j *job) (runtime.Finish, error) {
		return j.engine.Run(runtime.WithTraceparent(ctx, from), j.program, in.Agent, in.Input)
	})

	if err = j.begun(); err != nil {
		s.log.Warn("run not started", "run", in.Run, "agent", in.Agent, "type", runtime.ErrorType(err), "error", err.Error())
	}

	return in.Run, j.wait, err
}
