package main

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// writesProgram measures runs of a workflow that writes to its context, and of one that does not.
const writesProgram = `// Program writes-run lets runs with small and large contexts take turns.
package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/writes/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// contextOf returns a context that has about so many bytes beside what is written.
func contextOf(size int) (json.RawMessage, error) {
	const text = "some words"
	other := slices.Repeat([]string{text}, size/len(text))

	return json.Marshal(map[string]any{"other": other, "count": 0, "last": ""})
}

func main() {
	contest.Main(func(task contest.Task) ([]contest.Score, error) {
		app, fx := agents.New(), contest.NewInstant("")
		var contestants []contest.Contestant
		for name, size := range map[string]int{"small": 1 << 10, "large": 1 << 20} {
			initial, err := contextOf(size)
			if err != nil {
				return nil, err
			}
			run := func(name string, start func(runtime.Effects, string, json.RawMessage) (runtime.Finish, error)) {
				contestants = append(contestants, contest.Repeat(name, 1, task.Steps, func() error {
					fin, err := start(fx, "a text", initial)
					if err == nil && fin.Key != "done" {
						err = fmt.Errorf("%s ends with key %q", name, fin.Key)
					}

					return err
				}))
			}
			run(name, app.RunWritesWith)
			run(name+" alone", app.RunNoneWith)
		}

		return contest.Hold(task.Rounds, contestants...)
	})
}
`

// mapProgram measures a map whose items call a function that takes its time.
const mapProgram = `// Program map-run lets a map work on many items with a function that takes its time.
package main

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/map/agents"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
)

// functions return what they are given, after a while.
type functions struct{}

func (functions) WorkStep(_ context.Context, in string) (string, error) {
	time.Sleep(%d * time.Millisecond)

	return in, nil
}

func main() {
	contest.Main(func(task contest.Task) ([]contest.Score, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		eng, app := engine.New(engine.Options{}), agents.New(functions{})
		initial := agents.EachContext{Items: slices.Repeat([]string{"an item"}, task.Runs)}
		scores, err := contest.Hold(task.Rounds, contest.Repeat("map", 1, 1, func() error {
			result, err := app.Each(ctx, eng, "go", initial)
			if err == nil && result.Key != "done" {
				err = fmt.Errorf("the run ends with key %%q", result.Key)
			}

			return err
		}))
		var memory goruntime.MemStats
		goruntime.ReadMemStats(&memory)

		return append(scores, contest.Score{Name: "memory", Step: []float64{float64(memory.Sys) / 1e6}}), err
	})
}
`

// The goals of runs of workflows: a write beside a large context and beside a small one, and a map beside the time for
// which its functions sleep, and its memory in megabytes.
const (
	writeGoal     = 3
	mapGoal       = 1.15
	mapMemoryGoal = 64
)

// measureWrites measures writes to a declared context beside a megabyte of other data and beside a kilobyte. A run
// without writes is subtracted, because it reads the context once.
func (b *bench) measureWrites() {
	writes, rounds := b.size(10_000, 10), b.size(21, 2)
	b.progress.say("%s writes to a context", count(writes))
	const declared = "context: {type: object, properties: {other: {type: array, items: {type: string}}, " +
		"count: {type: integer}, last: {type: string}}}\nsteps:\n"
	p := make(project)
	p["workflows/writes.yaml"] = "version: \"0.1\"\n" + declared + fmt.Sprintf(`  - kind: loop
    name: each
    loop:
      repeat: %d
      body:
        - {name: set, agent: {id: flujo.builtins.context_set, params: {path: count, value: "{{ loop.index }}"}}}
        - {name: keep, input: "{{ context.count }}", sink_to: last}
`, writes)
	p["workflows/none.yaml"] = "version: \"0.1\"\n" + declared + "  - {name: keep, input: \"{{ context.count }} {{ context.other | length }}\", sink_to: last}\n"
	b.generate("writes", p)
	scores := b.measure("writes-run", writesProgram, contest.Task{Steps: writes, Rounds: rounds})
	write := func(name string) float64 { return best(scores, name) - best(scores, name+" alone") }
	b.add("workflow, a write beside 1 MB of context / beside 1 KB", max(write("large"), 0)/max(write("small"), 1), "x", goal{atMost, writeGoal})
}

// measureMap measures a map over many items, a part of them at a time, against the time for which its functions sleep.
func (b *bench) measureMap() {
	const atATime, wait = 100, 5 // items, and milliseconds
	items, rounds := b.size(1000, 100), b.size(9, 1)
	b.progress.say("map over %s items", count(items))
	p := make(project)
	p["agentc.yaml"] = "entrypoint: each\n"
	p["workflows/each.yaml"] = "version: \"0.1\"\ncontext: {type: object, properties: {items: {type: array, items: {type: string}}}, required: [items]}\n" +
		fmt.Sprintf(`steps:
  - kind: map
    name: each
    map:
      iterable_input: items
      max_concurrency: %d
      body: [{name: work, uses: "work:step", input: "{{ this }}", input_schema: {type: string}, output_schema: {type: string}}]
`, atATime)
	b.generate("map", p)
	scores := b.measure("map-run", fmt.Sprintf(mapProgram, wait), contest.Task{Runs: items, Rounds: rounds})
	ideal := float64(items/atATime) * wait * 1e6
	title := fmt.Sprintf("workflow, map, %s items, %d at a time", count(items), atATime)
	b.add(title+" / ideal", best(scores, "map")/ideal, "x", goal{atMost, mapGoal})
	b.add(title+": memory", best(scores, "memory"), " MB", goal{atMost, mapMemoryGoal})
}
