package serve

import (
	"context"
	"net/http"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

func (s *Server) startRun(w http.ResponseWriter, r *http.Request) error {
	in, err := read[Start](w, r)
	if err != nil {
		return err
	}
	if in.Run == "" {
		in.Run = newRun()
	}
	if !journal.ValidRun(in.Run) {
		return refuse(http.StatusUnprocessableEntity, "RunNameError", "%v, not %q", journal.ErrRunName, in.Run)
	}
	p := s.program
	if len(in.Context) > 0 {
		if p, err = p.WithContext(in.Agent, in.Context); err != nil {
			return err
		}
	}
	j, err := s.newJob(in.Run, p, true)
	if as[*journal.RunError](err) {
		err = &journal.RunError{Run: in.Run, Err: journal.ErrRunExists}
	}
	if err != nil {
		return err
	}
	from := traceOf(r)
	go s.do(j, func(ctx context.Context, j *job) (runtime.Finish, error) {
		return j.engine.Run(runtime.WithTraceparent(ctx, from), j.program, in.Agent, in.Input)
	})
	if err := j.begun(); err != nil {
		return err
	}

	return s.answerWith(w, r, http.StatusCreated, in.Run, nil)
}
