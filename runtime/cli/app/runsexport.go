package app

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// exportRun makes a recording of the run, or adds it to one.
func exportRun(c *cli.Call, p *compiled.Program, store journal.Store, run string) error {
	to, err := recording.Open(c.Path(c.Flag("o")))
	if err != nil {
		return inputs.BadRecording(c, "o", err)
	}
	err = core.New(core.Config{Store: store}).Export(context.Background(), p, run, to)
	if err != nil {
		err = runError(c, err)
	}
	if err := inputs.Close(c, to, err); err != nil {
		return err
	}
	if to.Requests() == 0 {
		return c.Errorf(cli.Problem, "nothing is written to %s: run %s has no reply of a model", c.Flag("o"), run)
	}
	c.Sayf("run %s is recorded in %s", run, c.Flag("o"))

	return nil
}

// RanBy returns the program, by its name and its hashes, of the run that runs export or runs show
// names on the command line; only that program can rebuild the requests to models.
func (r RunsCall) RanBy() (*compiled.Program, error) {
	c := r.Call
	store, run, err := namedRun(c, nil, c.Args[1:])
	if err != nil {
		return nil, err
	}
	j, err := journal.Read(context.Background(), store, run)
	if err != nil {
		return nil, journalError(c, err)
	}

	return ranBy(trace.Of(j.Records)), nil
}

// ranBy is the program that wrote the newest records of a run, by its name and its hashes.
func ranBy(t *trace.Trace) *compiled.Program {
	return &compiled.Program{Name: t.Program, Shape: t.Shape, Text: t.Text}
}
