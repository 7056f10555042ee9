package app

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cells"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/recording"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// exportRun makes a recording of the run, or adds it to one.
func exportRun(c *cli.Call, p *compiled.Program, store journal.Store, run string) int {
	to, err := recording.Open(c.Path(c.Flag("o")))
	if err != nil {
		return inputs.BadRecording(c, "o", err)
	}
	made := inputs.Recorder(to)
	if err := core.New(core.Config{Store: store}).Export(context.Background(), p, run, to); err != nil {
		return made.Close(c, c.Errorf(codeOf(err), "%s", cells.CleanLines(err.Error())))
	}
	switch code := made.Close(c, cli.Done); {
	case code != cli.Done:
		return code
	case to.Requests() == 0:
		return c.Errorf(cli.Problem, "nothing is written to %s: run %s has no reply of a model", c.Flag("o"), run)
	}

	return c.Errorf(cli.Done, "run %s is recorded in %s", run, c.Flag("o"))
}

// RanBy returns the program, by its name and its hashes, of the run that runs export or runs show names on the command
// line; only that program can rebuild the requests to models. ok is false if there is no such run.
func (r RunsCall) RanBy() (by *compiled.Program, code int, ok bool) {
	c := r.Call
	store, run, code, ok := namedRun(c, nil, c.Args[1:])
	if !ok {
		return by, code, false
	}
	j, err := journal.Read(context.Background(), store, run)
	if err != nil {
		return by, journalError(c, err), false
	}

	return ranBy(trace.Of(j.Records)), cli.Done, true
}

// ranBy is the program that wrote the newest records of a run, by its name and its hashes.
func ranBy(t *trace.Trace) *compiled.Program {
	return &compiled.Program{Name: t.Program, Shape: t.Shape, Text: t.Text}
}
