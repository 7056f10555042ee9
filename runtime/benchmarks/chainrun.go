package main

import (
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// chainRunProgram measures whole runs of a chain as a program of a user starts them, on the engine.
const chainRunProgram = `// Program chain-engine-run lets runs of a chain take turns.
package main

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain-run/agents"
	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/chain-run/handchain"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

func main() { contest.Main(measure) }

func measure(task contest.Task) ([]contest.Score, error) {
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	counted := &contest.EventCounter{}
	unobserved := engine.New(engine.Options{Model: contest.Echo{}})
	observed := engine.New(engine.Options{Model: contest.Echo{}, Observers: []event.Observer{counted}})
	unpromised := engine.New(engine.Options{Model: model.ProviderFunc(contest.Echo{}.Chat)})
	app, byHand := agents.New(), &handchain.Model{}
	run := func(name string, ctx context.Context, eng *engine.Engine) contest.Contestant {
		return contest.Repeat(name, task.Runs, task.Steps, func() error { return contest.CheckEcho(app.Run(ctx, eng, contest.EchoInput)) })
	}
	scores, err := contest.Hold(task.Rounds,
		run("background", context.Background(), unobserved),
		run("cancellable", cancellable, unobserved),
		run("observed", cancellable, observed),
		run("unpromised", cancellable, unpromised),
		contest.Repeat("hand", task.Runs, task.Steps, func() error {
			value, err := handchain.Run(byHand, contest.EchoInput)
			return contest.CheckEcho(runtime.Finish{Value: value}, err)
		}))
	if err == nil && counted.Events < task.Steps {
		err = fmt.Errorf("the observer received %d events", counted.Events)
	}

	return scores, err
}
`

// The goals of a run on the engine: with a context that can be cancelled, as all programs have, beside one that cannot; and with an
// observer beside none.
const (
	cancellableGoal = 1.5
	observedGoal    = 1.5
	// runAllocsGoal is what a step may allocate: the message, and a share of the run's start.
	runAllocsGoal = 2
)

// measureChainRuns measures runs of a chain on the engine, from the start of a run to its end.
func (b *bench) measureChainRuns() {
	steps, runs, rounds := b.size(100, 10), b.size(100, 2), b.size(41, 2)
	b.progress.say("runs of a chain of %s steps", count(steps))
	p := chainProject(steps, "oneshot")
	p["agentc.yaml"] = "entrypoint: " + chainName + "\n"
	b.generate("chain-run", p)
	b.put("chain-run/handchain/handchain.go", handChain(steps))

	scores := b.measure("chain-engine-run", chainRunProgram, contest.Task{Steps: steps, Runs: runs, Rounds: rounds})
	title := "run of " + count(steps) + " oneshot states on the engine: "
	b.compare(title+"App.Run / hand-written", scores, "cancellable", "hand", goal{})
	b.compare(title+"context that can be cancelled / that cannot", scores, "cancellable", "background", goal{atMost, cancellableGoal})
	b.compare(title+"observed / unobserved", scores, "observed", "cancellable", goal{atMost, observedGoal})
	b.compare(title+"a provider without a promise / with one", scores, "unpromised", "cancellable", goal{})
	b.add(title+"allocations a step", allocsStep(scores, "cancellable"), "", goal{atMost, runAllocsGoal})
}
