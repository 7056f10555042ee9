package app_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

type echo struct{}

func (echo) Program() *compiled.Program {
	return &compiled.Program{Name: "echo", Entry: "echo", Agents: []compiled.Agent{{
		Name: "echo", Run: func(_ runtime.Effects, input string) (runtime.Finish, error) {
			return runtime.Finish{Key: "done", Value: input}, nil
		},
	}}}
}

// A store of your own, and a command of your own; in main.go, options.Main does this for the arguments of the process.
func ExampleOptions() {
	myApp, myStore := echo{}, journal.Memory()
	count := &cli.Command{Name: "count", Summary: "count the runs", Run: func(c *cli.Call) error {
		runs, err := myStore.List(context.Background(), journal.Query{})
		if err != nil {
			return err
		}
		fmt.Fprintln(c.Stdout, len(runs), "runs")
		return nil
	}}
	options := app.Options{
		Engine:   engine.Options{Store: myStore},
		Commands: []*cli.Command{count},
	}
	for _, line := range []string{"run hello", "count"} {
		options.Run(myApp, strings.Fields(line), os.Stdin, os.Stdout, os.Stderr)
	}
	// Output:
	// hello
	// 1 runs
}
