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
	"fmt"

	one "github.com/agentc-dev/agentc/runtime/benchmarks/bench/start/one/agents"
	many "github.com/agentc-dev/agentc/runtime/benchmarks/bench/start/many/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

const input = "the text"

// echo is a model that answers at once with what it was given.
type echo struct{}

func (echo) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	return model.Reply{Text: r.Messages[0].Text}, nil
}

func (echo) Interruptible() bool { return true }

// counter counts events.
type counter struct{ events int }

func (c *counter) Observe(event.Event) { c.events++ }

func main() {
	contest.Main(func(task contest.Task) ([]contest.Score, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		counted := &counter{}
		unobserved := engine.New(engine.Options{Model: echo{}})
		observed := engine.New(engine.Options{Model: echo{}, Observers: []event.Observer{counted}})
		small, large := one.New(), many.New()

		return contest.Hold(task.Rounds,
			contest.Repeat("one", task.Runs, 1, func() error { return same(small.Step0(ctx, unobserved, input)) }),
			contest.Repeat("many", task.Runs, 1, func() error { return same(large.Step0(ctx, unobserved, input)) }),
			contest.Repeat("one, observed", task.Runs, 1, func() error { return same(small.Step0(ctx, observed, input)) }),
			contest.Repeat("many, observed", task.Runs, 1, func() error { return same(large.Step0(ctx, observed, input)) }))
	})
}

func same(fin runtime.Finish, err error) error {
	if err == nil && fin.Value != input {
		err = fmt.Errorf("the agent ends with %q", fin.Value)
	}

	return err
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
