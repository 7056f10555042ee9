package app

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func timersCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name:    "timers",
		Summary: "list the paused runs that go on at a time, or wake those whose time has come",
		Help: `A run pauses at a step with wait, and at a question with a timeout. serve and mcp wake such runs by themselves; without
them, cron can: --once resumes each run whose time has come, until it ends or pauses again, and prints how. A run that another
process works on, or that was answered meanwhile, is left alone. Without --once, prints a line for each run with its time, the
earliest first.`,
		Example: p.Name + " timers\n" + p.Name + " timers --once",
		Flags: append(RunFlags(),
			cli.Flag{Name: "once", Help: "resume the runs whose time has come, and exit"},
			cli.Flag{Name: "json", Help: "print a JSON object per run"}),
		Run: func(c *cli.Call) error { return runTimers(c, p) },
	}
}

// wokenRun is a run that goes on at a time, as it is printed.
type wokenRun struct {
	Run string    `json:"run"`
	Due time.Time `json:"due"`
	// Status is how the run has ended after it was woken.
	Status string `json:"status,omitempty"`
}

func runTimers(c *cli.Call, p *compiled.Program) error {
	config, done, err := inputs.Config(c, p)
	if err != nil {
		return err
	}
	store, err := wantStore(c, p)
	if err != nil {
		return err
	}
	before := time.Unix(0, math.MaxInt64)
	if c.On("once") {
		before = time.Now()
	}
	ctx := context.Background()
	due, err := journal.Due(ctx, store, p.Name, before)
	if err != nil {
		return err
	}
	config.Store, config.Asker = store, nil
	engine, code := core.New(config), cli.Done
	for _, run := range due {
		shown := wokenRun{Run: run.Run, Due: run.Due}
		if c.On("once") {
			shown.Status, err = wakeRun(ctx, engine, p, run.Run)
			if err != nil {
				code = c.Report(runError(c, fmt.Errorf("run %s: %w", run.Run, err)))
			}
		}
		if c.On("once") && shown.Status == "" {
			continue // another process has it, or it has nothing to wait for any more
		}
		err = printWoken(c, shown)
		if err != nil {
			return done(err)
		}
	}

	return done(c.Exit(code))
}

// printWoken prints a line for a run.
func printWoken(c *cli.Call, run wokenRun) error {
	if c.On("json") {
		return json.NewEncoder(c.Stdout).Encode(run)
	}
	line := run.Run + "  " + run.Due.Local().Format(time.RFC3339)
	if run.Status != "" {
		line += "  " + run.Status
	}
	_, err := fmt.Fprintln(c.Stdout, cells.Clean(line))

	return err
}

// wakeRun resumes a run whose time has come, and returns its status afterwards; "" if another
// process works on it or it is not due any more. A run that fails is not an error.
func wakeRun(ctx context.Context, engine *core.Engine, p *compiled.Program, run string) (status string, err error) {
	isWoken := false
	_, err = engine.Resume(ctx, p, run, core.ResumeOptions{Recovery: &core.Recovery{
		Max: math.MaxInt,
		Wanted: func(j *journal.Journal) bool {
			t := trace.Of(j.Records)
			due := t.Due()
			isWoken = t.Status == trace.Paused && !t.StaysPaused && !due.IsZero() && !time.Now().Before(due)

			return isWoken
		},
	}})
	switch {
	case err == nil:
		return trace.Done, nil
	case core.Questions(err) != nil:
		return trace.Paused, nil
	case errs.Has(err, "RunLockedError", "UnknownRunError", "RunEndedError"):
		return "", nil
	case !isWoken:
		return "", err
	}

	return trace.Failed, err
}
