package main

import (
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
	"runtime"
	"sync"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/live/agents"
	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/live/hand"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

func main() { contest.Main(measure) }

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

func measure(task contest.Task) ([]contest.Score, error) {
	live, byHand := agents.NewWalkMachine(), &guarded{state: hand.S0}
	fires := map[string]func(key string) error{
		"live":      func(key string) error { _, err := live.Fire(agents.WalkKey(key)); return err },
		"hand":      func(key string) error { _, err := byHand.Fire(hand.Key(key)); return err },
		"looplab":   contest.LooplabFire(task.Machine),
		"stateless": contest.StatelessFire(task.Machine),
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
				Run: func() error { return contest.Fired(walk, goroutines, fires[name]) },
			})
		}
		held, err := contest.Hold(task.Rounds, contestants...)
		if err != nil {
			return nil, err
		}
		scores = append(scores, held...)
	}
	if live.Seq() == 1 || byHand.state.String() == "" {
		return nil, errRefused
	}

	return append(scores, contest.Score{Name: "bytes", Step: []float64{size()}}), nil
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
func (b *bench) measureLive() {
	b.progress.say("live machine")
	scores := b.fire()
	for i, goroutines := range []int{1, 8, 64} {
		of := func(name string) string { return fmt.Sprint(name, " ", goroutines) }
		title := fmt.Sprintf("live machine, %d goroutine%s: ", goroutines, "s"[:min(i, 1)])
		b.compare(title+"Fire / mutex around a switch", scores, of("live"), of("hand"), goal{atMost, liveAsHand})
		b.compare(title+"looplab/fsm / Fire", scores, of("looplab"), of("live"), goal{atLeast, 1})
		b.compare(title+"stateless / Fire", scores, of("stateless"), of("live"), goal{atLeast, 1})
	}
	b.add("live machine: allocations of the steps", scoreOf(scores, "live 1").Allocs, "", goal{atMost, 0})
	b.add("live machine: bytes of each of 100,000", best(scores, "bytes"), " B", goal{atMost, liveBytes})
}

// fire builds and runs the measuring program.
func (b *bench) fire() []contest.Score {
	keys, steps, rounds := keyWords[:4], b.size(1<<17, 1<<10), b.size(41, 3)
	m := contest.Busy(8, keys, keyWords[4])
	random := rand.New(rand.NewPCG(b.seed, 8))
	task := contest.Task{Machine: m, Rounds: rounds}
	for range steps {
		task.Walk = append(task.Walk, keys[random.IntN(len(keys))])
	}
	b.machine("live", m)

	return b.measure("live-fire", liveProgram, task)
}
