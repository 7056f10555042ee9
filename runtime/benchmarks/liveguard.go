package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// guardProgram measures live machines each of whose rows has a guard that holds.
const guardProgram = `// Program guard-fire lets machines with guards take turns.
package main

import (
	"context"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/guard/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

func main() { contest.Main(measure) }

// yes is a guard that allows everything.
type yes struct{}

func (yes) MayGo(context.Context, runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
	return runtime.Yes(), nil
}

func measure(task contest.Task) ([]contest.Score, error) {
	inGo, expression := agents.NewInGoMachine(yes{}), agents.NewExpressionMachine()
	stateless := contest.StatelessGuardedFire(task.Machine)
	fired := func(name string, fire func(key string) error) contest.Contestant {
		return contest.Contestant{Name: name, Steps: len(task.Walk), Run: func() error { return contest.Fired(task.Walk, 1, fire) }}
	}

	return contest.Hold(task.Rounds,
		fired("Go", func(key string) error { _, err := inGo.Fire(agents.InGoKey(key)); return err }),
		fired("expression", func(key string) error { _, err := expression.Fire(agents.ExpressionKey(key)); return err }),
		fired("stateless", stateless))
}
`

// guards are the guards of the measured machines, by the names of their agents.
var guards = map[string]string{"in-go": "may-go", "expression": `value == ""`}

// measureGuards measures how fast keys are fired at a live machine with guards.
func (b *bench) measureGuards() {
	b.progress.say("live machine with guards")
	keys, steps, rounds := keyWords[:4], b.size(1<<13, 1<<8), b.size(41, 3)
	m := contest.Busy(8, keys, keyWords[4])
	random := rand.New(rand.NewPCG(b.seed, 9))
	task := contest.Task{Machine: m, Rounds: rounds}
	for range steps {
		task.Walk = append(task.Walk, keys[random.IntN(len(keys))])
	}
	b.generate("guard", guardedProject(m))
	scores := b.measure("guard-fire", guardProgram, task)
	for _, of := range []struct{ name, guard string }{{"Go", "a guard in Go"}, {"expression", "an expression"}} {
		title := "live machine with " + of.guard
		b.compare(title+": stateless / Fire", scores, "stateless", of.name, goal{atLeast, 1})
		b.add(title+": allocations of a step", allocsStep(scores, of.name), "", goal{atMost, 0})
	}
}

// guardedProject has the machine once for each kind of guard. Behind each row there is one without a guard.
func guardedProject(m contest.Machine) project {
	p := make(project)
	for name, guard := range guards {
		var fields strings.Builder
		fmt.Fprintf(&fields, "drive: external\ninitial: %s\nstates:\n", m.States[0].Name)
		last := m.States[len(m.States)-1].Name
		for _, state := range m.States {
			if len(state.Rows) == 0 {
				fmt.Fprintf(&fields, "  %s: ~\n", state.Name)
				continue
			}
			fmt.Fprintf(&fields, "  %s:\n", state.Name)
			for _, row := range state.Rows {
				fmt.Fprintf(&fields, "    - {key: %s, to: %s, when: '%s'}\n", row.Key, m.States[row.To].Name, guard)
				fmt.Fprintf(&fields, "    - {key: %s, to: %s}\n", row.Key, last)
			}
		}
		p.agent(name, "A machine with guards.", "fsm", fields.String(), "")
	}

	return p
}
