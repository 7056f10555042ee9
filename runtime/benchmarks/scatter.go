package main

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// scatterProgram measures a scatter whose workers wait for a model that sleeps.
const scatterProgram = `// Program scatter-run lets a scatter work on many items with a model that takes its time.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/scatter/agents"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
)

// sleepy answers a worker after a while and everybody else at once.
type sleepy struct{ items []byte }

func (s sleepy) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	switch r.Agent {
	case "worker":
		time.Sleep(%d * time.Millisecond)
	case "scatter":
		args := fmt.Sprintf("{\"key\":\"parallel\",\"value\":%%s}", s.items)
		return model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: args}}}, nil
	}

	return model.Reply{Text: "done"}, nil
}

func main() {
	contest.Main(func(task contest.Task) ([]contest.Score, error) {
		items := make([]string, task.Runs)
		for i := range items {
			items[i] = strconv.Itoa(i)
		}
		list, err := json.Marshal(items)
		if err != nil {
			return nil, err
		}
		eng, app := engine.New(engine.Options{Model: sleepy{list}}), agents.New()

		return contest.Hold(task.Rounds, contest.Repeat("scatter", 1, 1, func() error {
			_, err := eng.Run(context.Background(), app.Program(), "scatter", "go")
			return err
		}))
	})
}
`

// scatterGoal is how long a scatter may take beside workers that lose no time at all.
const scatterGoal = 1.15

// measureScatter measures a scatter over many items, a part of them at a time, against the time for which its workers
// sleep.
func (b *bench) measureScatter() {
	const atATime, wait = 100, 20 // workers, and milliseconds
	items, rounds := b.size(1000, 100), b.size(5, 1)
	b.progress.say("scatter over %s items", count(items))

	p := make(project)
	p.agent("worker", "Does an item.", "oneshot", "", "Do the item.\n")
	p.agent("scatter", "Divides the work.", "scatter", fmt.Sprintf("worker: worker\nmax_concurrency: %d\n", atATime), "Divide.\n")
	p["agents/scatter/reduce.md"] = "Say that it is done.\n"
	b.generate("scatter", p)
	scores := b.measure("scatter-run", fmt.Sprintf(scatterProgram, wait), contest.Task{Runs: items, Rounds: rounds})
	ideal := float64(items/atATime) * wait * 1e6
	title := fmt.Sprintf("scatter, %s items, %d at a time / ideal", count(items), atATime)
	b.add(title, best(scores, "scatter")/ideal, "x", goal{atMost, scatterGoal})
}
