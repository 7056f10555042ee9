package app

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/local"
	"github.com/agentc-dev/agentc/runtime/recording"
)

// exportRun makes a recording of the run that the word names, or adds it to one.
func exportRun(c *cli.Call, p *runtime.Program, store journal.Store, word string) int {
	run, code, ok := pickRun(c, store, word)
	if !ok {
		return code
	}
	to, err := recording.Open(c.Path(c.Flag("o")))
	if err != nil {
		return badRecording(c, "o", err)
	}
	made := Recordings{record: to}
	if err := local.New(local.Config{Store: store}).Export(context.Background(), p, run, to); err != nil {
		code = c.Errorf(codeOf(err), "%s", cleanLines(err.Error()))
		return made.Close(c, code)
	}
	if code = made.Close(c, cli.Done); code == cli.Done {
		fmt.Fprintf(c.Stderr, "%s: run %s is recorded in %s\n", c.Program.Name, run, c.Flag("o"))
	}

	return code
}
