package gen_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
)

// routed is a project whose desk hears of signals, and whose keeper has a gate that does; the files answer stop alone.
const routed = `-- agentc.yaml --
entrypoint: desk
models: {default: "script:script.yaml"}
-- agents/desk/AGENT.md --
---
name: desk
description: Works.
version: 1
pattern: fsm
initial: keeper
states:
  keeper:
    - kept: done
    - given-up: done
  done: ~
signals: [{on: stop, do: graceful-stop}]
---
-- agents/keeper/AGENT.md --
---
name: keeper
description: Keeps things.
version: 1
pattern: react
call: {uses: [memory]}
gate:
  initial: empty
  states:
    empty: [{mem_set: full}]
    full: [{mem_set: full}, {finish: ~}]
signals: [{on: stop, do: graceful-stop}]
---
Keep things. Call finish with key kept or given-up.
-- skills/memory/SKILL.md --
---
name: memory
description: Keeps things.
tools: [mem_set]
---
Keep things.
-- script.yaml --
keeper:
  - call: [{name: read_skill, args: {name: memory}}, {name: mem_set, args: {key: a, value: b}}]
  - finish: {key: kept, value: one}
`

// router adds rules of both tiers to an App, and sends signals to a run and to live machines of it.
const router = `package main

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/signals"

%s)

type sender struct{ signals *engine.Signals }

func (s *sender) Observe(e event.Event) {
	switch {
	case e.Kind == event.Enter:
		fmt.Println("late is heard:", s.signals.Send(signals.Signal{Kind: "late"}))
		fmt.Println("noise is heard:", s.signals.Send(signals.Signal{Kind: "noise"}))
	case e.Kind == event.Transition && len(e.Guards) > 0:
		fmt.Println(e.Machine, e.State, e.Key, e.Guards[0].Name, "-", e.Guards[0].Reason)
	}
}

func main() {
%s}

func routes(app *routed.App) {
	fmt.Print("-- run --\n")
	app.Routes().Add("desk", signals.Rule{On: "late", Do: signals.Fire, Key: "given-up"})
	app.Routes().Add("keeper", signals.Rule{On: "rest", Do: signals.GracefulStop})
	app.Routes().Add("", signals.Rule{On: "over", Do: signals.ForceStop})
	app.Routes().Add("",
		signals.Rule{On: "stop", Do: signals.ForceStop, Priority: 9},
		signals.Rule{On: "late", In: []string{"keeper"}, Do: signals.ForceStop, Priority: 9})

	s := &sender{signals: &engine.Signals{}}
	fin, err := app.Run(context.Background(), engine.New(engine.Options{Signals: s.signals, Observers: []event.Observer{s}}), "a line")
	fmt.Println(fin.Key, fin.Value, err)

	fmt.Print("-- live --\n")
	desk, keeper := routed.NewDeskMachine(), routed.NewKeeperMachine()
	desk.SetRoutes(app.Routes())
	keeper.SetRoutes(app.Routes())
	app.Routes().Add("keeper", signals.Rule{On: "fill", Do: signals.Fire, Key: "mem_set"})
	for _, kind := range []string{"stop", "rest", "fill", "late", "over", "noise"} {
		for _, m := range []drive.Machine{keeper, desk} {
			decision, err := m.Signal(signals.Signal{Kind: kind})
			fmt.Println(kind, m.Name(), decision.Answer, decision.Tier, m.Current(), err)
		}
	}
	fmt.Print("-- alone --\n")
	decision, err := routed.NewDeskMachine().Signal(signals.Signal{Kind: "late"})
	fmt.Println(decision.Answer, err)

	fmt.Print("-- mistake --\n")
	defer func() { fmt.Println(recover()) }()
	app.Routes().Add("kepper", signals.Rule{On: "stop", Do: signals.ForceStop})
}
`

// TestRoute: rules that Go code adds to an App count in its runs and in its live machines, below those of the files, the agent's
// before the host's.
func TestRoute(t *testing.T) {
	a := txtar.Parse([]byte(routed))
	got := buildAndRun(t, map[string]*gen.Result{"routed": compileCase(t, a)}, router, "\troutes(routed.New())\n")
	for name, want := range map[string]string{
		"run": `late is heard: true
noise is heard: false
desk keeper given-up signal late - fire given-up, says a rule of the agent
given-up one <nil>
`,
		"live": `stop keeper graceful-stop machine empty <nil>
stop desk graceful-stop machine keeper <nil>
rest keeper graceful-stop agent empty <nil>
rest desk   keeper <nil>
fill keeper fire agent full <nil>
fill desk   keeper <nil>
late keeper   full <nil>
late desk fire agent done <nil>
over keeper force-stop host full <nil>
over desk force-stop host done <nil>
noise keeper   full <nil>
noise desk   done <nil>
`,
		"alone":   " <nil>\n",
		"mistake": "rules for agent \"kepper\", which has no signals in its file; those that have are [\"desk\" \"keeper\"]\n",
	} {
		if got[name] != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, got[name], want)
		}
	}
}
