package orchestrate

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/examples/orchestrate/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

const wish = "Since when does Go have generics?"

// play runs the workflow with a script that answers for the models and for the person.
func play(t *testing.T, script string, observers ...event.Observer) runtime.Finish {
	t.Helper()
	text, err := os.ReadFile("scripts/" + script + ".json")
	if err != nil {
		t.Fatal(err)
	}
	fin, err := agents.New().RunOrchestrate(simulate.New(t, string(text), observers...), wish)
	if err != nil {
		t.Fatal(err)
	}

	return fin
}

func TestThePersonIsContent(t *testing.T) {
	if fin := play(t, "approved"); fin.Key != "done" || fin.Value != "Since Go 1.18, of March 2022." {
		t.Errorf("finished with %q: %q", fin.Key, fin.Value)
	}
}

// visits counts how often each state is entered.
type visits map[string]int

func (v visits) Observe(e event.Event) {
	if e.Kind == event.Enter {
		v[e.State]++
	}
}

func TestThePersonMissesSomething(t *testing.T) {
	entered := visits{}
	if fin := play(t, "again", entered); fin.Key != "done" || fin.Value != "Since Go 1.18, of March 2022." {
		t.Errorf("finished with %q: %q", fin.Key, fin.Value)
	}
	if entered["clarify"] != 1 || entered["discover"] != 2 || entered["review"] != 2 {
		t.Errorf("entered %v", entered)
	}
}

// inputs keeps what an agent is given.
type inputs struct {
	runtime.Effects
	agent string
	given []string
}

func (i *inputs) Model(r model.Request) (model.Reply, error) {
	if r.Agent == i.agent {
		i.given = append(i.given, r.Input)
	}

	return i.Effects.Model(r)
}

// What the person missed is told the librarian in the next round.
func TestTheRemarkIsPassedOn(t *testing.T) {
	text, err := os.ReadFile("scripts/again.json")
	if err != nil {
		t.Fatal(err)
	}
	fx := &inputs{Effects: simulate.New(t, string(text)), agent: "discover/librarian"}
	if _, err := agents.New().RunOrchestrate(fx, wish); err != nil {
		t.Fatal(err)
	}
	if len(fx.given) != 2 || strings.Contains(fx.given[0], "Mind this") || !strings.HasSuffix(fx.given[1], "\nMind this: When was that?") {
		t.Errorf("given %q", fx.given)
	}
}

// A model that cannot be reached is no crash: the row for failures leads to failed.
func TestAModelFails(t *testing.T) {
	if fin := play(t, "failed"); fin.Key != "failed" {
		t.Errorf("finished with %q: %q", fin.Key, fin.Value)
	}
}

// The context goes in and comes out as a Go struct.
func TestTheContextIsTyped(t *testing.T) {
	text, err := os.ReadFile("scripts/approved.json")
	if err != nil {
		t.Fatal(err)
	}
	eng := engine.New(engine.Options{Script: string(text)})
	out, err := agents.New().Orchestrate(t.Context(), eng, wish, agents.OrchestrateContext{})
	if err != nil {
		t.Fatal(err)
	}
	var same agents.OrchestrateContext
	if err := json.Unmarshal([]byte(out.Context), &same); err != nil || !reflect.DeepEqual(same, out.Output) {
		t.Errorf("the final context is %+v, and in the finish %s, %v", out.Output, out.Context, err)
	}
	if reflect.DeepEqual(out.Output, agents.OrchestrateContext{}) {
		t.Error("the final context is empty")
	}
}
