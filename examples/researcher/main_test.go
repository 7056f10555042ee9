package main

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/examples/researcher/agents"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// results notes what the tools answered.
type results map[string]string

func (r results) Observe(e event.Event) {
	if e.Kind == event.Tool {
		r[e.Name] = e.Text + e.Problem
	}
}

func TestTheToolsRunForReal(t *testing.T) {
	app := agents.New(newTools())
	answers := results{}
	fx := simulate.New(t, app.Program().Scripts["script.yaml"], answers)

	fin, err := app.RunResearcher(fx, "Who extended state machines?")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(fin.Value, "Harel: Statecharts (1987)\nBuilt on by: Practical statecharts in C/C++ (2002)") {
		t.Errorf("finished with %q", fin.Value)
	}
	for tool, want := range map[string]string{
		"search_papers":   `{"hits":[{"id":"mealy-1955","title":"A method for synthesizing sequential circuits","year":1955},{"id":"harel-1987","title":"Statecharts","year":1987}]}`,
		"format_citation": "Harel: Statecharts (1987)",
	} {
		if answers[tool] != want {
			t.Errorf("%s answered %q", tool, answers[tool])
		}
	}
}

func TestAToolIsLockedUntilItsSkillIsRead(t *testing.T) {
	answers := results{}
	fx := simulate.New(t, `{"researcher": [
		{"call": [{"name": "search_papers", "args": {"query": "state machine"}}]},
		{"finish": {"key": "done", "value": "nothing"}}
	]}`, answers)

	if _, err := agents.New(newTools()).RunResearcher(fx, "?"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(answers["search_papers"], "read_skill") {
		t.Errorf("the locked tool answered %q", answers["search_papers"])
	}
}
