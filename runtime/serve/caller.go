package serve

import (
	"context"
	"net/http"

	"github.com/agentc-dev/agentc/runtime/access"
	"github.com/agentc-dev/agentc/runtime/client"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// Show returns a run as GET /runs/RUN does. A run that the caller may not see is one that does not exist. Errors: those
// of [journal.Read].
func (s *Server) Show(ctx context.Context, who access.Caller, run string) (*client.Run, error) {
	if journal.CheckRun(run) != nil {
		return nil, unknownRun(run)
	}
	if err := s.permitRun(ctx, who, run, ""); err != nil {
		return nil, err
	}

	return s.show(ctx, run)
}

// Answer records an answer and, unless Resume is false, resumes the run in the background; from is the caller's
// position in a distributed trace. If the run was answered and could not be resumed, its problem is the reason.
// An answer is by the caller, whose name in.By may repeat. Errors: *access.RightError, *requestError for another name,
// those of [core.Engine.Answer].
func (s *Server) Answer(ctx context.Context, who access.Caller, run string, in wire.Reply, from string) (problem, err error) {
	if err := s.permitRun(ctx, who, run, access.Answer); err != nil {
		return nil, err
	}
	if name := who.Name(); in.By == "" {
		in.By = name
	} else if name != "" && in.By != name {
		return nil, refuse(http.StatusForbidden, "IdentityError", "the token is that of %s, and cannot answer for %s", name, in.By)
	}

	return s.answer(ctx, who, from, run, &in)
}

// Wait returns when this server no longer executes a run, or with the cause of ctx. If each is not nil, it is called
// with the events that arrive meanwhile, as lines of JSON; if it is slow, it misses some.
func (s *Server) Wait(ctx context.Context, run string, each func(line []byte)) error {
	if j := s.job(run); j != nil {
		return j.wait(ctx, each)
	}

	return nil
}

// wait is Wait for this job.
func (j *job) wait(ctx context.Context, each func(line []byte)) error {
	at := j.hub.enter(1)
	for {
		n := j.hub.next(&at)
		for _, e := range n.events {
			if each != nil {
				each(e.line)
			}
		}
		if n.missed {
			j.hub.skip(&at)
			continue
		}
		if n.over {
			<-j.done
			return nil
		}
		select {
		case <-n.changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
