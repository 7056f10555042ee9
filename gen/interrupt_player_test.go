package gen_test

// interrupter is a part of both players: it interrupts each run behind records of its journal, and complains if the run does not
// go on as if nobody had. Behind which ones is drawn by lot, unless AGENTC_SOAK wants all of them.
const interrupter = `package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/testing/resumetest"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

var resumed resumetest.Counts

func options(script string) engine.Options {
	return engine.Options{
		Clock: simulate.NewClock(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)),
		RunID: func() string { return "run" }, Script: script,
	}
}

func interrupted(name string, p *compiled.Program, task, script string) {
	c := resumetest.Case{Program: p, Input: task, Options: func() engine.Options { return options(script) }}
	if os.Getenv("AGENTC_SOAK") == "" {
		c.Sample = resumetest.Some(name, 4)
	}
	counts, err := c.Check(context.Background())
	if err != nil {
		fmt.Printf("interrupted: %v\n", err)
	}
	resumed.Add(counts)
}

func printResumed() { fmt.Printf("-- resumed --\n%s\n", resumed) }
`
