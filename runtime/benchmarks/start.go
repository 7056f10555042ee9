package main

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// startProgram measures runs of one agent in a small program and in a large one.
const startProgram = `// Program start-run lets runs of one agent take turns, in programs of different sizes.
package main

import (
	"context"

	one "github.com/agentc-dev/agentc/runtime/benchmarks/bench/start/one/agents"
	many "github.com/agentc-dev/agentc/runtime/benchmarks/bench/start/many/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// step is a method of a program that runs its agent step-0.
type step func(ctx context.Context, eng compiled.Engine, input string) (runtime.Finish, error)

func main() {
	contest.Main(func(task contest.Task) ([]contest.Score, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		counted := &contest.EventCounter{}
		unobserved := engine.New(engine.Options{Model: contest.Echo{}})
		observed := engine.New(engine.Options{Model: contest.Echo{}, Observers: []event.Observer{counted}})
		small, large := one.New(), many.New()
		run := func(name string, step0 step, eng *engine.Engine) contest.Contestant {
			return contest.Repeat(name, task.Runs, 1, func() error { return contest.CheckEcho(step0(ctx, eng, contest.EchoInput)) })
		}

		return contest.Hold(task.Rounds,
			run("one", small.Step0, unobserved), run("many", large.Step0, unobserved),
			run("one, observed", small.Step0, observed), run("many, observed", large.Step0, observed))
	})
}
`

// largeStartGoal is how much longer a run of one agent may take in a large program than in a program of one agent.
const largeStartGoal = 1.2

// measureStarts measures a run of a oneshot agent in a program that has no other agent, and in one with many.
func (b *bench) measureStarts() {
	agents, runs, rounds := b.size(1000, 10), b.size(1000, 10), b.size(41, 2)
	b.progress.say("runs of one agent of %s", count(agents))
	one := make(project)
	one.agent("step-0", "Does the work.", "oneshot", "", chainPrompt(0))
	b.generate("start/one", one)
	b.generate("start/many", chainProject(agents-1, "oneshot"))

	scores := b.measure("start-run", startProgram, contest.Task{Runs: runs, Rounds: rounds})
	title := fmt.Sprintf("run of one oneshot agent: in a program of %s agents / of one", count(agents))
	b.compare(title, scores, "many", "one", goal{atMost, largeStartGoal})
	b.compare(title+", observed", scores, "many, observed", "one, observed", goal{atMost, largeStartGoal})
}
