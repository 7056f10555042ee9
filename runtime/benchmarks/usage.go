package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// usage is what work took, or a finished command and the commands that it waited for.
type usage struct {
	passed time.Duration
	// busy is processor time, which on a machine that others use as well says more than the time that passes; work on two processors
	// counts twice. Where the system does not report it, it is the time that passed.
	busy time.Duration
	// peak is the most memory that one of the commands held, in bytes; 0 where the system does not report it.
	peak int64
}

// timed is work in this process as a turn.
func timed(work func() error) func() (usage, error) {
	return func() (usage, error) {
		start, busy := time.Now(), busySoFar()
		err := work()

		return usage{passed: time.Since(start), busy: busySoFar() - busy}, err
	}
}

// execute runs a program in a folder, with further variables of the environment. The error has the beginning of its output.
func execute(ctx context.Context, folder string, variables []string, args ...string) (output []byte, used usage, err error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), variables...)
	forgetPeak()
	start := time.Now()
	output, err = cmd.CombinedOutput()
	if err != nil {
		return nil, usage{}, fmt.Errorf("%s: %w\n%s", cmd, err, head(output))
	}

	return output, usageOf(cmd.ProcessState, time.Since(start)), nil
}

// head is the beginning of a long output.
func head(text []byte) []byte {
	const enough = 4000
	if len(text) > enough {
		return append(bytes.Clone(text[:enough]), "…\n"...)
	}

	return text
}

// side does the same work as another, in its own way.
type side struct {
	name string
	turn func() (usage, error)
}

// inTurns lets sides take turns, so that what else the machine does is done to all: the time that passes, and processor time. Who
// begins changes. The first rounds warm the caches and do not count.
func inTurns(warm, rounds int, sides ...side) (passed, busy []contest.Score) {
	for _, s := range sides {
		passed, busy = append(passed, contest.Score{Name: s.name}), append(busy, contest.Score{Name: s.name})
	}
	for round := range warm + rounds {
		for i := range sides {
			at := (round + i) % len(sides)
			used, err := sides[at].turn()
			if err != nil {
				check(fmt.Errorf("%s: %w", sides[at].name, err))
			}
			if round >= warm {
				passed[at].Step = append(passed[at].Step, float64(used.passed))
				busy[at].Step = append(busy[at].Step, float64(used.busy))
			}
		}
	}

	return passed, busy
}
