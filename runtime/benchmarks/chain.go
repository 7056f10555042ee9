package main

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// chainProgram measures a chain of oneshot states, one of react states, and the same written by hand.
const chainProgram = `// Program chain-run lets the contestants run a chain of model calls.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain/handchain"
	oneshot "github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain/oneshot/agents"
	react "github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain/react/agents"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

const input = "the text"

func main() {
	numbers := make([]int, 3)
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(os.Args[i+1])
	}
	if err := run(numbers[0], numbers[1], numbers[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs chains of the given number of steps. A turn is several of them: enough that garbage is collected inside turns, and so
// many that the turns of all contestants are of similar length.
func run(steps, chains, rounds int) error {
	oneshots, reacts := oneshot.New(), react.New()
	fx, model := contest.NewInstant(input), &handchain.Model{}
	contestants := []contest.Contestant{
		{Name: "oneshot", Run: func() {
			fin, err := oneshots.RunChain(fx, input)
			must(fin.Value, err)
		}},
		{Name: "react", Run: func() {
			fin, err := reacts.RunChain(fx, input)
			must(fin.Value, err)
		}},
		{Name: "hand", Run: func() { must(handchain.Run(model, input)) }},
	}
	times := map[string]int{"oneshot": chains, "react": chains/20 + 1, "hand": 4 * chains}
	for i := range contestants {
		once, chains := contestants[i].Run, times[contestants[i].Name]
		fx.Calls, model.Calls = 0, 0
		once()
		if calls := fx.Calls + model.Calls; calls != steps {
			return fmt.Errorf("%s called the model %d times, not %d", contestants[i].Name, calls, steps)
		}
		contestants[i].Steps = chains * steps
		contestants[i].Run = func() {
			for range chains {
				once()
			}
		}
	}

	return contest.Write(os.Stdout, contest.Hold(rounds, contestants))
}

func must(value string, err error) {
	if err != nil {
		panic(err)
	}
	if value != input {
		panic("the chain ends with " + value)
	}
}
`

// The goals of a chain: its time beside the hand-written loop, and what a step may allocate.
const (
	chainGoal       = 15
	chainAllocsGoal = 1
)

// measureChains measures a chain of states in which the model answers at once.
func (b *bench) measureChains(ctx context.Context) error {
	steps, chains, rounds := 1000, 60, 101
	if b.small {
		steps, chains, rounds = 10, 2, 3
	}
	b.progress.say("chain of %s steps", count(steps))

	for _, pattern := range []string{"oneshot", "react"} {
		if err := b.generate(ctx, "chain/"+pattern, chainProject(steps, pattern)); err != nil {
			return fmt.Errorf("chain of %s: %w", pattern, err)
		}
	}
	hand, err := handChain(steps)
	if err != nil {
		return err
	}
	if err := b.shop.put("chain/handchain/handchain.go", hand); err != nil {
		return err
	}
	if err := b.shop.put("chain-run/main.go", []byte(chainProgram)); err != nil {
		return err
	}

	var scores []contest.Score
	err = b.shop.measure(ctx, "chain-run", &scores, fmt.Sprint(steps), fmt.Sprint(chains), fmt.Sprint(rounds))
	if err != nil {
		return err
	}
	b.rows = append(b.rows, chainRows(steps, scores)...)

	return nil
}

// chainRows turns the scores of the chains into rows. The few allocations that a run needs once are not those of a step.
func chainRows(steps int, scores []contest.Score) []row {
	title := fmt.Sprintf("chain of %s ", count(steps))
	hand := best(scores, "hand")

	return []row{
		{title + "oneshot states / hand-written", best(scores, "oneshot") / hand, "x", goal{atMost, chainGoal}},
		{title + "oneshot states, allocations a step", allocsStep(scores, "oneshot"), "", goal{atMost, chainAllocsGoal}},
		{title + "react states / hand-written", best(scores, "react") / hand, "x", goal{}},
		{title + "react states, allocations a step", allocsStep(scores, "react"), "", goal{}},
	}
}
