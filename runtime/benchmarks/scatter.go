package main

import (
	"context"
	"fmt"
)

// scatterProgram measures a scatter whose workers wait for a model that sleeps.
const scatterProgram = `// Program scatter-run lets a scatter work on many items with a model that takes its time.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/scatter/agents"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
)

// sleepy answers a worker after a while and everybody else at once.
type sleepy struct {
	items string
	wait  time.Duration
}

func (s sleepy) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	switch r.Agent {
	case "worker":
		time.Sleep(s.wait)
	case "scatter":
		args := fmt.Sprintf("{\"key\":\"parallel\",\"value\":%s}", s.items)
		return model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: args}}}, nil
	}

	return model.Reply{Text: "done"}, nil
}

func main() {
	numbers := make([]int, 3)
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(os.Args[i+1])
	}
	best, err := run(numbers[0], time.Duration(numbers[1])*time.Millisecond, numbers[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(best.Nanoseconds())
}

// run returns the shortest of some runs.
func run(n int, wait time.Duration, rounds int) (best time.Duration, err error) {
	items := make([]string, n)
	for i := range items {
		items[i] = strconv.Itoa(i)
	}
	list, err := json.Marshal(items)
	if err != nil {
		return 0, err
	}
	eng := engine.New(engine.Options{Model: sleepy{string(list), wait}})
	app := agents.New()
	for round := range rounds {
		start := time.Now()
		if _, err := eng.Run(context.Background(), app.Program(), "scatter", "go"); err != nil {
			return 0, err
		}
		if took := time.Since(start); round == 0 || took < best {
			best = took
		}
	}

	return best, nil
}
`

// scatterGoal is how long a scatter may take beside workers that lose no time at all.
const scatterGoal = 1.15

// measureScatter measures a scatter over many items, a part of them at a time, against the time for which its workers
// sleep.
func (b *bench) measureScatter(ctx context.Context) error {
	const atATime, wait = 100, 20 // workers, and milliseconds
	items, rounds := 1000, 5
	if b.small {
		items, rounds = 100, 1
	}
	b.progress.say("scatter over %s items", count(items))

	p := make(project)
	p.agent("worker", "Does an item.", "oneshot", "", "Do the item.\n")
	p.agent("scatter", "Divides the work.", "scatter", fmt.Sprintf("worker: worker\nmax_concurrency: %d\n", atATime), "Divide.\n")
	p["agents/scatter/reduce.md"] = "Say that it is done.\n"
	if err := b.generate(ctx, "scatter", p); err != nil {
		return fmt.Errorf("scatter: %w", err)
	}
	if err := b.shop.put("scatter-run/main.go", []byte(scatterProgram)); err != nil {
		return err
	}

	var took float64
	err := b.shop.measure(ctx, "scatter-run", &took, fmt.Sprint(items), fmt.Sprint(wait), fmt.Sprint(rounds))
	if err != nil {
		return err
	}
	ideal := float64(items/atATime) * wait * 1e6
	b.rows = append(b.rows, row{
		fmt.Sprintf("scatter, %s items, %d at a time / ideal", count(items), atATime), took / ideal, "x", goal{atMost, scatterGoal},
	})

	return nil
}
