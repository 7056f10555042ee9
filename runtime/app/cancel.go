package app

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cells"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/journal"
)

func cancelCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "cancel", Args: "RUN", Max: 1,
		Summary: "stop a run, in whichever process it is running",
		Help: `A running run stops at its next safe point, as after an interrupt; a run that waits is marked as cancelled. Both can be resumed.
` + aboutRuns,
		Example: p.Name + " cancel last",
		Flags:   []cli.Flag{StoreFlag()},
		Run:     func(c *cli.Call) int { return RunsCall{c, p}.Cancel() },
	}
}

// Cancel is the command cancel. Without a program the run may belong to any.
func (r RunsCall) Cancel() int {
	c, p := r.Call, r.Program
	store, run, code, ok := namedRun(c, p, c.Args)
	if !ok {
		return code
	}
	ctx := context.Background()
	if err := core.New(core.Config{Store: store}).Cancel(ctx, p, run); err != nil {
		return c.Errorf(codeOf(err), "%s", cells.CleanLines(err.Error()))
	}
	if j, err := journal.Read(ctx, store, run); err == nil && trace.Of(j.Records).Status == trace.Cancelled {
		c.Errorf(cli.Done, "run %s is cancelled; to resume: %s", run, cells.Clean(calledBy(c).with("resume", run)))
	} else {
		c.Errorf(cli.Done, "run %s will stop at its next safe point", run)
	}

	return cli.Done
}
