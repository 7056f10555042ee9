package app

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/journal"
)

func cancelCommand(p *runtime.Program) *cli.Command {
	return &cli.Command{
		Name: "cancel", Args: "RUN", Max: 1,
		Summary: "stop a run, whichever process works on it",
		Help: `A run that a process works on stops at its next safe point, as after an interrupt; one that waits is marked as cancelled. Both can
be resumed. ` + aboutRuns,
		Example: p.Name + " cancel last",
		Flags:   []cli.Flag{StoreFlag()},
		Run:     func(c *cli.Call) int { return cancelRun(c, p) },
	}
}

func cancelRun(c *cli.Call, p *runtime.Program) int {
	s, code, ok := sessionOf(c, p, c.Args)
	if !ok {
		return code
	}
	if err := s.engine.Cancel(s.ctx, s.program, s.run); err != nil {
		return c.Errorf(codeOf(err), "%s", cleanLines(err.Error()))
	}
	if status := s.status(); status == trace.Cancelled {
		c.Errorf(cli.Done, "run %s is cancelled; to go on: %s", s.run, clean(s.called.with("resume", s.run)))
	} else {
		c.Errorf(cli.Done, "run %s is asked to stop; its process does so at the next safe point", s.run)
	}

	return cli.Done
}

// status is how the session's run is now; "" if that cannot be told.
func (s *session) status() string {
	j, err := journal.Read(context.Background(), s.store, s.run)
	if err != nil {
		return ""
	}

	return trace.Of(j.Records).Status
}
