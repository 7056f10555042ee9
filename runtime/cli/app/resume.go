package app

import (
	"context"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// aboutRuns explains how a run may be named.
const aboutRuns = "RUN is the name of a run, the beginning of its name, or last."

var forceShape = cli.Flag{Name: "force-shape", Help: "resume even if states, rows, steps or tools of the program have changed"}

func resumeCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "resume", Args: "RUN", Max: 1,
		Summary: "resume a run that was paused, failed, was cancelled or was interrupted",
		Help: `The run continues where it stopped; nothing it has done is repeated. For a finished run, its result is printed again. ` + aboutRuns + `

Prompts may have changed since. If states, rows, steps or tools have changed, the run is refused, unless --force-shape is given.
` + aboutTokens,
		Example: p.Name + " resume last",
		Flags:   slices.Concat([]cli.Flag{forceShape}, callerFlags(), sessionFlags()),
		Run:     func(c *cli.Call) error { return runResume(c, p) },
	}
}

func runResume(c *cli.Call, p *compiled.Program) error {
	s, err := sessionOf(c, p, c.Args)
	if err != nil {
		return err
	}
	who, err := permitCaller(c, s.store, s.run, func(of *client.Run) []access.Right {
		return access.ResumeRights(wasCancelled(of), c.On(forceShape.Name))
	})
	if err != nil {
		return err
	}
	s.by = who.Name()

	return s.resumeRun()
}

// wasCancelled reports whether a run was left as a person or a program had it cancelled.
func wasCancelled(of *client.Run) bool {
	return of.Status == client.Cancelled && of.Problem != nil && of.Problem.Type == runtime.ErrorType(&runtime.CancelledError{})
}

// sessionOf is a session for the run that the first argument names.
func sessionOf(c *cli.Call, p *compiled.Program, args []string) (*session, error) {
	_, run, err := namedRun(c, p, args)
	if err != nil {
		return nil, err
	}
	s, err := newSession(c, p)
	if err != nil {
		return nil, err
	}
	s.run = run

	return s, nil
}

// namedRun is the run that the first argument names, and its store.
func namedRun(c *cli.Call, p *compiled.Program, args []string) (store journal.Store, run string, err error) {
	if len(args) == 0 {
		return nil, "", c.Usagef("which run? %s lists them; \"last\" names the newest run", c.Program.Called("runs"))
	}
	store, err = wantStore(c, p)
	if err != nil {
		return nil, "", err
	}
	run, err = pickRun(c, p, store, args[0])

	return store, run, err
}

// resumeRun resumes the session's run.
func (s *session) resumeRun() error {
	j, err := journal.Read(context.Background(), s.store, s.run)
	switch {
	case errs.Is[*journal.DamagedError](err):
		seen := calledBy(s.c, "store")
		return s.c.Errorf(cli.Problem, "%w; to see what is before that byte: %s; to resume from an effect there: %s",
			err, seen.commandLine("runs", "show", s.run), seen.commandLine("fork", s.run, "--at", "ADDRESS"))
	case err != nil:
		return journalError(s.c, err)
	}
	reportCut(s.c, j)
	s.shown.Resumed(trace.Of(j.Records))

	return s.runWork("", func(ctx context.Context, p *compiled.Program) (runtime.Finish, error) {
		return s.engine.Resume(ctx, p, s.run, core.ResumeOptions{ForceShape: s.c.On("force-shape"), By: s.by})
	})
}

func cancelCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "cancel", Args: "RUN", Max: 1,
		Summary: "stop a run, in whichever process it is running",
		Help: `A running run stops at its next safe point, as after an interrupt; a run that waits is marked as cancelled. Both can be resumed.
No server resumes a cancelled run by itself. ` + aboutTokens + ` ` + aboutRuns,
		Example: p.Name + " cancel last",
		Flags: append(callerFlags(),
			cli.Flag{Name: "by", Value: "NAME", Help: "who cancels, where there is no tokens file; default: the user's name"}, storeFlag()),
		Run: func(c *cli.Call) error { return RunsCall{c, p}.Cancel() },
	}
}

// Cancel is the command cancel. Without a program the run may belong to any.
func (r RunsCall) Cancel() error {
	c, p := r.Call, r.Program
	store, run, err := namedRun(c, p, c.Args)
	if err != nil {
		return err
	}
	who, err := permitCaller(c, store, run, needsRight(access.Cancel))
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := core.New(core.Config{Store: store}).Cancel(ctx, p, run, who.Name()); err != nil {
		return runError(c, err)
	}
	if j, err := journal.Read(ctx, store, run); err == nil && trace.Of(j.Records).Status == trace.Cancelled {
		c.Sayf("run %s is cancelled; to resume: %s", run, cells.Clean(calledBy(c, runFlags...).commandLine("resume", run)))
	} else {
		c.Sayf("run %s will stop at its next safe point", run)
	}

	return nil
}
