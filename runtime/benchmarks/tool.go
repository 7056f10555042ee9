package main

import (
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// toolProgram measures conversations whose model calls a typed tool.
const toolProgram = `// Program tool-run lets react agents take turns.
package main

import (
	"context"
	"fmt"

	plain "github.com/agentc-dev/agentc/runtime/benchmarks/peers/bench/tool/plain/agents"
	promised "github.com/agentc-dev/agentc/runtime/benchmarks/peers/bench/tool/promised/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/benchmarks/peers"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
)

func main() { contest.Main(measure) }

// caller is a provider that plays its replies, the n-th of which follows n calls.
type caller struct{ replies []model.Reply }

func newCaller(calls int) caller {
	call := func(name, args string) model.Reply {
		return model.Reply{Calls: []model.ToolCall{{ID: "1", Name: name, Args: args}}}
	}
	c := caller{[]model.Reply{call("read_skill", "{\"name\":\"lookup\"}")}}
	for n := range calls {
		c.replies = append(c.replies, call(peers.ToolName, peers.ToolArgs(n)))
	}
	c.replies = append(c.replies, call("finish", fmt.Sprintf("{\"key\":\"done\",\"value\":%q}", peers.Finished)))

	return c
}

func (c caller) Chat(_ context.Context, r model.Request) (model.Reply, error) { return c.replies[len(r.Messages)/2], nil }

// Interruptible is the promise that Chat returns when its context ends.
func (caller) Interruptible() bool { return true }

// dictionary counts the calls of the tool, whichever agent makes them.
type dictionary struct{ calls int }

func (d *dictionary) lookUp(word string, limit int) string {
	if word == peers.Word && limit > 0 {
		d.calls++
	}

	return peers.Found
}

type plainTools struct{ *dictionary }

func (t plainTools) LookUp(_ context.Context, in plain.LookUpInput) (string, error) {
	return t.lookUp(in.Word, int(in.Limit)), nil
}

type promisedTools struct{ *dictionary }

func (t promisedTools) LookUp(_ context.Context, in promised.LookUpInput) (string, error) {
	return t.lookUp(in.Word, int(in.Limit)), nil
}

// app is the generated App of either project.
type app interface {
	Run(ctx context.Context, engine compiled.Engine, input string) (runtime.Finish, error)
}

func measure(task contest.Task) ([]contest.Score, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d := &dictionary{}
	eino, err := peers.NewEinoReact(ctx, task.Steps, d.lookUp)
	if err != nil {
		return nil, err
	}
	caller, counted := newCaller(task.Steps), &contest.EventCounter{}
	unobserved := engine.New(engine.Options{Model: caller})
	observed := engine.New(engine.Options{Model: caller, Observers: []event.Observer{counted}})
	run := func(name string, once func() (string, error)) contest.Contestant {
		return contest.Repeat(name, task.Runs, task.Steps, func() error {
			before := d.calls
			text, err := once()
			if calls := d.calls - before; err == nil && (text != peers.Finished || calls != task.Steps) {
				err = fmt.Errorf("%s ends with %q after %d calls", name, text, calls)
			}

			return err
		})
	}
	onEngine := func(name string, a app, eng *engine.Engine) contest.Contestant {
		return run(name, func() (string, error) {
			fin, err := a.Run(ctx, eng, "What is a ledger?")
			return fin.Value, err
		})
	}
	scores, err := contest.Hold(task.Rounds,
		onEngine("agentc", plain.New(plainTools{d}), unobserved),
		onEngine("observed", plain.New(plainTools{d}), observed),
		onEngine("promised", promised.New(promisedTools{d}), unobserved),
		run("eino", func() (string, error) { return eino(ctx) }))
	if err == nil && counted.Events < task.Steps {
		err = fmt.Errorf("the observer received %d events", counted.Events)
	}

	return scores, err
}
`

// toolGoal is how much longer a call of a tool takes in eino.
const toolGoal = 1

// measureTools measures a react agent that calls a typed tool beside the react agent of eino.
func (b *bench) measureTools() {
	calls, runs, rounds := b.size(10, 3), b.size(300, 2), b.size(21, 2)
	b.progress.say("calls of a typed tool")
	b.measureBesidePeers(func() {
		b.generate("tool/plain", toolProject(""))
		b.generate("tool/promised", toolProject("    interruptible: true\n"))
		scores := b.measure("tool-run", toolProgram, contest.Task{Steps: calls, Runs: runs, Rounds: rounds})
		title := "call of a typed tool, " + count(calls) + " in a conversation: eino react / App.Run"
		b.compare(title, scores, "eino", "agentc", goal{atLeast, toolGoal})
		b.compare(title+", observed", scores, "eino", "observed", goal{atLeast, toolGoal})
		b.compare(title+", interruptible", scores, "eino", "promised", goal{atLeast, toolGoal})
	})
}

// toolProject is a react agent with a typed tool that has these fields, too.
func toolProject(fields string) project {
	p := make(project)
	p["agentc.yaml"] = "entrypoint: clerk\n"
	p["skills/lookup/SKILL.md"] = `---
name: lookup
description: Looks words up.
tools:
  - name: look_up
    description: Looks a word up.
    effect: read
` + fields + `    input:
      type: object
      properties:
        word: {type: string}
        limit: {type: integer}
      required: [word, limit]
---

Call look_up for each word.
`
	p.agent("clerk", "Answers questions about words.", "react", "max_iter: 50\ncall:\n  uses: [lookup]\n",
		"Read the skill, look the word up, and call finish(key=\"done\") with the answer.\n")

	return p
}
