package main

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// walkProgram measures one machine; SIZE stands for its folder. The loops of the first three contestants are the same but
// for the step itself.
const walkProgram = `// Program SIZE-walk lets the contestants walk through one machine.
package main

import (
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/SIZE/agents"
	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/SIZE/hand"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

func main() { contest.Main(measure) }

func measure(task contest.Task) ([]contest.Score, error) {
	first, err := agents.ParseWalkState(task.Machine.States[0].Name)
	if err != nil {
		return nil, err
	}
	table := contest.Table[hand.State](task.Machine)
	looplab, stateless := contest.Looplab(task.Machine), contest.Stateless(task.Machine)

	generated, hands, mapped := first, hand.S0, hand.S0
	for name, next := range map[string]func(key string) (string, bool){
		"generated": func(key string) (state string, ok bool) {
			generated, ok = generated.Next(agents.WalkKey(key))
			return generated.String(), ok
		},
		"hand": func(key string) (state string, ok bool) {
			hands, ok = hands.Next(hand.Key(key))
			return hands.String(), ok
		},
		"map": func(key string) (state string, ok bool) {
			mapped, ok = table[mapped][key]
			return mapped.String(), ok
		},
	} {
		if err := contest.Check(task, name, next); err != nil {
			return nil, err
		}
	}

	short := task.Walk[:min(len(task.Walk), 4096)]
	scores, err := contest.Hold(task.Rounds,
		contest.Repeat("generated", 1, len(task.Walk), func() (err error) {
			generated, err = walkGenerated(first, task.Walk)
			return err
		}),
		contest.Repeat("hand", 1, len(task.Walk), func() (err error) {
			hands, err = walkHand(task.Walk)
			return err
		}),
		contest.Repeat("map", 1, len(task.Walk), func() (err error) {
			mapped, err = walkMap(table, task.Walk)
			return err
		}),
		contest.Repeat("looplab", 1, len(short), func() error {
			_, err := looplab(short)
			return err
		}),
		contest.Repeat("stateless", 1, len(short), func() error {
			_, err := stateless(short)
			return err
		}))
	if err != nil {
		return nil, err
	}
	if generated.String() != hands.String() || mapped != hands {
		return nil, fmt.Errorf("the walks end in %v, %v and %v", generated, hands, mapped)
	}
	end, err := walkHand(short)
	if err != nil {
		return nil, err
	}
	for name, walk := range map[string]func([]string) (string, error){"looplab": looplab, "stateless": stateless} {
		if got, err := walk(short); err != nil || got != end.String() {
			return nil, fmt.Errorf("%s ends in %s (%v), want %s", name, got, err, end)
		}
	}

	return scores, nil
}

var errRefused = errors.New("there is no row")

func walkGenerated(state agents.WalkState, walk []string) (agents.WalkState, error) {
	for _, key := range walk {
		next, ok := state.Next(agents.WalkKey(key))
		if !ok {
			return state, errRefused
		}
		state = next
	}

	return state, nil
}

func walkHand(walk []string) (hand.State, error) {
	state := hand.S0
	for _, key := range walk {
		next, ok := state.Next(hand.Key(key))
		if !ok {
			return state, errRefused
		}
		state = next
	}

	return state, nil
}

func walkMap(table map[hand.State]map[string]hand.State, walk []string) (hand.State, error) {
	state := hand.S0
	for _, key := range walk {
		next, ok := table[state][key]
		if !ok {
			return state, errRefused
		}
		state = next
	}

	return state, nil
}
`

// walkGoal is by how much one transition beats the nested map.
type walkGoal struct {
	states int
	faster float64
}

var walkGoals = []walkGoal{{8, 3}, {64, 3}, {512, 2}, {4096, 1.7}}

// sameAsHand is how much longer than the hand-written switch the generated one may take.
const sameAsHand = 1.2

// measureTransitions measures one transition at every size.
func (b *bench) measureTransitions() {
	for _, g := range walkGoals {
		if b.small && g.states > 64 {
			break
		}
		b.progress.say("transition of %s states", count(g.states))
		scores := b.walk(g.states)
		title := fmt.Sprintf("transition, %s states: ", count(g.states))
		b.compare(title+"map / generated", scores, "map", "generated", goal{atLeast, g.faster})
		b.compare(title+"generated / hand-written", scores, "generated", "hand", goal{atMost, sameAsHand})
		b.add(title+"allocations of the walk", scoreOf(scores, "generated").Allocs, "", goal{atMost, 0})
		b.compare(title+"looplab/fsm / generated", scores, "looplab", "generated", goal{})
		b.compare(title+"stateless / generated", scores, "stateless", "generated", goal{})
	}
}

// walk builds and runs the measuring program of one size.
func (b *bench) walk(states int) []contest.Score {
	folder := fmt.Sprintf("machine%d", states)
	m := newMachine(states, b.seed)
	b.machine(folder, m)
	task := contest.Task{Machine: m, Walk: newWalk(m, b.size(1<<17, 1<<10), b.seed), Rounds: b.size(61, 3)}

	return b.measure(folder+"-walk", strings.ReplaceAll(walkProgram, "SIZE", folder), task)
}
