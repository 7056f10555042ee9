package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// walkProgram measures one machine; SIZE stands for its folder. The loops of the first three contestants are the same but
// for the step itself.
const walkProgram = `// Program SIZE-walk lets the contestants walk through one machine.
package main

import (
	"fmt"
	"os"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/SIZE/agents"
	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/SIZE/hand"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string) error {
	task, err := contest.ReadTask(file)
	if err != nil {
		return err
	}
	first, err := agents.ParseWalkState(task.Machine.States[0].Name)
	if err != nil {
		return err
	}
	table := contest.Table[hand.State](task.Machine)
	looplab, stateless := contest.Looplab(task.Machine), contest.Stateless(task.Machine)

	generated := first
	if err := contest.Check(task, "generated", func(key string) (string, bool) {
		next, ok := generated.Next(agents.WalkKey(key))
		generated = next

		return next.String(), ok
	}); err != nil {
		return err
	}
	hands := hand.S0
	if err := contest.Check(task, "hand", func(key string) (string, bool) {
		next, ok := hands.Next(hand.Key(key))
		hands = next

		return next.String(), ok
	}); err != nil {
		return err
	}
	mapped := hand.S0
	if err := contest.Check(task, "map", func(key string) (string, bool) {
		next, ok := table[mapped][key]
		mapped = next

		return next.String(), ok
	}); err != nil {
		return err
	}

	short := task.Walk[:min(len(task.Walk), 4096)]
	contestants := []contest.Contestant{
		{Name: "generated", Steps: len(task.Walk), Run: func() { generated = walkGenerated(first, task.Walk) }},
		{Name: "hand", Steps: len(task.Walk), Run: func() { hands = walkHand(task.Walk) }},
		{Name: "map", Steps: len(task.Walk), Run: func() { mapped = walkMap(table, task.Walk) }},
		{Name: "looplab", Steps: len(short), Run: func() { library(looplab(short)) }},
		{Name: "stateless", Steps: len(short), Run: func() { library(stateless(short)) }},
	}
	scores := contest.Hold(task.Rounds, contestants)
	if generated.String() != hands.String() || mapped != hands {
		return fmt.Errorf("the walks end in %v, %v and %v", generated, hands, mapped)
	}
	want := walkHand(short).String()
	for name, walk := range map[string]func([]string) (string, error){"looplab": looplab, "stateless": stateless} {
		if got, err := walk(short); err != nil || got != want {
			return fmt.Errorf("%s ends in %s (%v), want %s", name, got, err, want)
		}
	}

	return contest.Write(os.Stdout, scores)
}

func walkGenerated(state agents.WalkState, walk []string) agents.WalkState {
	for _, key := range walk {
		next, ok := state.Next(agents.WalkKey(key))
		if !ok {
			panic("no row")
		}
		state = next
	}

	return state
}

func walkHand(walk []string) hand.State {
	state := hand.S0
	for _, key := range walk {
		next, ok := state.Next(hand.Key(key))
		if !ok {
			panic("no row")
		}
		state = next
	}

	return state
}

func walkMap(table map[hand.State]map[string]hand.State, walk []string) hand.State {
	state := hand.S0
	for _, key := range walk {
		next, ok := table[state][key]
		if !ok {
			panic("no row")
		}
		state = next
	}

	return state
}

func library(_ string, err error) {
	if err != nil {
		panic(err)
	}
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
func (b *bench) measureTransitions(ctx context.Context) error {
	for _, g := range walkGoals {
		if b.small && g.states > 64 {
			break
		}
		b.progress.say("transition of %s states", count(g.states))
		scores, err := b.walk(ctx, g.states)
		if err != nil {
			return fmt.Errorf("transition of %d states: %w", g.states, err)
		}
		b.rows = append(b.rows, walkRows(g, scores)...)
	}

	return nil
}

// walk builds and runs the measuring program of one size.
func (b *bench) walk(ctx context.Context, states int) ([]contest.Score, error) {
	folder := fmt.Sprintf("machine%d", states)
	m := newMachine(states, b.seed)
	hand, err := handMachine(m)
	if err != nil {
		return nil, err
	}
	steps, rounds := 1<<17, 61
	if b.small {
		steps, rounds = 1<<10, 3
	}

	if err := b.generate(ctx, folder, machineProject(m)); err != nil {
		return nil, err
	}
	if err := b.shop.put(folder+"/hand/hand.go", hand); err != nil {
		return nil, err
	}
	task := contest.Task{Machine: m, Walk: newWalk(m, steps, b.seed), Rounds: rounds}
	if err := b.shop.putJSON(folder+"/task.json", task); err != nil {
		return nil, err
	}
	program := folder + "-walk"
	if err := b.shop.put(program+"/main.go", []byte(strings.ReplaceAll(walkProgram, "SIZE", folder))); err != nil {
		return nil, err
	}

	var scores []contest.Score
	err = b.shop.measure(ctx, program, &scores, folder+"/task.json")

	return scores, err
}

// walkRows turns the scores of one size into rows.
func walkRows(g walkGoal, scores []contest.Score) []row {
	title := fmt.Sprintf("transition, %s states: ", count(g.states))
	took := func(name string) float64 { return best(scores, name) }

	return []row{
		{title + "map / generated", took("map") / took("generated"), "x", goal{atLeast, g.faster}},
		{title + "generated / hand-written", took("generated") / took("hand"), "x", goal{atMost, sameAsHand}},
		{title + "allocations of the walk", allocs(scores, "generated"), "", goal{atMost, 0}},
		{title + "looplab/fsm / generated", took("looplab") / took("generated"), "x", goal{}},
		{title + "stateless / generated", took("stateless") / took("generated"), "x", goal{}},
	}
}
