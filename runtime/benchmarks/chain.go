package main

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// chainProgram measures a chain of oneshot states, one of react states, and the same written by hand.
const chainProgram = `// Program chain-run lets the contestants run a chain of model calls.
package main

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain/handchain"
	oneshot "github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain/oneshot/agents"
	react "github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain/react/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

const input = "the text"

// main runs several chains in a turn: enough that garbage is collected inside turns, and so many that the turns of all contestants
// are of similar length.
func main() {
	contest.Main(func(task contest.Task) ([]contest.Score, error) {
		oneshots, reacts := oneshot.New(), react.New()
		fx, model := contest.NewInstant(input), &handchain.Model{}
		contestants := []contest.Contestant{
			contest.Repeat("oneshot", task.Runs, task.Steps, func() error { return same(oneshots.RunChain(fx, input)) }),
			contest.Repeat("react", task.Runs/20+1, task.Steps, func() error { return same(reacts.RunChain(fx, input)) }),
			contest.Repeat("hand", 4*task.Runs, task.Steps, func() error {
				value, err := handchain.Run(model, input)
				return same(runtime.Finish{Value: value}, err)
			}),
		}
		for _, c := range contestants {
			fx.Calls, model.Calls = 0, 0
			if err := c.Run(); err != nil {
				return nil, err
			}
			if calls := fx.Calls + model.Calls; calls != c.Steps {
				return nil, fmt.Errorf("%s called the model %d times, not %d", c.Name, calls, c.Steps)
			}
		}

		return contest.Hold(task.Rounds, contestants...)
	})
}

func same(fin runtime.Finish, err error) error {
	if err == nil && fin.Value != input {
		err = fmt.Errorf("the chain ends with %q", fin.Value)
	}

	return err
}
`

// The goals of a chain: its time beside the hand-written loop, and what a step may allocate.
const (
	oneshotChainGoal       = 15
	oneshotChainAllocsGoal = 1
	reactChainGoal         = 60
	reactChainAllocsGoal   = 2
)

// measureChains measures a chain of states in which the model answers at once.
func (b *bench) measureChains() {
	steps, chains, rounds := b.size(1000, 10), b.size(60, 2), b.size(101, 3)
	b.progress.say("chain of %s steps", count(steps))

	for _, pattern := range []string{"oneshot", "react"} {
		b.generate("chain/"+pattern, chainProject(steps, pattern))
	}
	b.put("chain/handchain/handchain.go", handChain(steps))

	scores := b.measure("chain-run", chainProgram, contest.Task{Steps: steps, Runs: chains, Rounds: rounds})
	title := fmt.Sprintf("chain of %s ", count(steps))
	for _, of := range []struct {
		pattern      string
		time, allocs goal
	}{
		{"oneshot", goal{atMost, oneshotChainGoal}, goal{atMost, oneshotChainAllocsGoal}},
		{"react", goal{atMost, reactChainGoal}, goal{atMost, reactChainAllocsGoal}},
	} {
		b.compare(title+of.pattern+" states / hand-written", scores, of.pattern, "hand", of.time)
		// The few allocations that a run needs once are not those of a step.
		b.add(title+of.pattern+" states, allocations a step", allocsStep(scores, of.pattern), "", of.allocs)
	}
}
