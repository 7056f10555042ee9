package main

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// A pattern is an agent of one pattern and the conversations that it holds when the model answers as the measuring program
// has it answer.
type pattern struct {
	name, fields, body string
	// steps are the step files that it needs.
	steps []string
	// alone are its conversations: contestants, and how many of each.
	alone map[string]int
}

// The contestants that are no pattern: conversations side by side, in goroutines as one writes them by hand.
const (
	pair        = "2 oneshots side by side"
	fourOneshot = "4 oneshots side by side"
	fourReact   = "4 reacts side by side"
)

// patterns are all thirteen. A worker is a oneshot, a list has four items, a plan two steps; nothing is judged good before
// its limit.
var patterns = []pattern{
	{name: "oneshot", body: "Answer."},
	{name: "react", body: "Answer."},
	{
		name: "fsm", fields: "initial: worker-a\nstates: {worker-a: worker-b, worker-b: worker-c, worker-c: ~}\n",
		alone: map[string]int{"oneshot": 3},
	},
	{name: "critic", steps: []string{"draft", "critique", "refine"}, alone: map[string]int{"oneshot": 3}},
	{name: "constitutional", body: "Answer.", steps: []string{"critique", "revise"}, alone: map[string]int{"oneshot": 3}},
	{name: "reflexion", fields: "max_iter: 2\n", steps: []string{"act", "reflect"}, alone: map[string]int{"oneshot": 3}},
	{name: "plan-execute", body: "Plan.", steps: []string{"execute", "verify"}, alone: map[string]int{"oneshot": 4}},
	{name: "human", body: "Ask.", steps: []string{"resume"}, alone: map[string]int{"react": 2}},
	{name: "parallel", fields: "workers: [worker-a, worker-b, worker-c, worker-d]\n", alone: map[string]int{fourOneshot: 1}},
	{
		name: "scatter", fields: "worker: worker-a\n", body: "Divide, and finish with key parallel.", steps: []string{"reduce"},
		alone: map[string]int{"react": 1, fourOneshot: 1, "oneshot": 1},
	},
	{
		name: "chain-of-verification", body: "Answer.", steps: []string{"verify", "check", "revise"},
		alone: map[string]int{"oneshot": 3, fourOneshot: 1},
	},
	{
		name: "debate", fields: "agents: [worker-a, worker-b]\nrounds: 2\njudge: worker-c\n",
		alone: map[string]int{pair: 2, "oneshot": 1},
	},
	{
		name: "best-of-n", fields: "n: 4\n", body: "Answer.", steps: []string{"judge"},
		alone: map[string]int{fourReact: 1, "oneshot": 1},
	},
}

// patternsProgram measures agents of all patterns on the engine in memory, with a model that answers at once.
const patternsProgram = `// Program patterns-run lets agents of all patterns take turns.
package main

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/patterns/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

const input = "the text"

// replies are what the model answers instead of the text of its input, by agent.
var replies = map[string]model.Reply{
	"scatter":                      finish("parallel", "[\"a\",\"b\",\"c\",\"d\"]"),
	"chain-of-verification/verify": {Text: "a\nb\nc\nd"},
	"reflexion/reflect":            {Text: "again"},
	"plan-execute":                 {Text: "[\"a\",\"b\"]"},
	"plan-execute/verify":          {Text: "DONE"},
}

func finish(key, value string) model.Reply {
	return model.Reply{Calls: []model.ToolCall{
		{ID: "1", Name: "finish", Args: fmt.Sprintf("{\"key\":%%q,\"value\":%%q}", key, value)},
	}}
}

var (
	said     = model.Reply{Text: input}
	finished = finish("done", input)
)

// instant answers at once.
type instant struct{}

func (instant) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	if reply, ok := replies[r.Agent]; ok {
		return reply, nil
	}
	if len(r.Tools) > 0 {
		return finished, nil
	}

	return said, nil
}

func (instant) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: "yes"}, nil
}

type agent func(runtime.Effects, string, ...rt.Place) (runtime.Finish, error)

// sideBySide runs an agent n times in goroutines of its own, as one writes it by hand.
func sideBySide(eng *engine.Engine, n int, run agent) agent {
	effects := make([]runtime.Effects, n)
	for i := range effects {
		effects[i], _, _ = eng.Effects(context.Background(), nil)
	}

	return func(_ runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
		fins := make([]runtime.Finish, n)
		err := contest.Together(n, func(i int) (err error) {
			fins[i], err = run(effects[i], input)
			return err
		})

		return fins[0], err
	}
}

func main() { contest.Main(measure) }

func measure(task contest.Task) ([]contest.Score, error) {
	eng := engine.New(engine.Options{Model: instant{}, Asker: instant{}})
	fx, _, err := eng.Effects(context.Background(), nil)
	if err != nil {
		return nil, err
	}

	app := agents.New()
	var contestants []contest.Contestant
	for _, agent := range []struct {
		name string
		run  agent
	}{
%s		{"2 oneshots side by side", sideBySide(eng, 2, app.RunOneshot)},
		{"4 oneshots side by side", sideBySide(eng, 4, app.RunOneshot)},
		{"4 reacts side by side", sideBySide(eng, 4, app.RunReact)},
	} {
		contestants = append(contestants, contest.Repeat(agent.name, task.Runs, 1, func() error {
			_, err := agent.run(fx, input)
			return err
		}))
	}

	return contest.Hold(task.Rounds, contestants...)
}
`

// patternGoal is how long an agent may take beside its conversations alone, with a model that takes no time at all.
const patternGoal = 5

// measurePatterns measures what each pattern takes beyond the conversations that it holds.
func (b *bench) measurePatterns() {
	runs, rounds := b.size(300, 2), b.size(41, 2)
	b.progress.say("thirteen patterns")
	b.generate("patterns", patternsProject())
	var table strings.Builder
	for _, p := range patterns {
		fmt.Fprintf(&table, "\t\t{%q, app.Run%s},\n", p.name, goName(p.name))
	}
	program := fmt.Sprintf(patternsProgram, table.String())
	b.patternRows(b.measure("patterns-run", program, contest.Task{Runs: runs, Rounds: rounds}))
	b.measureScatter()
}

// patternsProject has an agent of each pattern, called like it, and the agents that they run.
func patternsProject() project {
	p := make(project)
	for _, worker := range []string{"worker-a", "worker-b", "worker-c", "worker-d"} {
		p.agent(worker, "Does a part.", "oneshot", "", "Do your part.\n")
	}
	for _, pattern := range patterns {
		body := ""
		if pattern.body != "" {
			body = pattern.body + "\n"
		}
		p.agent(pattern.name, "Does what its pattern says.", pattern.name, pattern.fields, body)
		for _, step := range pattern.steps {
			head := ""
			if pattern.name == "human" {
				head = "---\npattern: react\n---\n"
			}
			p["agents/"+pattern.name+"/"+step+".md"] = head + "Do this step. Say done when it is good.\n"
		}
	}

	return p
}

// patternRows turns the scores into rows: the time of an agent beside that of its conversations, and its allocations.
func (b *bench) patternRows(scores []contest.Score) {
	for _, p := range patterns {
		alone := 0.0
		for name, times := range p.alone {
			alone += float64(times) * best(scores, name)
		}
		if alone > 0 {
			b.add(p.name+" agent / its conversations", best(scores, p.name)/alone, "x", goal{atMost, patternGoal})
		}
		b.add(p.name+" agent, allocations a run", allocsStep(scores, p.name), "", goal{})
	}
}
