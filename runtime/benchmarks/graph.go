package main

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// graphProgram measures runs of a graph on the engine beside those of eino.
const graphProgram = `// Program graph-run lets graphs take turns.
package main

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/peers/bench/graph/agents"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/benchmarks/peers"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
)

func main() { contest.Main(measure) }

func measure(task contest.Task) ([]contest.Score, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	eino, err := peers.NewEinoGraph(ctx, task.Prompts)
	if err != nil {
		return nil, err
	}
	text, err := eino(ctx, "rejected")
	if text != "rejected" || err != nil {
		return nil, fmt.Errorf("eino: a text that is not approved ends with %q: %v", text, err)
	}

	app, counted := agents.New(), &contest.EventCounter{}
	unobserved := engine.New(engine.Options{Model: contest.Echo{}})
	observed := engine.New(engine.Options{Model: contest.Echo{}, Observers: []event.Observer{counted}})
	fin, err := app.Run(ctx, unobserved, "rejected")
	if fin.Value != "rejected" || err != nil {
		return nil, fmt.Errorf("agentc: a text that is not approved ends with %q: %v", fin.Value, err)
	}
	run := func(name string, once func() (string, error)) contest.Contestant {
		return contest.Repeat(name, task.Runs, len(task.Prompts), func() error {
			text, err := once()
			if err == nil && text != peers.Approved {
				err = fmt.Errorf("%s ends with %q", name, text)
			}

			return err
		})
	}
	onEngine := func(name string, eng *engine.Engine) contest.Contestant {
		return run(name, func() (string, error) {
			fin, err := app.Run(ctx, eng, peers.Approved)
			return fin.Value, err
		})
	}
	scores, err := contest.Hold(task.Rounds, onEngine("agentc", unobserved), onEngine("observed", observed),
		run("eino", func() (string, error) { return eino(ctx, peers.Approved) }))
	if err == nil && counted.Events < len(task.Prompts) {
		err = fmt.Errorf("the observer received %d events", counted.Events)
	}

	return scores, err
}
`

// graphGoal is how much longer a step of eino takes.
const graphGoal = 2

// measureGraphs measures a graph of oneshot states with guards beside one of eino.
func (b *bench) measureGraphs() {
	steps, runs, rounds := b.size(100, 5), b.size(30, 2), b.size(21, 2)
	b.progress.say("graph of %s steps", count(steps))
	task := contest.Task{Runs: runs, Rounds: rounds}
	for i := range steps {
		task.Prompts = append(task.Prompts, chainPrompt(i))
	}
	b.measureBesidePeers(func() {
		b.generate("graph", graphProject(steps))
		scores := b.measure("graph-run", graphProgram, task)
		title := "graph of " + count(steps) + " steps that route: eino / App.Run"
		b.compare(title, scores, "eino", "agentc", goal{atLeast, graphGoal})
		b.compare(title+", observed", scores, "eino", "observed", goal{atLeast, graphGoal})
	})
}

// graphProject is a chain of n oneshot agents, each of which leads to the next only with the text that the guards expect.
func graphProject(n int) project {
	p := chainProject(n, "oneshot")
	p["agentc.yaml"] = "entrypoint: " + chainName + "\n"
	var fields strings.Builder
	fmt.Fprintf(&fields, "initial: step-0\nmax_steps: %d\nstates:\n", n)
	for i := range n {
		next := fmt.Sprintf("step-%d", i+1)
		if i == n-1 {
			next = "finished"
		}
		fmt.Fprintf(&fields, "  step-%d:\n    - {key: done, to: %s, when: 'value == \"approved\"'}\n", i, next)
		fields.WriteString("    - {key: done, to: refused}\n")
	}
	fields.WriteString("  finished: ~\n  refused: ~\n")
	p.agent(chainName, "One agent after the other, as long as the text is approved.", "fsm", fields.String(), "")

	return p
}
