package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// liveProgram measures one live machine at which several goroutines fire keys.
const liveProgram = `// Program live-fire lets the contestants fire keys at one machine.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/live/agents"
	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/live/hand"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errRefused = errors.New("refused")

// guarded is the machine that is written by hand, with a mutex around it.
type guarded struct {
	mutex sync.Mutex
	state hand.State
}

func (m *guarded) Fire(key hand.Key) (hand.State, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	next, ok := m.state.Next(key)
	if !ok {
		return 0, errRefused
	}
	m.state = next

	return next, nil
}

func run(file string) error {
	task, err := contest.ReadTask(file)
	if err != nil {
		return err
	}
	live, byHand := agents.NewWalkMachine(), &guarded{state: hand.S0}
	looplab, stateless := contest.LooplabFire(task.Machine), contest.StatelessFire(task.Machine)
	fires := map[string]func(key string) error{
		"live":      func(key string) error { _, err := live.Fire(agents.WalkKey(key)); return err },
		"hand":      func(key string) error { _, err := byHand.Fire(hand.Key(key)); return err },
		"looplab":   looplab,
		"stateless": stateless,
	}
	short := task.Walk[:min(len(task.Walk), 8192)]
	var scores []contest.Score
	for _, goroutines := range []int{1, 8, 64} {
		var contestants []contest.Contestant
		for _, name := range []string{"live", "hand", "looplab", "stateless"} {
			walk := task.Walk
			if name == "looplab" || name == "stateless" {
				walk = short
			}
			contestants = append(contestants, contest.Contestant{
				Name: fmt.Sprint(name, " ", goroutines), Steps: len(walk),
				Run: func() { contest.Fired(walk, goroutines, fires[name]) },
			})
		}
		scores = append(scores, contest.Hold(task.Rounds, contestants)...)
	}
	if live.Seq() == 1 || byHand.state.String() == "" {
		return errRefused
	}
	scores = append(scores, contest.Score{Name: "bytes", Step: []float64{size()}})

	return contest.Write(os.Stdout, scores)
}

// size is how many bytes each of many machines takes.
func size() float64 {
	const machines = 100_000
	all := make([]*agents.WalkMachine, machines)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range all {
		all[i] = agents.NewWalkMachine()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(all)

	return float64(after.HeapAlloc-before.HeapAlloc) / machines
}
`

// The goals of live machines.
const (
	liveAsHand = 1.3 // times a mutex around a switch
	liveBytes  = 64
)

// measureLive measures how fast keys are fired at one live machine, and how large it is.
func (b *bench) measureLive(ctx context.Context) error {
	b.progress.say("live machine")
	scores, err := b.fire(ctx)
	if err != nil {
		return fmt.Errorf("live machine: %w", err)
	}
	for i, goroutines := range []int{1, 8, 64} {
		took := func(name string) float64 { return best(scores, fmt.Sprint(name, " ", goroutines)) }
		title := fmt.Sprintf("live machine, %d goroutine%s: ", goroutines, "s"[:min(i, 1)])
		b.rows = append(b.rows,
			row{title + "Fire / mutex around a switch", took("live") / took("hand"), "x", goal{atMost, liveAsHand}},
			row{title + "looplab/fsm / Fire", took("looplab") / took("live"), "x", goal{atLeast, 1}},
			row{title + "stateless / Fire", took("stateless") / took("live"), "x", goal{atLeast, 1}},
		)
	}
	b.rows = append(b.rows,
		row{"live machine: allocations of the steps", allocs(scores, "live 1"), "", goal{atMost, 0}},
		row{"live machine: bytes of each of 100,000", best(scores, "bytes"), " B", goal{atMost, liveBytes}},
	)

	return nil
}

// fire builds and runs the measuring program.
func (b *bench) fire(ctx context.Context) ([]contest.Score, error) {
	const folder, program = "live", "live-fire"
	keys, steps, rounds := keyWords[:4], 1<<17, 41
	if b.small {
		steps, rounds = 1<<10, 3
	}
	m := contest.Busy(8, keys, keyWords[4])
	random := rand.New(rand.NewPCG(b.seed, 8))
	task := contest.Task{Machine: m, Rounds: rounds}
	for range steps {
		task.Walk = append(task.Walk, keys[random.IntN(len(keys))])
	}

	hand, err := handMachine(m)
	if err != nil {
		return nil, err
	}
	if err := b.generate(ctx, folder, machineProject(m)); err != nil {
		return nil, err
	}
	if err := b.shop.put(folder+"/hand/hand.go", hand); err != nil {
		return nil, err
	}
	if err := b.shop.putJSON(folder+"/task.json", task); err != nil {
		return nil, err
	}
	if err := b.shop.put(program+"/main.go", []byte(liveProgram)); err != nil {
		return nil, err
	}
	var scores []contest.Score
	err = b.shop.measure(ctx, program, &scores, folder+"/task.json")

	return scores, err
}
